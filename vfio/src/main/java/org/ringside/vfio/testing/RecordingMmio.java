package org.ringside.vfio.testing;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.ringside.vfio.Mmio;

/**
 * Registers in an array that remember every access in order, so that a test can assert that the
 * doorbell came last, and not only that it came. Slices write to the same record, with offsets of
 * the whole region.
 *
 * <p>Threading: any thread; the record is in the order in which accesses took the lock.
 */
public final class RecordingMmio extends Mmio {
    private final Shared shared;
    private final int base;
    private final int size;

    /** Registers of {@code size} bytes, all zero. */
    public RecordingMmio(int size) {
        this(new Shared(size), 0, size);
    }

    private RecordingMmio(Shared shared, int base, int size) {
        this.shared = shared;
        this.base = base;
        this.size = size;
    }

    /**
     * One access.
     *
     * @param write whether it was a write
     * @param offset bytes from the start of the whole region
     * @param width 1, 2, 4 or 8 bytes
     * @param value what was read or written, in CPU order, zero-extended
     */
    public record Access(boolean write, long offset, int width, long value) {
        @Override
        public String toString() {
            String kind = write ? "write" : "read";
            return "%s%d(0x%x) 0x%x".formatted(kind, width * 8, offset, value);
        }
    }

    private static final class Shared {
        final ByteBuffer bytes;
        final List<Access> accesses = new ArrayList<>();
        Consumer<Access> onAccess = access -> {};

        Shared(int size) {
            bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** All accesses so far, oldest first. */
    public List<Access> accesses() {
        synchronized (shared) {
            return List.copyOf(shared.accesses);
        }
    }

    /** All writes so far, oldest first. */
    public List<Access> writes() {
        return accesses().stream().filter(Access::write).toList();
    }

    /** Forgets the accesses so far, not the values. */
    public void clearRecord() {
        synchronized (shared) {
            shared.accesses.clear();
        }
    }

    /**
     * Has something done at each access, before it returns and before the record shows it: where a
     * test notes what else had happened by then. A write has taken effect.
     */
    public void onAccess(Consumer<Access> action) {
        synchronized (shared) {
            shared.onAccess = action;
        }
    }

    /** Sets a register as a device would, without a record. */
    public void setInt(long offset, int value) {
        synchronized (shared) {
            shared.bytes.putInt(base + (int) offset, value);
        }
    }

    private long access(boolean write, long offset, int width, long value) {
        Objects.checkFromIndexSize(offset, width, size);
        int at = base + (int) offset;
        if ((at & width - 1) != 0) {
            throw new IllegalArgumentException(
                    "misaligned access of %d bytes at 0x%x".formatted(width, at));
        }
        synchronized (shared) {
            long result = value;
            if (write) {
                for (int i = 0; i < width; i++) {
                    shared.bytes.put(at + i, (byte) (value >>> 8 * i));
                }
            } else {
                result = 0;
                for (int i = 0; i < width; i++) {
                    result |= (shared.bytes.get(at + i) & 0xffL) << 8 * i;
                }
            }
            Access access = new Access(write, at, width, result);
            shared.onAccess.accept(access);
            shared.accesses.add(access);
            return result;
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public byte getByte(long offset) {
        return (byte) access(false, offset, Byte.BYTES, 0);
    }

    @Override
    public short getShort(long offset) {
        return (short) access(false, offset, Short.BYTES, 0);
    }

    @Override
    public int getInt(long offset) {
        return (int) access(false, offset, Integer.BYTES, 0);
    }

    @Override
    public long getLong(long offset) {
        return access(false, offset, Long.BYTES, 0);
    }

    @Override
    public void putByte(long offset, byte value) {
        access(true, offset, Byte.BYTES, Byte.toUnsignedLong(value));
    }

    @Override
    public void putShort(long offset, short value) {
        access(true, offset, Short.BYTES, Short.toUnsignedLong(value));
    }

    @Override
    public void putInt(long offset, int value) {
        access(true, offset, Integer.BYTES, Integer.toUnsignedLong(value));
    }

    @Override
    public void putLong(long offset, long value) {
        access(true, offset, Long.BYTES, value);
    }

    @Override
    public Mmio slice(long offset, long size) {
        Objects.checkFromIndexSize(offset, size, this.size);
        return new RecordingMmio(shared, base + (int) offset, (int) size);
    }

    @Override
    public Optional<MemorySegment> mapped() {
        return Optional.empty();
    }
}
