package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A management datagram of 256 bytes: the common header, and the data of an SMP (IBTA 13.4, 14.2).
 */
final class Smp {
    static final int BYTES = 256;
    static final int CLASS_LID_ROUTED = 0x01;
    static final int CLASS_DIRECTED_ROUTE = 0x81;
    static final int GET = 0x01;
    static final int GET_RESPONSE = 0x81;
    static final int STATUS_BAD_METHOD = 0x8;
    static final int STATUS_BAD_ATTRIBUTE = 0xc;
    static final int NODE_DESCRIPTION = 0x10;
    static final int NODE_INFO = 0x11;
    static final int GUID_INFO = 0x14;
    static final int PORT_INFO = 0x15;
    static final int PKEY_TABLE = 0x16;

    private static final int CLASS = 1;
    private static final int METHOD = 3;
    private static final int STATUS = 4;
    private static final int ATTRIBUTE = 16;
    private static final int MODIFIER = 20;
    private static final int DATA = 64;
    private static final int DATA_BYTES = 64;

    /** D bit of a directed route response, in place of the highest bit of the status. */
    private static final int DIRECTION = 0x8000;

    private static final ValueLayout.OfShort BE16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt BE32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment mad;

    /**
     * @param mad 256 bytes
     */
    Smp(MemorySegment mad) {
        this.mad = mad;
    }

    int managementClass() {
        return mad.get(ValueLayout.JAVA_BYTE, CLASS) & 0xff;
    }

    int method() {
        return mad.get(ValueLayout.JAVA_BYTE, METHOD) & 0xff;
    }

    int attribute() {
        return mad.get(BE16, ATTRIBUTE) & 0xffff;
    }

    int modifier() {
        return mad.get(BE32, MODIFIER);
    }

    /** Makes it the answer to itself. */
    void answer(int status) {
        mad.set(ValueLayout.JAVA_BYTE, METHOD, (byte) GET_RESPONSE);
        int direction = managementClass() == CLASS_DIRECTED_ROUTE ? DIRECTION : 0;
        mad.set(BE16, STATUS, (short) (status | direction));
    }

    void clearData() {
        mad.asSlice(DATA, DATA_BYTES).fill((byte) 0);
    }

    void put8(int at, int value) {
        mad.set(ValueLayout.JAVA_BYTE, DATA + (long) at, (byte) value);
    }

    void put16(int at, int value) {
        mad.set(BE16, DATA + (long) at, (short) value);
    }

    void put32(int at, int value) {
        mad.set(BE32, DATA + (long) at, value);
    }

    void put64(int at, long value) {
        Bits.big64(mad, DATA + (long) at, value);
    }
}
