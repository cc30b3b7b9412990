package org.ringside.mlx5.layout;

/**
 * Context of a receive memory pool: what ISSI 1 has for shared receive queues.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_rmpc_bits}.
 */
public final class Rmpc extends Layout {
    public static final Rmpc LAYOUT = new Rmpc();

    /** 1 ready, 3 error. */
    public static final Field STATE = LAYOUT.field("state", 0x00, 23, 20);

    /** A ring instead of a list. */
    public static final Field BASIC_CYCLIC_RCV_WQE = LAYOUT.bit("basic_cyclic_rcv_wqe", 0x04, 31);

    public static final StructField WQ = LAYOUT.struct("wq", 0x30, Wq.LAYOUT);

    private Rmpc() {
        super("rmpc", 0xf0);
    }
}
