package org.ringside.roce;

import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/**
 * Who a QP reports to: the owner of its rings. Called on the agent's thread in the middle of the
 * transport's work: it may write completions and raise events, and must not call the transport.
 */
public interface QpOwner {
    /** Happenings that make an asynchronous event. */
    enum Event {
        /** First packet of a peer, before RTS. */
        COMMUNICATION_ESTABLISHED,
        /** In SQD, all that was started has ended. */
        SEND_QUEUE_DRAINED,
        /** The peer's request broke the rules of the transport. */
        REQUEST_ERROR,
        /** The peer's request reached for memory that it may not use. */
        ACCESS_ERROR,
        /** A local fault that no completion tells of. */
        FATAL,
        /** In error, and no receive of the shared queue is held any more. */
        LAST_RECEIVE_REACHED
    }

    /** A send ended; in the order of {@link SendSource#next}, each once. */
    void sendDone(RoceQp qp, SendRequest request, WcStatus status);

    /** A receive ended; what it brought is of meaning on success only. */
    void receiveDone(RoceQp qp, ReceiveRequest request, WcStatus status, Received received);

    /** The transport moved the QP by itself. */
    void stateChanged(RoceQp qp, QpState state);

    void event(RoceQp qp, Event event);
}
