package org.ringside.mlx5.layout;

/**
 * What a send queue WQE asks for: low byte of {@link WqeLayout#CTRL_OPMOD_IDX_OPCODE}.
 *
 * <p>Source: Linux device.h {@code MLX5_OPCODE_}.
 */
public final class WqeOpcode {
    public static final int NOP = 0x00;

    /** SEND that invalidates an rkey at the peer. */
    public static final int SEND_INVAL = 0x01;

    public static final int RDMA_WRITE = 0x08;
    public static final int RDMA_WRITE_IMM = 0x09;
    public static final int SEND = 0x0a;
    public static final int SEND_IMM = 0x0b;

    /** Ethernet. */
    public static final int LSO = 0x0e;

    public static final int RDMA_READ = 0x10;

    /** Compare and swap. */
    public static final int ATOMIC_CS = 0x11;

    /** Fetch and add. */
    public static final int ATOMIC_FA = 0x12;

    public static final int ATOMIC_MASKED_CS = 0x14;
    public static final int ATOMIC_MASKED_FA = 0x15;
    public static final int BIND_MW = 0x18;
    public static final int CONFIG_CMD = 0x1f;
    public static final int SET_PSV = 0x20;
    public static final int GET_PSV = 0x21;
    public static final int CHECK_PSV = 0x22;
    public static final int DUMP = 0x23;

    /** Changes memory keys. */
    public static final int UMR = 0x25;

    public static final int RGET_PSV = 0x26;
    public static final int RCHECK_PSV = 0x27;

    /** Ethernet. */
    public static final int ENHANCED_MPSW = 0x29;

    public static final int FLOW_TBL_ACCESS = 0x2c;
    public static final int ACCESS_ASO = 0x2d;

    private static final Names NAMES = Names.of(WqeOpcode.class);

    private WqeOpcode() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int opcode) {
        return NAMES.name(opcode);
    }
}
