package org.ringside.roce.packet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ringside.verbs.Gid;

/**
 * Writes one packet into a frame: begin, headers, payload, seal.
 *
 * <pre>{@code
 * writer.begin(frame, flow, opcode, qpn, psn, ackRequest, solicited);
 * writer.rdma(address, rkey, length);
 * fill(frame.memory(), writer.payload(), bytes);
 * writer.seal(bytes);
 * }</pre>
 *
 * <p>One per thread. A header method must only be called for an opcode that has the header.
 */
public final class PacketWriter {
    private static final int FULL_MEMBER_PKEY = 0xffff;

    /** What it stands at before the first packet. */
    private static final Flow NO_FLOW =
            new Flow(0, 0, Ethernet.NO_VLAN, Gid.NONE, Gid.NONE, 0, 0, 0, 0);

    private final Icrc icrc = new Icrc();
    private Frame frame = Packet.NO_FRAME;
    private Flow flow = NO_FLOW;
    private Opcode opcode = Opcodes.ACKNOWLEDGE;
    private int bth;
    private int pkey = FULL_MEMBER_PKEY;

    /** P_Key of the packets from now on; that of full members of the default partition at first. */
    public void pkey(int value) {
        pkey = value;
    }

    /** Starts a packet: its BTH, whose pad and the lengths above it come with {@link #seal}. */
    public void begin(
            Frame into,
            Flow along,
            Opcode what,
            int destinationQp,
            int psn,
            boolean ackRequest,
            boolean solicited) {
        frame = into;
        flow = along;
        opcode = what;
        bth = along.bth();
        int flags = Bth.MIGRATED | (solicited ? Bth.SOLICITED : 0);
        Bth.write(into.bytes(), bth, what.code(), flags, pkey, destinationQp, ackRequest, psn);
    }

    /** RETH. */
    public void rdma(long address, int rkey, long length) {
        Reth.write(frame.bytes(), bth + opcode.reth(), address, rkey, length);
    }

    /** AtomicETH. */
    public void atomic(long address, int rkey, long swapOrAdd, long compare) {
        AtomicEth.write(frame.bytes(), bth + opcode.atomicEth(), address, rkey, swapOrAdd, compare);
    }

    /** AETH. */
    public void acknowledge(int syndrome, int msn) {
        Aeth.write(frame.bytes(), bth + opcode.aeth(), syndrome, msn);
    }

    /** AtomicAckETH. */
    public void original(long value) {
        frame.bytes().putLong(bth + opcode.atomicAckEth(), value);
    }

    /** DETH. */
    public void datagram(int qkey, int sourceQp) {
        Deth.write(frame.bytes(), bth + opcode.deth(), qkey, sourceQp);
    }

    /** Immediate data, as it shall stand on the wire. */
    public void immediate(int value) {
        frame.bytes().putInt(bth + opcode.immediate(), value);
    }

    /** IETH: R_Key to invalidate. */
    public void invalidate(int rkey) {
        frame.bytes().putInt(bth + opcode.ieth(), rkey);
    }

    /** Marks the packet as a congestion notification does. */
    public void backwardCongestion() {
        Bth.becn(frame.bytes(), bth);
    }

    /** Offset in the frame at which payload goes. */
    public int payload() {
        return bth + opcode.payload();
    }

    /**
     * Ends the packet: pad, lengths, checksum and ICRC. The frame is ready for the wire.
     *
     * @param payloadLength bytes that were written at {@link #payload()}
     */
    public void seal(int payloadLength) {
        ByteBuffer bytes = frame.bytes();
        int end = payload() + payloadLength;
        int pad = -payloadLength & 3;
        for (int i = 0; i < pad; i++) {
            bytes.put(end + i, (byte) 0);
        }
        Bth.pad(bytes, bth, pad);
        end += pad;
        frame.length(end + Icrc.SIZE);
        flow.write(frame, end + Icrc.SIZE);
        icrc.seal(frame, flow.ip(), bth, end);
    }

    /** Ends a packet with payload that lies somewhere else. */
    public void seal(MemorySegment from, long offset, int payloadLength) {
        MemorySegment.copy(from, offset, frame.memory(), payload(), payloadLength);
        seal(payloadLength);
    }
}
