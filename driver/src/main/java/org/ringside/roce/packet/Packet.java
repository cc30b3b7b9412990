package org.ringside.roce.packet;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.ringside.verbs.Gid;

/**
 * A view of a frame as a RoCEv2 packet. {@link #parse} moves it to a frame and checks all that can
 * be checked without knowing the QP; the accessors then read fields where they lie.
 *
 * <p>The order of the checks makes each read safe: no field is read before the frame is known to be
 * long enough for it.
 */
public final class Packet {
    private static final int FRAGMENT_BITS = 0x3fff;

    /** What it looks at before the first frame. */
    static final Frame NO_FRAME = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, Long.BYTES));

    private Frame frame = NO_FRAME;
    private ByteBuffer bytes = NO_FRAME.bytes();
    private Opcode opcode = Opcodes.ACKNOWLEDGE;
    private boolean v6;
    private int ip;
    private int bth;
    private int payload;
    private int payloadLength;
    private int icrc;

    /** Looks at a frame; the accessors are valid only after {@link Verdict#ROCE}. */
    public Verdict parse(Frame received) {
        frame = received;
        bytes = received.bytes();
        int length = received.length();
        if (length < Ethernet.SIZE + Ethernet.TAG_SIZE) {
            return Verdict.TRUNCATED;
        }
        ip = Ethernet.size(bytes);
        int type = Ethernet.etherType(bytes);
        if (type != Ethernet.IPV4 && type != Ethernet.IPV6) {
            return Verdict.NOT_ROCE;
        }
        v6 = type == Ethernet.IPV6;
        Verdict verdict = v6 ? ipv6(length) : ipv4(length);
        return verdict == Verdict.ROCE ? transport() : verdict;
    }

    private Verdict ipv4(int length) {
        if (length < ip + Ip.V4_SIZE + Udp.SIZE) {
            return Verdict.TRUNCATED;
        }
        if (bytes.get(ip + Ip.V4_PROTOCOL) != Ip.UDP) {
            return Verdict.NOT_ROCE;
        }
        if (bytes.get(ip) != Ip.V4_VERSION_IHL) {
            return Verdict.BAD_IP_HEADER;
        }
        bth = ip + Ip.V4_SIZE + Udp.SIZE;
        if (Udp.destinationPort(bytes, bth - Udp.SIZE) != Udp.ROCE_PORT) {
            return Verdict.NOT_ROCE;
        }
        if ((bytes.getShort(ip + Ip.V4_FRAGMENT) & FRAGMENT_BITS) != 0) {
            return Verdict.FRAGMENT;
        }
        return lengths(length, (bytes.getShort(ip + Ip.V4_LENGTH) & 0xffff) - Ip.V4_SIZE);
    }

    private Verdict ipv6(int length) {
        if (length < ip + Ip.V6_SIZE + Udp.SIZE) {
            return Verdict.TRUNCATED;
        }
        if (bytes.get(ip + Ip.V6_NEXT) != Ip.UDP) {
            return Verdict.NOT_ROCE;
        }
        if ((bytes.get(ip) >> 4 & 15) != 6) {
            return Verdict.BAD_IP_HEADER;
        }
        bth = ip + Ip.V6_SIZE + Udp.SIZE;
        if (Udp.destinationPort(bytes, bth - Udp.SIZE) != Udp.ROCE_PORT) {
            return Verdict.NOT_ROCE;
        }
        return lengths(length, bytes.getShort(ip + Ip.V6_LENGTH) & 0xffff);
    }

    /** The frame may be longer, filled up to Ethernet's minimum; never shorter. */
    private Verdict lengths(int length, int datagram) {
        int udp = bth - Udp.SIZE;
        if (datagram != Udp.length(bytes, udp) || udp + datagram > length) {
            return Verdict.BAD_LENGTH;
        }
        if (datagram < Udp.SIZE + Bth.SIZE + Icrc.SIZE) {
            return Verdict.TRUNCATED;
        }
        icrc = udp + datagram - Icrc.SIZE;
        return Verdict.ROCE;
    }

    private Verdict transport() {
        if (Bth.version(bytes, bth) != 0) {
            return Verdict.BAD_TRANSPORT_VERSION;
        }
        Opcode known = Opcode.of(Bth.opcode(bytes, bth));
        if (known == null) {
            return Verdict.UNKNOWN_OPCODE;
        }
        opcode = known;
        payload = bth + known.payload();
        if (payload > icrc) {
            return Verdict.TRUNCATED;
        }
        int pad = Bth.pad(bytes, bth);
        payloadLength = icrc - payload - pad;
        if (payloadLength < 0 || (icrc - payload & 3) != 0) {
            return Verdict.BAD_PAD;
        }
        return Verdict.ROCE;
    }

    public Frame frame() {
        return frame;
    }

    public Opcode opcode() {
        return opcode;
    }

    public boolean isV6() {
        return v6;
    }

    /** Offset of the IP header. */
    public int ip() {
        return ip;
    }

    /** Offset of the BTH. */
    public int bth() {
        return bth;
    }

    /** Offset of the payload. */
    public int payload() {
        return payload;
    }

    /** Bytes of payload, without pad. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Offset of the ICRC. */
    public int icrc() {
        return icrc;
    }

    /** DSCP and ECN. */
    public int trafficClass() {
        return Ip.trafficClass(bytes, ip, v6);
    }

    /** Whether a switch marked it "congestion experienced". */
    public boolean isCongestionMarked() {
        return (trafficClass() & 3) == Ip.CONGESTION_EXPERIENCED;
    }

    public int sourcePort() {
        return Udp.sourcePort(bytes, bth - Udp.SIZE);
    }

    /** Upper half of the source address as a GID. */
    public long sourceHigh() {
        return v6 ? bytes.getLong(ip + Ip.V6_SOURCE) : 0;
    }

    /** Lower half of the source address as a GID. */
    public long sourceLow() {
        return v6 ? bytes.getLong(ip + Ip.V6_SOURCE + 8) : mapped(bytes.getInt(ip + Ip.V4_SOURCE));
    }

    /** Upper half of the destination address as a GID. */
    public long destinationHigh() {
        return v6 ? bytes.getLong(ip + Ip.V6_DESTINATION) : 0;
    }

    /** Lower half of the destination address as a GID. */
    public long destinationLow() {
        return v6
                ? bytes.getLong(ip + Ip.V6_DESTINATION + 8)
                : mapped(bytes.getInt(ip + Ip.V4_DESTINATION));
    }

    private static long mapped(int address) {
        return 0xffff_0000_0000L | Integer.toUnsignedLong(address);
    }

    /** The BTH's P_Key. */
    public int pkey() {
        return Bth.pkey(bytes, bth);
    }

    /** The QP it is for, 24 bits. */
    public int destinationQp() {
        return Bth.destinationQp(bytes, bth);
    }

    /** 24 bits. */
    public int psn() {
        return Bth.psn(bytes, bth);
    }

    /** Bit A. */
    public boolean ackRequest() {
        return Bth.ackRequest(bytes, bth);
    }

    /** Bit SE. */
    public boolean solicited() {
        return Bth.solicited(bytes, bth);
    }

    /** Bit BECN. */
    public boolean backwardCongestion() {
        return Bth.becnOf(bytes, bth);
    }

    /** Address of a RETH or AtomicETH. */
    public long address() {
        return opcode.reth() != Opcode.NONE
                ? Reth.address(bytes, bth + opcode.reth())
                : AtomicEth.address(bytes, bth + opcode.atomicEth());
    }

    /** R_Key of a RETH or AtomicETH. */
    public int rkey() {
        return opcode.reth() != Opcode.NONE
                ? Reth.rkey(bytes, bth + opcode.reth())
                : AtomicEth.rkey(bytes, bth + opcode.atomicEth());
    }

    /** Length of a RETH, unsigned. */
    public long rdmaLength() {
        return Reth.length(bytes, bth + opcode.reth());
    }

    /** Swap value or addend of an AtomicETH. */
    public long swapOrAdd() {
        return AtomicEth.swapOrAdd(bytes, bth + opcode.atomicEth());
    }

    /** Compare value of an AtomicETH. */
    public long compare() {
        return AtomicEth.compare(bytes, bth + opcode.atomicEth());
    }

    /** Syndrome of an AETH. */
    public int syndrome() {
        return Aeth.syndrome(bytes, bth + opcode.aeth());
    }

    /** Message sequence number of an AETH. */
    public int msn() {
        return Aeth.msn(bytes, bth + opcode.aeth());
    }

    /** Original value of an AtomicAckETH. */
    public long original() {
        return bytes.getLong(bth + opcode.atomicAckEth());
    }

    /** Immediate data as it stands on the wire. */
    public int immediate() {
        return bytes.getInt(bth + opcode.immediate());
    }

    /** R_Key of an IETH. */
    public int invalidatedKey() {
        return bytes.getInt(bth + opcode.ieth());
    }

    /** Q_Key of a DETH. */
    public int qkey() {
        return Deth.qkey(bytes, bth + opcode.deth());
    }

    /** Source QPN of a DETH. */
    public int sourceQp() {
        return Deth.sourceQp(bytes, bth + opcode.deth());
    }

    /** All headers in one line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(opcode)
                .append(" qp 0x%x psn 0x%x".formatted(destinationQp(), psn()))
                .append(ackRequest() ? " A" : "")
                .append(solicited() ? " SE" : "")
                .append(backwardCongestion() ? " BECN" : "");
        if (opcode.reth() != Opcode.NONE) {
            text.append(" va 0x%x rkey 0x%x len %d".formatted(address(), rkey(), rdmaLength()));
        }
        if (opcode.atomicEth() != Opcode.NONE) {
            text.append(
                    " va 0x%x rkey 0x%x swap/add 0x%x compare 0x%x"
                            .formatted(address(), rkey(), swapOrAdd(), compare()));
        }
        if (opcode.aeth() != Opcode.NONE) {
            text.append(" %s msn %d".formatted(Syndrome.describe(syndrome()), msn()));
        }
        if (opcode.atomicAckEth() != Opcode.NONE) {
            text.append(" original 0x%x".formatted(original()));
        }
        if (opcode.deth() != Opcode.NONE) {
            text.append(" qkey 0x%x from qp 0x%x".formatted(qkey(), sourceQp()));
        }
        if (opcode.hasImmediate()) {
            text.append(" imm 0x%x".formatted(immediate()));
        }
        if (opcode.hasInvalidate()) {
            text.append(" invalidate 0x%x".formatted(invalidatedKey()));
        }
        Gid source = new Gid(sourceHigh(), sourceLow());
        Gid destination = new Gid(destinationHigh(), destinationLow());
        return text.append(" payload %d, %s -> %s".formatted(payloadLength, source, destination))
                .toString();
    }
}
