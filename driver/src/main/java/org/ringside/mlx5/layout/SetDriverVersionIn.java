package org.ringside.mlx5.layout;

/**
 * SET_DRIVER_VERSION: the name that firmware shows for the driver.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_set_driver_version_in_bits}.
 */
public final class SetDriverVersionIn extends Layout {
    public static final SetDriverVersionIn LAYOUT = new SetDriverVersionIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final ArrayField DRIVER_VERSION = LAYOUT.bytes("driver_version", 0x10, 64);

    private SetDriverVersionIn() {
        super("set_driver_version_in", 0x50);
    }
}
