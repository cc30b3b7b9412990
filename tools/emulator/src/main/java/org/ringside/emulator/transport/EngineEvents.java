package org.ringside.emulator.transport;

import org.ringside.mlx5.layout.EventType;

/**
 * Events that the data path raises; the event queues belong to the command side. Called on the
 * agent's thread, in the middle of the engine's work: an implementation may write EQEs and raise
 * interrupts but must not call the engine back.
 */
public interface EngineEvents {
    /** Syndrome of {@link #cqError}: a CQE had no room. */
    int CQ_OVERRUN = 1;

    /** Syndrome of {@link #cqError}: the ring or the doorbell record cannot be reached. */
    int CQ_ACCESS_VIOLATION = 2;

    /** A CQ got a CQE that its arm request waited for, or that asks for an event by itself. */
    void completion(CqState cq);

    /** A CQ failed: {@link EventType#CQ_ERROR}. */
    void cqError(CqState cq, int syndrome);

    /**
     * Something happened to a QP.
     *
     * @param type an {@link EventType}: COMM_EST, SQ_DRAINED, WQ_CATAS_ERROR, WQ_INVAL_REQ_ERROR,
     *     WQ_ACCESS_ERROR or SRQ_LAST_WQE
     */
    void qpEvent(QpState qp, int type);

    /**
     * A work request gives a key to another PD.
     *
     * @param index of the key
     * @return false when there is no such PD; the key stays where it is then
     */
    boolean keyMoved(int index, int pd);

    /** A shared receive queue has fewer WQEs than its limit: {@link EventType#SRQ_RQ_LIMIT}. */
    void srqLimit(SrqState srq);
}
