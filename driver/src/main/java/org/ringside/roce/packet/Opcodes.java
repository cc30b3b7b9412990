package org.ringside.roce.packet;

/** The rows of {@link Opcode}'s table that a sender picks by name. */
public final class Opcodes {
    /** READ request. */
    public static final Opcode READ_REQUEST = Opcode.require(0x0c);

    /** ACK or NAK. */
    public static final Opcode ACKNOWLEDGE = Opcode.require(0x11);

    /** Answer to an atomic. */
    public static final Opcode ATOMIC_ACKNOWLEDGE = Opcode.require(0x12);

    /** Compare and swap. */
    public static final Opcode COMPARE_SWAP = Opcode.require(0x13);

    /** Fetch and add. */
    public static final Opcode FETCH_ADD = Opcode.require(0x14);

    /** Congestion notification. */
    public static final Opcode CNP = Opcode.require(0x81);

    private static final Opcode[] SENDS = rows(0x00, 0x01, 0x02, 0x04, 0x03, 0x05, 0x16, 0x17);
    private static final Opcode[] WRITES = rows(0x06, 0x07, 0x08, 0x0a, 0x09, 0x0b);
    private static final Opcode[] UC_SENDS = rows(0x20, 0x21, 0x22, 0x24, 0x23, 0x25);
    private static final Opcode[] UC_WRITES = rows(0x26, 0x27, 0x28, 0x2a, 0x29, 0x2b);
    private static final Opcode[] UD_SENDS = rows(0x64, 0x65);
    private static final Opcode[] RESPONSES = rows(0x0d, 0x0e, 0x0f, 0x10);

    private Opcodes() {}

    private static Opcode[] rows(int... codes) {
        Opcode[] rows = new Opcode[codes.length];
        for (int i = 0; i < codes.length; i++) {
            rows[i] = Opcode.require(codes[i]);
        }
        return rows;
    }

    /** SEND packet of a connected service, without regard to immediate data or invalidation. */
    public static Opcode send(Service service, Place place) {
        return (service == Service.UC ? UC_SENDS : SENDS)[place.ordinal()];
    }

    /** WRITE packet of a connected service. */
    public static Opcode write(Service service, Place place) {
        return (service == Service.UC ? UC_WRITES : WRITES)[place.ordinal()];
    }

    /** Last or only SEND packet with immediate data. */
    public static Opcode sendImmediate(Service service, boolean only) {
        return (service == Service.UC ? UC_SENDS : SENDS)[only ? 5 : 4];
    }

    /** Last or only WRITE packet with immediate data. */
    public static Opcode writeImmediate(Service service, boolean only) {
        return (service == Service.UC ? UC_WRITES : WRITES)[only ? 5 : 4];
    }

    /** Last or only SEND packet of RC that invalidates a key. */
    public static Opcode sendInvalidate(boolean only) {
        return SENDS[only ? 7 : 6];
    }

    /** Datagram. */
    public static Opcode datagram(boolean immediate) {
        return UD_SENDS[immediate ? 1 : 0];
    }

    /** READ response packet. */
    public static Opcode readResponse(Place place) {
        return RESPONSES[place.ordinal()];
    }
}
