package org.ringside.mlx5.layout;

/**
 * MAD_IFC's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_mad_ifc_out_bits}.
 */
public final class MadIfcOut extends Layout {
    public static final MadIfcOut LAYOUT = new MadIfcOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final ArrayField RESPONSE_MAD_PACKET =
            LAYOUT.bytes("response_mad_packet", 0x10, 256);

    private MadIfcOut() {
        super("mad_ifc_out", 0x110);
    }
}
