package org.ringside.mlx5.layout;

/**
 * A CQE that tells of a failed WQE: {@link CqeOpcode#REQ_ERR} and {@link CqeOpcode#RESP_ERR}.
 *
 * <p>Source: Linux device.h, {@code struct mlx5_err_cqe}; mlx5_ifc.h, {@code
 * mlx5_ifc_cqe_error_syndrome_bits}.
 */
public final class ErrCqe extends Layout {
    public static final ErrCqe LAYOUT = new ErrCqe();

    /** User index with CQE version 1; otherwise SRQN. */
    public static final Field SRQN_UIDX = LAYOUT.field("srqn_uidx", 0x20, 23, 0);

    public static final StructField ERROR_SYNDROME =
            LAYOUT.struct("error_syndrome", 0x34, CqeErrorSyndrome.LAYOUT);

    /** Opcode of the WQE, when it is a send queue's. */
    public static final Field SEND_WQE_OPCODE =
            LAYOUT.field("send_wqe_opcode", 0x38, 31, 24, WqeOpcode::name);

    public static final Field QPN = LAYOUT.field("qpn", 0x38, 23, 0);
    public static final Field WQE_COUNTER = LAYOUT.field("wqe_counter", 0x3c, 31, 16);
    public static final Field SIGNATURE = LAYOUT.field("signature", 0x3c, 15, 8);
    public static final Field OPCODE = LAYOUT.field("opcode", 0x3c, 7, 4, CqeOpcode::name);
    public static final Field FORMAT = LAYOUT.field("format", 0x3c, 3, 2);
    public static final Field SE = LAYOUT.bit("se", 0x3c, 1);
    public static final Field OWNER = LAYOUT.bit("owner", 0x3c, 0);

    private ErrCqe() {
        super("err_cqe", Cqe64.SIZE);
    }
}
