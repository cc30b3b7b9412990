package org.ringside.emulator.pci;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The registers of a configuration space: bytes, and for each bit whether a write sets it, or
 * clears it by writing one. What no register covers reads 0 and cannot be written. Little endian.
 *
 * <p>Threading: one thread.
 */
public final class ConfigSpace {
    private final byte[] reset;
    private final byte[] value;
    private final byte[] writable;
    private final byte[] clearedByOne;

    /**
     * An empty space.
     *
     * @param size bytes: 256, or 4096 with extended space
     */
    public ConfigSpace(int size) {
        reset = new byte[size];
        value = new byte[size];
        writable = new byte[size];
        clearedByOne = new byte[size];
    }

    /** Bytes. */
    public int size() {
        return value.length;
    }

    /** Defines a register that cannot be written. */
    public void define(int offset, int width, long resetValue) {
        define(offset, width, resetValue, 0, 0);
    }

    /** Defines a register of which some bits can be written. */
    public void define(int offset, int width, long resetValue, long writableBits) {
        define(offset, width, resetValue, writableBits, 0);
    }

    /**
     * Defines a register.
     *
     * @param width bytes
     * @param resetValue what it holds after a reset
     * @param writableBits bits that take what is written
     * @param clearedByOneBits bits that writing one clears
     */
    public void define(
            int offset, int width, long resetValue, long writableBits, long clearedByOneBits) {
        for (int i = 0; i < width; i++) {
            reset[offset + i] = (byte) (resetValue >>> (8 * i));
            writable[offset + i] = (byte) (writableBits >>> (8 * i));
            clearedByOne[offset + i] = (byte) (clearedByOneBits >>> (8 * i));
            value[offset + i] = reset[offset + i];
        }
    }

    /** Takes all registers to their reset values. */
    public void reset() {
        System.arraycopy(reset, 0, value, 0, value.length);
    }

    /** What a register holds, up to 4 bytes, zero extended. */
    public int get(int offset, int width) {
        int result = 0;
        for (int i = width - 1; i >= 0; i--) {
            result = result << 8 | (value[offset + i] & 0xff);
        }
        return result;
    }

    /** Puts a value into a register as the device does: regardless of what can be written. */
    public void set(int offset, int width, int newValue) {
        for (int i = 0; i < width; i++) {
            value[offset + i] = (byte) (newValue >>> (8 * i));
        }
    }

    /** Reads any number of bytes. */
    public void read(int offset, MemorySegment into, long at, int length) {
        MemorySegment.copy(value, offset, into, ValueLayout.JAVA_BYTE, at, length);
    }

    /** Writes any number of bytes, as the bus does: masks apply. */
    public void write(int offset, MemorySegment from, long at, int length) {
        for (int i = 0; i < length; i++) {
            int written = from.get(ValueLayout.JAVA_BYTE, at + i);
            int mask = writable[offset + i];
            int cleared = clearedByOne[offset + i] & written;
            int kept = value[offset + i] & ~mask;
            value[offset + i] = (byte) ((kept | (written & mask)) & ~cleared);
        }
    }
}
