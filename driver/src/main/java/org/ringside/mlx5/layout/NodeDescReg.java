package org.ringside.mlx5.layout;

/**
 * Register 0x6001: the node's description as InfiniBand management shows it, text ended by a zero
 * byte (IBTA 14.2.5.2).
 *
 * <p>Source: Linux infiniband/hw/mlx5/main.c, {@code struct mlx5_reg_node_desc}.
 */
public final class NodeDescReg extends Layout {
    public static final NodeDescReg LAYOUT = new NodeDescReg();

    public static final ArrayField DESC = LAYOUT.bytes("desc", 0x00, 64);

    private NodeDescReg() {
        super("node_desc_reg", 0x40);
    }
}
