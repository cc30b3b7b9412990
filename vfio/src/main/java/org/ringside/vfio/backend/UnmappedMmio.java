package org.ringside.vfio.backend;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.VfioException;

/**
 * Registers that are not mapped: an access is one call of the back end. An access that fails does
 * what a bus does: a read gives all ones, a write vanishes; the first failure is logged.
 */
public final class UnmappedMmio extends Mmio {
    private final RegionAccess access;
    private final long base;
    private final long size;
    private final DeviceState state;

    /** The whole of a region of {@code size} bytes. */
    public UnmappedMmio(RegionAccess access, long size, DeviceState state) {
        this(access, 0, size, state);
    }

    private UnmappedMmio(RegionAccess access, long base, long size, DeviceState state) {
        this.access = access;
        this.base = base;
        this.size = size;
        this.state = state;
    }

    private long read(long offset, int width) {
        check(offset, width);
        if (state.isLost()) {
            return -1L;
        }
        try {
            return access.read(base + offset, width);
        } catch (VfioException e) {
            state.accessFailed("reading register 0x" + Long.toHexString(base + offset), e);
            return -1L;
        }
    }

    private void write(long offset, int width, long value) {
        check(offset, width);
        if (state.isLost()) {
            return;
        }
        try {
            access.write(base + offset, width, value);
        } catch (VfioException e) {
            state.accessFailed("writing register 0x" + Long.toHexString(base + offset), e);
        }
    }

    private void check(long offset, int width) {
        state.checkOpen();
        Objects.checkFromIndexSize(offset, width, size);
        if ((base + offset & width - 1) != 0) {
            throw new IllegalArgumentException(
                    "misaligned access of %d bytes at 0x%x".formatted(width, base + offset));
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public byte getByte(long offset) {
        return (byte) read(offset, Byte.BYTES);
    }

    @Override
    public short getShort(long offset) {
        return (short) read(offset, Short.BYTES);
    }

    @Override
    public int getInt(long offset) {
        return (int) read(offset, Integer.BYTES);
    }

    @Override
    public long getLong(long offset) {
        return read(offset, Long.BYTES);
    }

    @Override
    public void putByte(long offset, byte value) {
        write(offset, Byte.BYTES, value);
    }

    @Override
    public void putShort(long offset, short value) {
        write(offset, Short.BYTES, value);
    }

    @Override
    public void putInt(long offset, int value) {
        write(offset, Integer.BYTES, value);
    }

    @Override
    public void putLong(long offset, long value) {
        write(offset, Long.BYTES, value);
    }

    @Override
    public Mmio slice(long offset, long size) {
        Objects.checkFromIndexSize(offset, size, this.size);
        return new UnmappedMmio(access, base + offset, size, state);
    }

    @Override
    public Optional<MemorySegment> mapped() {
        return Optional.empty();
    }
}
