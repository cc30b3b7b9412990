package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.ringside.mlx5.layout.CqError;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.PortChange;
import org.ringside.mlx5.layout.PortStateChangeEvent;
import org.ringside.mlx5.layout.QpEvents;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.spi.EventMailbox;

/** Asynchronous events in the words of verbs: from EQEs to a mailbox. On the event thread. */
final class AsyncEvents {
    private static final Logger LOG = System.getLogger(AsyncEvents.class.getName());

    private final QpTable qps;
    private final Map<Integer, Mlx5Cq> cqs;
    private final EventMailbox to;

    AsyncEvents(QpTable qps, Map<Integer, Mlx5Cq> cqs, EventMailbox to) {
        this.qps = qps;
        this.cqs = cqs;
        this.to = to;
    }

    /** An event as the device wrote it; {@code at} is where its data start. */
    void add(int type, int subType, MemorySegment ring, int at) {
        switch (type) {
            case EventType.COMM_EST -> addQp(AsyncEvent.Type.COMM_EST, ring, at);
            case EventType.SQ_DRAINED -> addQp(AsyncEvent.Type.SQ_DRAINED, ring, at);
            case EventType.WQ_CATAS_ERROR -> addQp(AsyncEvent.Type.QP_FATAL, ring, at);
            case EventType.WQ_INVAL_REQ_ERROR -> addQp(AsyncEvent.Type.QP_REQ_ERR, ring, at);
            case EventType.WQ_ACCESS_ERROR -> addQp(AsyncEvent.Type.QP_ACCESS_ERR, ring, at);
            case EventType.CQ_ERROR -> {
                int number = (int) CqError.CQN.get(ring, at);
                to.add(
                        new AsyncEvent(
                                AsyncEvent.Type.CQ_ERR,
                                null,
                                cqs.get(number),
                                0,
                                CqError.LAYOUT.decode(ring, at)));
            }
            case EventType.PORT_CHANGE -> addPort(subType, ring, at);
            default ->
                    LOG.log(
                            Level.DEBUG,
                            "event {0} ({1}) is nobody''s",
                            EventType.name(type),
                            type);
        }
    }

    private void addQp(AsyncEvent.Type type, MemorySegment ring, int at) {
        int number = (int) QpEvents.QPN_RQN_SQN.get(ring, at);
        WorkQueues queues = qps.get(number);
        Mlx5Qp qp = queues != null && queues.observer() instanceof Mlx5Qp found ? found : null;
        boolean fatal = type != AsyncEvent.Type.COMM_EST && type != AsyncEvent.Type.SQ_DRAINED;
        if (qp != null && fatal) {
            qp.failed();
        }
        to.add(new AsyncEvent(type, qp, null, 0, QpEvents.LAYOUT.decode(ring, at)));
    }

    private void addPort(int subType, MemorySegment ring, int at) {
        int port = (int) PortStateChangeEvent.PORT_NUM.get(ring, at);
        if (subType == PortChange.ACTIVE || subType == PortChange.DOWN) {
            to.add(
                    new AsyncEvent(
                            subType == PortChange.ACTIVE
                                    ? AsyncEvent.Type.PORT_ACTIVE
                                    : AsyncEvent.Type.PORT_ERR,
                            null,
                            null,
                            port,
                            "port change " + PortChange.name(subType)));
        }
    }
}
