package org.ringside.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened without being asked for.
 *
 * @param type what
 * @param qp the QP it is about, null when it is not about one
 * @param cq the CQ it is about, null when it is not about one
 * @param port port number from 1, 0 when it is not about one
 * @param detail the device's own words: syndrome, health buffer, reason
 */
public record AsyncEvent(
        Type type, @Nullable QueuePair qp, @Nullable CompletionQueue cq, int port, String detail) {
    /** Kinds; as enum ibv_event_type. */
    public enum Type {
        CQ_ERR,
        QP_FATAL,
        QP_REQ_ERR,
        QP_ACCESS_ERR,
        COMM_EST,
        SQ_DRAINED,
        PORT_ACTIVE,
        PORT_ERR,
        /** The device is dead: its objects fail, only closing them still works. */
        DEVICE_FATAL
    }
}
