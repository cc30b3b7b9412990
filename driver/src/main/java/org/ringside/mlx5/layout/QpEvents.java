package org.ringside.mlx5.layout;

/**
 * Data of events about a QP, RQ or SQ, and of those about an SRQ.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_qp_events_bits}.
 */
public final class QpEvents extends Layout {
    public static final QpEvents LAYOUT = new QpEvents();

    /** 0 QP, 1 RQ, 2 SQ, 6 DCT. */
    public static final Field TYPE = LAYOUT.field("type", 0x14, 31, 24);

    public static final Field QPN_RQN_SQN = LAYOUT.field("qpn_rqn_sqn", 0x18, 23, 0);

    private QpEvents() {
        super("qp_events", 0x1c);
    }
}
