package org.ringside.mlx5.layout;

/**
 * SET_ROCE_ADDRESS's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_set_roce_address_out_bits}.
 */
public final class SetRoceAddressOut extends Layout {
    public static final SetRoceAddressOut LAYOUT = new SetRoceAddressOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private SetRoceAddressOut() {
        super("set_roce_address_out", 0x10);
    }
}
