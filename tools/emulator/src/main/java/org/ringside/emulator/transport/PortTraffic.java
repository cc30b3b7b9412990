package org.ringside.emulator.transport;

/**
 * Packets that passed a port, and their octets with the headers and checks of InfiniBand's link
 * (LRH, BTH, ICRC and VCRC, IBTA 7.7, 9.2, 7.8). Messages move at once here; they count as what
 * they would have been on a link.
 */
public final class PortTraffic {
    /** LRH 8, BTH 12, ICRC 4, VCRC 2. */
    static final int PACKET = 26;

    static final int RETH = 16;
    static final int ATOMIC_ETH = 28;
    static final int AETH = 4;
    static final int ATOMIC_ACK_ETH = 8;

    /** ImmDt, or IETH. */
    static final int IMMEDIATE = 4;

    static final int DETH = 8;
    static final int GRH = 40;

    private long sentPackets;
    private long sentOctets;
    private long receivedPackets;
    private long receivedOctets;

    /** Something goes out, and comes in at a peer's port. */
    void send(PortTraffic to, long packets, long octets) {
        sent(packets, octets);
        to.received(packets, octets);
    }

    /** Something comes in, of whomever. */
    void received(long packets, long octets) {
        receivedPackets += packets;
        receivedOctets += octets;
    }

    /** Something goes out that nobody takes. */
    void sent(long packets, long octets) {
        sentPackets += packets;
        sentOctets += octets;
    }

    public long sentPackets() {
        return sentPackets;
    }

    public long sentOctets() {
        return sentOctets;
    }

    public long receivedPackets() {
        return receivedPackets;
    }

    public long receivedOctets() {
        return receivedOctets;
    }

    /** All from 0. */
    public void clear() {
        sentPackets = 0;
        sentOctets = 0;
        receivedPackets = 0;
        receivedOctets = 0;
    }
}
