package org.ringside.vfio.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import org.ringside.vfio.Mmio;

/**
 * Registers that are mapped: an access is one machine load or store.
 *
 * <p>Access is opaque: the JIT may neither merge nor drop nor split it, and puts no fence around
 * it. A page that is no longer there (memory decode off, device gone) raises SIGBUS, which the JVM
 * turns into an {@link InternalError}; here that means that the device is lost.
 *
 * <p>Compiled code gets that error at its next safepoint poll, which can be after the access has
 * returned. A read waits for it, so a read is what finds a lost device out. A write does not: it is
 * the doorbell, and its error may reach the writing thread a little later as an InternalError.
 */
public final class MappedMmio extends Mmio {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle SHORT = littleEndian(ValueLayout.JAVA_SHORT);
    private static final VarHandle INT = littleEndian(ValueLayout.JAVA_INT);
    private static final VarHandle LONG = littleEndian(ValueLayout.JAVA_LONG);

    private final MemorySegment memory;
    private final DeviceState state;

    /** Registers at {@code memory}, which lives until the device is closed. */
    public MappedMmio(MemorySegment memory, DeviceState state) {
        this.memory = memory;
        this.state = state;
    }

    private static VarHandle littleEndian(ValueLayout layout) {
        return layout.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    }

    /**
     * Lets the JVM throw the fault of the access before, if there was one, here and not later: a
     * native method polls on its way back. Tens of nanoseconds, beside the microsecond of an
     * uncached read.
     */
    private void deliverFault() {
        boolean held = Thread.holdsLock(this);
        assert !held;
    }

    private void lost(InternalError fault) {
        state.markLost("a mapped access faulted: " + fault.getMessage());
    }

    @Override
    public long size() {
        return memory.byteSize();
    }

    @Override
    public byte getByte(long offset) {
        try {
            byte value = (byte) BYTE.getOpaque(memory, offset);
            deliverFault();
            return value;
        } catch (InternalError fault) {
            lost(fault);
            return -1;
        }
    }

    @Override
    public short getShort(long offset) {
        try {
            short value = (short) SHORT.getOpaque(memory, offset);
            deliverFault();
            return value;
        } catch (InternalError fault) {
            lost(fault);
            return -1;
        }
    }

    @Override
    public int getInt(long offset) {
        try {
            int value = (int) INT.getOpaque(memory, offset);
            deliverFault();
            return value;
        } catch (InternalError fault) {
            lost(fault);
            return -1;
        }
    }

    @Override
    public long getLong(long offset) {
        try {
            long value = (long) LONG.getOpaque(memory, offset);
            deliverFault();
            return value;
        } catch (InternalError fault) {
            lost(fault);
            return -1;
        }
    }

    @Override
    public void putByte(long offset, byte value) {
        try {
            BYTE.setOpaque(memory, offset, value);
        } catch (InternalError fault) {
            lost(fault);
        }
    }

    @Override
    public void putShort(long offset, short value) {
        try {
            SHORT.setOpaque(memory, offset, value);
        } catch (InternalError fault) {
            lost(fault);
        }
    }

    @Override
    public void putInt(long offset, int value) {
        try {
            INT.setOpaque(memory, offset, value);
        } catch (InternalError fault) {
            lost(fault);
        }
    }

    @Override
    public void putLong(long offset, long value) {
        try {
            LONG.setOpaque(memory, offset, value);
        } catch (InternalError fault) {
            lost(fault);
        }
    }

    @Override
    public Mmio slice(long offset, long size) {
        return new MappedMmio(memory.asSlice(offset, size), state);
    }

    @Override
    public Optional<MemorySegment> mapped() {
        return Optional.of(memory);
    }
}
