package org.ringside.verbs.kernel;

import org.jspecify.annotations.Nullable;
import org.ringside.verbs.AsyncEvent;

/**
 * Numbers of enum ibv_event_type (infiniband/verbs.h), and what struct ibv_async_event has with
 * each.
 */
final class EventTypes {
    private EventTypes() {}

    /** The kind; null for those that the API does not tell. */
    static AsyncEvent.@Nullable Type of(int number) {
        return switch (number) {
            case 0 -> AsyncEvent.Type.CQ_ERR;
            case 1 -> AsyncEvent.Type.QP_FATAL;
            case 2 -> AsyncEvent.Type.QP_REQ_ERR;
            case 3 -> AsyncEvent.Type.QP_ACCESS_ERR;
            case 4 -> AsyncEvent.Type.COMM_EST;
            case 5 -> AsyncEvent.Type.SQ_DRAINED;
            case 8 -> AsyncEvent.Type.DEVICE_FATAL;
            case 9 -> AsyncEvent.Type.PORT_ACTIVE;
            case 10 -> AsyncEvent.Type.PORT_ERR;
            default -> null;
        };
    }

    static boolean isOfQp(AsyncEvent.Type type) {
        return isError(type)
                || type == AsyncEvent.Type.COMM_EST
                || type == AsyncEvent.Type.SQ_DRAINED;
    }

    static boolean isOfPort(AsyncEvent.Type type) {
        return type == AsyncEvent.Type.PORT_ACTIVE || type == AsyncEvent.Type.PORT_ERR;
    }

    /** Whether the QP is in ERR now. */
    static boolean isError(AsyncEvent.Type type) {
        return type == AsyncEvent.Type.QP_FATAL
                || type == AsyncEvent.Type.QP_REQ_ERR
                || type == AsyncEvent.Type.QP_ACCESS_ERR;
    }
}
