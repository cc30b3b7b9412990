package org.ringside.mlx5.layout;

/**
 * A block of a command's mailbox chain: 512 bytes of input or output and the link to the next
 * block. Blocks are 1 KiB aligned, for the link has no lower bits.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cmd_if_box_bits}.
 */
public final class CmdMailbox extends Layout {
    public static final CmdMailbox LAYOUT = new CmdMailbox();

    public static final ArrayField MAILBOX_DATA = LAYOUT.bytes("mailbox_data", 0x00, 512);

    public static final Field NEXT_POINTER_63_32 = LAYOUT.dword("next_pointer_63_32", 0x230);

    /** 1 KiB units; 0 with the upper half ends the chain. */
    public static final Field NEXT_POINTER_31_10 =
            LAYOUT.field("next_pointer_31_10", 0x234, 31, 10);

    /** From 0. */
    public static final Field BLOCK_NUMBER = LAYOUT.dword("block_number", 0x238);

    /** That of the queue entry. */
    public static final Field TOKEN = LAYOUT.field("token", 0x23c, 23, 16);

    /** XOR from the pointers on is 0xff with it. */
    public static final Field CTRL_SIGNATURE = LAYOUT.field("ctrl_signature", 0x23c, 15, 8);

    /** XOR of the whole block is 0xff with it. */
    public static final Field SIGNATURE = LAYOUT.field("signature", 0x23c, 7, 0);

    private CmdMailbox() {
        super("cmd_if_box", 0x240);
    }
}
