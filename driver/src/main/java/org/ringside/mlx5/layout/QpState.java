package org.ringside.mlx5.layout;

/**
 * States of a QP: {@link Qpc#STATE}.
 *
 * <p>Source: Linux mlx5_ifc.h {@code MLX5_QPC_STATE_}; qp.h for 5. IBTA volume 1, 10.3.1.
 */
public final class QpState {
    /** Reset. */
    public static final int RST = 0x0;

    /** Receive WQEs may be posted. */
    public static final int INIT = 0x1;

    /** Receives. */
    public static final int RTR = 0x2;

    /** Receives and sends. */
    public static final int RTS = 0x3;

    /** Send queue error; not for RC. */
    public static final int SQER = 0x4;

    /** Send queue drained. */
    public static final int SQD = 0x5;

    /** All WQEs are flushed. */
    public static final int ERR = 0x6;

    /** On its way to SQD. */
    public static final int SQ_DRAINING = 0x7;

    /** Held by firmware. */
    public static final int SUSPENDED = 0x9;

    private static final Names NAMES = Names.of(QpState.class);

    private QpState() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int state) {
        return NAMES.name(state);
    }
}
