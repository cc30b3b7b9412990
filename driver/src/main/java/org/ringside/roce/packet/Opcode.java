package org.ringside.roce.packet;

import static org.ringside.roce.packet.Place.FIRST;
import static org.ringside.roce.packet.Place.LAST;
import static org.ringside.roce.packet.Place.MIDDLE;
import static org.ringside.roce.packet.Place.ONLY;

import org.jspecify.annotations.Nullable;

/**
 * One row of the opcode table (IBTA table 35, A17.9.3): what a packet is, and where its extension
 * headers lie. There is one object per opcode.
 *
 * <p>Offsets count from the first byte of the BTH; {@link #NONE} where there is no such header. The
 * order on the wire is that of the fields here.
 */
public final class Opcode {
    /** Offset of a header that the packet does not have. */
    public static final int NONE = -1;

    private static final int DETH = 1;
    private static final int RETH = 1 << 1;
    private static final int ATOMIC_ETH = 1 << 2;
    private static final int AETH = 1 << 3;
    private static final int ATOMIC_ACK_ETH = 1 << 4;
    private static final int IMMEDIATE = 1 << 5;
    private static final int IETH = 1 << 6;
    private static final int NO_HEADERS = 0;

    /** First code of each service. */
    private static final int RC = 0x00;

    private static final int UC = 0x20;
    private static final int UD = 0x60;

    private static final @Nullable Opcode[] TABLE = new @Nullable Opcode[256];

    static {
        for (int service : new int[] {RC, UC}) {
            row(service, 0x00, "SEND_FIRST", Operation.SEND, FIRST, NO_HEADERS);
            row(service, 0x01, "SEND_MIDDLE", Operation.SEND, MIDDLE, NO_HEADERS);
            row(service, 0x02, "SEND_LAST", Operation.SEND, LAST, NO_HEADERS);
            row(service, 0x03, "SEND_LAST_IMM", Operation.SEND, LAST, IMMEDIATE);
            row(service, 0x04, "SEND_ONLY", Operation.SEND, ONLY, NO_HEADERS);
            row(service, 0x05, "SEND_ONLY_IMM", Operation.SEND, ONLY, IMMEDIATE);
            row(service, 0x06, "WRITE_FIRST", Operation.WRITE, FIRST, RETH);
            row(service, 0x07, "WRITE_MIDDLE", Operation.WRITE, MIDDLE, NO_HEADERS);
            row(service, 0x08, "WRITE_LAST", Operation.WRITE, LAST, NO_HEADERS);
            row(service, 0x09, "WRITE_LAST_IMM", Operation.WRITE, LAST, IMMEDIATE);
            row(service, 0x0a, "WRITE_ONLY", Operation.WRITE, ONLY, RETH);
            row(service, 0x0b, "WRITE_ONLY_IMM", Operation.WRITE, ONLY, RETH | IMMEDIATE);
        }
        row(RC, 0x0c, "READ_REQUEST", Operation.READ_REQUEST, ONLY, RETH);
        row(RC, 0x0d, "READ_RESPONSE_FIRST", Operation.READ_RESPONSE, FIRST, AETH);
        row(RC, 0x0e, "READ_RESPONSE_MIDDLE", Operation.READ_RESPONSE, MIDDLE, NO_HEADERS);
        row(RC, 0x0f, "READ_RESPONSE_LAST", Operation.READ_RESPONSE, LAST, AETH);
        row(RC, 0x10, "READ_RESPONSE_ONLY", Operation.READ_RESPONSE, ONLY, AETH);
        row(RC, 0x11, "ACKNOWLEDGE", Operation.ACKNOWLEDGE, ONLY, AETH);
        row(
                RC,
                0x12,
                "ATOMIC_ACKNOWLEDGE",
                Operation.ATOMIC_ACKNOWLEDGE,
                ONLY,
                AETH | ATOMIC_ACK_ETH);
        row(RC, 0x13, "COMPARE_SWAP", Operation.COMPARE_SWAP, ONLY, ATOMIC_ETH);
        row(RC, 0x14, "FETCH_ADD", Operation.FETCH_ADD, ONLY, ATOMIC_ETH);
        row(RC, 0x16, "SEND_LAST_INVALIDATE", Operation.SEND, LAST, IETH);
        row(RC, 0x17, "SEND_ONLY_INVALIDATE", Operation.SEND, ONLY, IETH);
        row(UD, 0x04, "SEND_ONLY", Operation.SEND, ONLY, DETH);
        row(UD, 0x05, "SEND_ONLY_IMM", Operation.SEND, ONLY, DETH | IMMEDIATE);
        row(0x80, 0x01, "CNP", Operation.CONGESTION_NOTIFICATION, ONLY, NO_HEADERS);
    }

