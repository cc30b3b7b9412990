package org.ringside.ethernet;

import org.ringside.roce.Link;
import org.ringside.roce.wire.FrameReceiver;

/**
 * A port of an Ethernet NIC that is up and running. Frames go out as by any {@link Link}; they come
 * in by {@link #poll}.
 *
 * <p>Threading: one thread, the agent's, calls all methods; {@link #isLost} and {@link #close} may
 * come from another once the agent has ended.
 */
public interface EthernetPort extends Link, AutoCloseable {
    /** Of a port that has no limit of its own: what RoCEv2 asks for with a path MTU of 4096. */
    int MAX_MTU = 4200;

    /** What it is, for people: driver, PCI address. */
    String description();

    /** The port's own address, low 48 bits. */
    long mac();

    /** Bytes of the longest IP packet that it sends and receives. */
    int mtu();

    /** Whether the cable or the switch behind it is there, as the NIC says now. */
    boolean isUp();

    /** Whether the NIC died or was taken away: it neither sends nor receives any more. */
    boolean isLost();

    /**
     * Hands on the frames that have come, and takes back those that were sent.
     *
     * @return frames received
     */
    int poll(FrameReceiver receiver, long now);

    /** Stops the NIC: no DMA afterwards. Twice is harmless. */
    @Override
    void close();
}
