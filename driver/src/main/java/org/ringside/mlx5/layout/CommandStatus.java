package org.ringside.mlx5.layout;

/**
 * What firmware thought of a command that was delivered: {@link CommandOut#STATUS}. The syndrome
 * beside it says more, but only to firmware's makers.
 *
 * <p>Source: Linux device.h {@code MLX5_CMD_STAT_}, cmd.c for errno; Adapters PRM, Command
 * Interface.
 */
public final class CommandStatus {
    public static final int OK = 0x0;

    /** Firmware's own fault. */
    public static final int INT_ERR = 0x1;

    /** No such opcode or op_mod, or not for this function. */
    public static final int BAD_OP = 0x2;

    /** A field is out of range. */
    public static final int BAD_PARAM = 0x3;

    /** Not before, or not after, INIT_HCA. */
    public static final int BAD_SYS_STATE = 0x4;

    /** A number names an object that does not exist or that is another's. */
    public static final int BAD_RES = 0x5;

    /** Others still use the object. */
    public static final int RES_BUSY = 0x6;

    public static final int NOT_READY = 0x7;

    /** More than a capability allows. */
    public static final int LIM_ERR = 0x8;

    /** The object is in a state that forbids it. */
    public static final int BAD_RES_STATE = 0x9;

    /** An index is out of its table. */
    public static final int IX_ERR = 0xa;

    /** The device has no more of these. */
    public static final int NO_RES = 0xf;

    /** No such transition from the state that the QP is in. */
    public static final int BAD_QP_STATE = 0x10;

    /** A management datagram that makes no sense. */
    public static final int BAD_PKT = 0x30;

    /** The new CQ buffer is too small for what is in the old one. */
    public static final int BAD_SIZE_OUTS_CQES = 0x40;

    /** Input length is not this command's. */
    public static final int BAD_INP_LEN = 0x50;

    /** Output length is not this command's. */
    public static final int BAD_OUTP_LEN = 0x51;

    // errno of Linux, on all architectures that it runs on here.
    private static final int EIO = 5;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int EBUSY = 16;
    private static final int EINVAL = 22;

    private static final Names NAMES = Names.of(CommandStatus.class);

    private CommandStatus() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int status) {
        return NAMES.name(status);
    }

    /** The errno that Linux gives for it: 0 for OK, EIO for statuses that it does not know. */
    public static int errno(int status) {
        return switch (status) {
            case OK -> 0;
            case BAD_OP,
                    BAD_PARAM,
                    BAD_RES,
                    BAD_RES_STATE,
                    IX_ERR,
                    BAD_QP_STATE,
                    BAD_PKT,
                    BAD_SIZE_OUTS_CQES ->
                    EINVAL;
            case RES_BUSY -> EBUSY;
            case LIM_ERR -> ENOMEM;
            case NO_RES, NOT_READY -> EAGAIN;
            default -> EIO;
        };
    }

    /** One phrase on the cause, for error messages. */
    public static String meaning(int status) {
        return switch (status) {
            case OK -> "done";
            case INT_ERR -> "firmware failed by itself";
            case BAD_OP ->
                    "firmware does not know this command or op_mod, or not for this function";
            case BAD_PARAM -> "a field has a value that this device does not take";
            case BAD_SYS_STATE -> "not allowed before, or after, INIT_HCA";
            case BAD_RES -> "an object number in it does not exist or is another's";
            case RES_BUSY -> "other objects still use this one";
            case NOT_READY -> "firmware is not ready yet";
            case LIM_ERR -> "it asks for more than a capability allows";
            case BAD_RES_STATE -> "the object's state forbids it";
            case IX_ERR -> "an index in it is beyond its table";
            case NO_RES -> "the device has none left of this kind";
            case BAD_QP_STATE -> "the QP's state has no such transition";
            case BAD_PKT -> "the management datagram in it makes no sense";
            case BAD_SIZE_OUTS_CQES -> "the new CQ buffer cannot hold the CQEs outstanding";
            case BAD_INP_LEN -> "its input length is not what this command has";
            case BAD_OUTP_LEN -> "its output length is not what this command has";
            default -> "a status that is not in the manual";
        };
    }
}
