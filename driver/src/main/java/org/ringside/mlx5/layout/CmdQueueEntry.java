package org.ringside.mlx5.layout;

/**
 * One slot of the command queue, 64 bytes. Software fills it, sets {@link #OWNERSHIP} last and
 * rings the slot's bit; the device clears that bit when the answer is complete.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cmd_queue_entry_bits}.
 */
public final class CmdQueueEntry extends Layout {
    public static final CmdQueueEntry LAYOUT = new CmdQueueEntry();

    /** 7: commands of PCI functions. */
    public static final Field TYPE = LAYOUT.field("type", 0x00, 31, 24);

    /** Bytes in all, inline part too. */
    public static final Field INPUT_LENGTH = LAYOUT.dword("input_length", 0x04);

    public static final Field INPUT_MAILBOX_POINTER_63_32 =
            LAYOUT.dword("input_mailbox_pointer_63_32", 0x08);

    /** 512-byte units. */
    public static final Field INPUT_MAILBOX_POINTER_31_9 =
            LAYOUT.field("input_mailbox_pointer_31_9", 0x0c, 31, 9);

    public static final ArrayField COMMAND_INPUT_INLINE_DATA =
            LAYOUT.bytes("command_input_inline_data", 0x10, 16);

    public static final ArrayField COMMAND_OUTPUT_INLINE_DATA =
            LAYOUT.bytes("command_output_inline_data", 0x20, 16);

    public static final Field OUTPUT_MAILBOX_POINTER_63_32 =
            LAYOUT.dword("output_mailbox_pointer_63_32", 0x30);

    /** 512-byte units. */
    public static final Field OUTPUT_MAILBOX_POINTER_31_9 =
            LAYOUT.field("output_mailbox_pointer_31_9", 0x34, 31, 9);

    /** Bytes in all, inline part too. */
    public static final Field OUTPUT_LENGTH = LAYOUT.dword("output_length", 0x38);

    /** The same in the entry and in its mailboxes. */
    public static final Field TOKEN = LAYOUT.field("token", 0x3c, 31, 24);

    /** Makes the XOR of all 64 bytes 0xff. */
    public static final Field SIGNATURE = LAYOUT.field("signature", 0x3c, 23, 16);

    /** How it was delivered; not the command's own status. */
    public static final Field STATUS = LAYOUT.field("status", 0x3c, 7, 1, DeliveryStatus::name);

    /** 1: the device has it. */
    public static final Field OWNERSHIP = LAYOUT.bit("ownership", 0x3c, 0);

    private CmdQueueEntry() {
        super("cmd_queue_entry", 0x40);
    }
}
