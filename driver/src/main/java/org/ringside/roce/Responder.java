package org.ringside.roce;

import org.ringside.roce.packet.Packet;

/** The side of a QP that answers requests. */
interface Responder {
    /** From RTR on. */
    void start(Connection connection);

    /** A request arrived. */
    void request(Packet packet, long now);

    /**
     * Sends answers.
     *
     * @param budget packets at most
     * @return whether there is more that could go at once
     */
    boolean transmit(int budget, long now);

    /** In ERR: the receive that is held ends with a flush. Answers that wait still go. */
    void flush();

    /** To RESET: everything is forgotten. */
    void reset();
}
