package org.ringside.roce;

import org.ringside.roce.packet.Packet;

/** The side of a QP that sends requests. */
interface Requester {
    /** From RTS on: the first packet has this PSN. */
    void start(SendAttributes attributes, long now);

    /**
     * Sends what may be sent.
     *
     * @param budget packets at most
     * @return whether there is more that could go at once
     */
    boolean transmit(int budget, long now);

    /** A response arrived. */
    void response(Packet packet, long now);

    /** In ERR: everything ends with a flush, what was posted since, too. */
    void flush();

    /** To RESET: everything is forgotten without completion. */
    void reset();

    /** In SQD: whether all that was started has ended. */
    boolean isIdle();
}