    private final int code;
    private final String name;
    private final Service service;
    private final Operation operation;
    private final Place place;
    private final int deth;
    private final int reth;
    private final int atomicEth;
    private final int aeth;
    private final int atomicAckEth;
    private final int immediate;
    private final int ieth;
    private final int payload;

    private Opcode(
            int code, String name, Service service, Operation operation, Place place, int headers) {
        this.code = code;
        this.name = name;
        this.service = service;
        this.operation = operation;
        this.place = place;
        int at = Bth.SIZE;
        deth = (headers & DETH) == 0 ? NONE : at;
        at += (headers & DETH) == 0 ? 0 : Deth.SIZE;
        reth = (headers & RETH) == 0 ? NONE : at;
        at += (headers & RETH) == 0 ? 0 : Reth.SIZE;
        atomicEth = (headers & ATOMIC_ETH) == 0 ? NONE : at;
        at += (headers & ATOMIC_ETH) == 0 ? 0 : AtomicEth.SIZE;
        aeth = (headers & AETH) == 0 ? NONE : at;
        at += (headers & AETH) == 0 ? 0 : Aeth.SIZE;
        atomicAckEth = (headers & ATOMIC_ACK_ETH) == 0 ? NONE : at;
        at += (headers & ATOMIC_ACK_ETH) == 0 ? 0 : Long.BYTES;
        immediate = (headers & IMMEDIATE) == 0 ? NONE : at;
        at += (headers & IMMEDIATE) == 0 ? 0 : Integer.BYTES;
        ieth = (headers & IETH) == 0 ? NONE : at;
        at += (headers & IETH) == 0 ? 0 : Integer.BYTES;
        payload = at;
    }

    private static void row(
            int base, int code, String name, Operation operation, Place place, int headers) {
        Service service =
                switch (base) {
                    case RC -> Service.RC;
                    case UC -> Service.UC;
                    case UD -> Service.UD;
                    default -> Service.CNP;
                };
        TABLE[base + code] = new Opcode(base + code, name, service, operation, place, headers);
    }

    /** The row of a code; null when the table has none. */
    public static @Nullable Opcode of(int code) {
        return TABLE[code & 0xff];
    }

    /**
     * A row that must exist.
     *
     * @throws IllegalArgumentException when it does not
     */
    public static Opcode require(int code) {
        Opcode opcode = TABLE[code & 0xff];
        if (opcode == null) {
            throw new IllegalArgumentException("no opcode 0x" + Integer.toHexString(code));
        }
        return opcode;
    }

    /** The byte on the wire. */
    public int code() {
        return code;
    }

    public Service service() {
        return service;
    }

    public Operation operation() {
        return operation;
    }

    public Place place() {
        return place;
    }

    /** Offset of the datagram header. */
    public int deth() {
        return deth;
    }

    /** Offset of the RDMA header. */
    public int reth() {
        return reth;
    }

    /** Offset of the atomic header. */
    public int atomicEth() {
        return atomicEth;
    }

    /** Offset of the ACK header. */
    public int aeth() {
        return aeth;
    }

    /** Offset of the original value that an atomic found, 8 bytes. */
    public int atomicAckEth() {
        return atomicAckEth;
    }

    /** Offset of immediate data, 4 bytes. */
    public int immediate() {
        return immediate;
    }

    /** Offset of the R_Key to invalidate, 4 bytes. */
    public int ieth() {
        return ieth;
    }

    /** Offset of the payload: the length of BTH and extension headers. */
    public int payload() {
        return payload;
    }

    public boolean hasImmediate() {
        return immediate != NONE;
    }

    public boolean hasInvalidate() {
        return ieth != NONE;
    }

    /** Whether the packet may carry payload. */
    public boolean carriesPayload() {
        return switch (operation) {
            case SEND, WRITE, READ_RESPONSE, CONGESTION_NOTIFICATION -> true;
            default -> false;
        };
    }

    @Override
    public String toString() {
        return service == Service.CNP ? name : service + "_" + name;
    }
}
