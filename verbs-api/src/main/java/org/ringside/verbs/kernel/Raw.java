package org.ringside.verbs.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * Memory by its address, as C has it: structures that libibverbs owns, and those that it is given.
 * Nothing is checked and nothing allocated.
 */
final class Raw {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Raw() {}

    static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    static short getShort(long address) {
        return ALL.get(JAVA_SHORT, address);
    }

    static int getInt(long address) {
        return ALL.get(JAVA_INT, address);
    }

    static long getLong(long address) {
        return ALL.get(JAVA_LONG, address);
    }

    static void putByte(long address, int value) {
        ALL.set(JAVA_BYTE, address, (byte) value);
    }

    static void putShort(long address, int value) {
        ALL.set(JAVA_SHORT, address, (short) value);
    }

    static void putInt(long address, int value) {
        ALL.set(JAVA_INT, address, value);
    }

    static void putLong(long address, long value) {
        ALL.set(JAVA_LONG, address, value);
    }

    /** Copies into native memory. */
    static void copy(MemorySegment from, long offset, long to, long length) {
        MemorySegment.copy(from, offset, ALL, to, length);
    }

    /** A C string in a field of some size. */
    static String getString(long address, int size) {
        return MemorySegment.ofAddress(address).reinterpret(size).getString(0);
    }

    /** A function by its address in a field. */
    static MemorySegment function(long field) {
        return MemorySegment.ofAddress(getLong(field));
    }
}
