package org.ringside.mlx5.layout;

/**
 * Whether a command got through: {@link CmdQueueEntry#STATUS}. Not zero means that the command was
 * not looked at.
 *
 * <p>Source: Adapters PRM, Command Interface; Linux cmd.c.
 */
public final class DeliveryStatus {
    public static final int OK = 0x0;

    /** The XOR of the entry or of a mailbox is not 0xff. */
    public static final int SIGNATURE_ERROR = 0x1;

    /** A mailbox's token is not the entry's. */
    public static final int TOKEN_ERROR = 0x2;

    /** Mailboxes are not numbered from 0 in order. */
    public static final int BAD_BLOCK_NUMBER = 0x3;

    /** Not aligned to the mailbox block. */
    public static final int BAD_OUTPUT_POINTER = 0x4;

    /** Not aligned to the mailbox block. */
    public static final int BAD_INPUT_POINTER = 0x5;

    /** Firmware's own fault. */
    public static final int INTERNAL_ERROR = 0x6;

    /** No such input length. */
    public static final int INPUT_LENGTH_ERROR = 0x7;

    /** No such output length. */
    public static final int OUTPUT_LENGTH_ERROR = 0x8;

    /** A reserved bit is set. */
    public static final int RESERVED_FIELD_NOT_CLEAR = 0x9;

    /** {@link CmdQueueEntry#TYPE} is not 7. */
    public static final int BAD_COMMAND_TYPE = 0x10;

    private static final Names NAMES = Names.of(DeliveryStatus.class);

    private DeliveryStatus() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int status) {
        return NAMES.name(status);
    }
}
