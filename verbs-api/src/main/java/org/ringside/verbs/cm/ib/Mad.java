package org.ringside.verbs.cm.ib;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A management datagram of class communication management (IBTA 13.4.3, 12.6).
 *
 * <pre>
 *   0  base version  1  class  2  class version  3  method      4  status
 *   8  transaction id                                          16  attribute  20  modifier
 *  24  the message, 232 bytes
 * </pre>
 */
final class Mad {
    static final int SIZE = 256;

    /** Where the message begins; offsets in messages count from there. */
    static final int BODY = 24;

    static final int REQ = 0x10;
    static final int MRA = 0x11;
    static final int REJ = 0x12;
    static final int REP = 0x13;
    static final int RTU = 0x14;
    static final int DREQ = 0x15;
    static final int DREP = 0x16;
    static final int SIDR_REQ = 0x17;
    static final int SIDR_REP = 0x18;

    private static final int BASE_VERSION = 1;
    private static final int CLASS_CM = 0x07;
    private static final int CLASS_VERSION = 2;
    private static final int METHOD_SEND = 3;
    private static final int CLASS = 1;
    private static final int VERSION = 2;
    private static final int METHOD = 3;
    private static final int TRANSACTION = 8;
    private static final int ATTRIBUTE = 16;
    private static final int BYTE = 0xff;
    private static final int THREE_BYTES = 0xff_ffff;

    private final ByteBuffer bytes;

    private Mad(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    /** An empty message. */
    static Mad of(int attribute, long transaction) {
        Mad mad = new Mad(new byte[SIZE]);
        mad.bytes.put(0, (byte) BASE_VERSION);
        mad.bytes.put(CLASS, (byte) CLASS_CM);
        mad.bytes.put(VERSION, (byte) CLASS_VERSION);
        mad.bytes.put(METHOD, (byte) METHOD_SEND);
        mad.bytes.putLong(TRANSACTION, transaction);
        mad.bytes.putShort(ATTRIBUTE, (short) attribute);
        return mad;
    }

    /** One that came; it keeps the array. */
    static Mad received(byte[] bytes) {
        return new Mad(bytes);
    }

    /** Whether it is of this class, in the version that is spoken here. */
    boolean isOfConnectionManager() {
        return bytes.get(0) == BASE_VERSION
                && bytes.get(CLASS) == CLASS_CM
                && bytes.get(VERSION) == CLASS_VERSION
                && bytes.get(METHOD) == METHOD_SEND;
    }

    int attribute() {
        return bytes.getShort(ATTRIBUTE) & 0xffff;
    }

    /** Answers carry that of the request. */
    long transaction() {
        return bytes.getLong(TRANSACTION);
    }

    byte[] array() {
        return bytes.array();
    }

    // ---- fields of the message: n bytes at an offset, big endian

    int u8(int at) {
        return bytes.get(BODY + at) & BYTE;
    }

    int u16(int at) {
        return bytes.getShort(BODY + at) & 0xffff;
    }

    /** Three bytes. */
    int u24(int at) {
        return bytes.getInt(BODY + at) >>> 8;
    }

    int u32(int at) {
        return bytes.getInt(BODY + at);
    }

    long u64(int at) {
        return bytes.getLong(BODY + at);
    }

    Mad u8(int at, int value) {
        bytes.put(BODY + at, (byte) value);
        return this;
    }

    Mad u16(int at, int value) {
        bytes.putShort(BODY + at, (short) value);
        return this;
    }

    /** Three bytes; the one behind them stays. */
    Mad u24(int at, int value) {
        bytes.putInt(BODY + at, (value & THREE_BYTES) << 8 | u8(at + 3));
        return this;
    }

    Mad u32(int at, int value) {
        bytes.putInt(BODY + at, value);
        return this;
    }

    Mad u64(int at, long value) {
        bytes.putLong(BODY + at, value);
        return this;
    }

    byte[] data(int at, int length) {
        return Arrays.copyOfRange(bytes.array(), BODY + at, BODY + at + length);
    }

    /** Writes private data, the rest of the message stays zero. */
    Mad data(int at, byte[] data) {
        bytes.put(BODY + at, data);
        return this;
    }

    /** The sender's communication id: the first field of all messages but those of SIDR. */
    int localId() {
        return u32(0);
    }

    /** The receiver's communication id, 0 in REQ; the second field of all but those of SIDR. */
    int remoteId() {
        return u32(4);
    }

    /** A message that is no more than two ids: RTU, DREP, and the beginning of others. */
    static Mad ids(int attribute, long transaction, int localId, int remoteId) {
        return of(attribute, transaction).u32(0, localId).u32(4, remoteId);
    }
}
