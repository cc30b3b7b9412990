package org.ringside.emulator.mlx5;

import org.ringside.mlx5.layout.CommandStatus;

/**
 * Why a command is refused: the status as firmware gives it, and our syndrome, which is made up but
 * stable: {@code code << 16 | opcode}.
 */
public enum Reason {
    UNKNOWN_OPCODE(0x01, CommandStatus.BAD_OP),
    UNKNOWN_OP_MOD(0x02, CommandStatus.BAD_OP),
    NOT_FOR_THIS_FUNCTION(0x03, CommandStatus.BAD_OP),
    INPUT_LENGTH(0x04, CommandStatus.BAD_INP_LEN),
    OUTPUT_LENGTH(0x05, CommandStatus.BAD_OUTP_LEN),
    RESERVED_BIT(0x06, CommandStatus.BAD_PARAM),
    OUT_OF_RANGE(0x07, CommandStatus.BAD_PARAM),
    UNSUPPORTED(0x08, CommandStatus.BAD_PARAM),
    BAD_ADDRESS(0x09, CommandStatus.BAD_PARAM),
    NOT_MAPPED(0x0a, CommandStatus.BAD_PARAM),
    HCA_STATE(0x10, CommandStatus.BAD_SYS_STATE),
    PAGES_MISSING(0x11, CommandStatus.BAD_SYS_STATE),
    ROCE_OFF(0x12, CommandStatus.BAD_SYS_STATE),
    NO_SUCH_OBJECT(0x20, CommandStatus.BAD_RES),
    IN_USE(0x21, CommandStatus.RES_BUSY),
    OBJECT_STATE(0x22, CommandStatus.BAD_RES_STATE),
    QP_STATE(0x23, CommandStatus.BAD_QP_STATE),
    BAD_INDEX(0x24, CommandStatus.IX_ERR),
    OVER_LIMIT(0x30, CommandStatus.LIM_ERR),
    NONE_LEFT(0x31, CommandStatus.NO_RES),
    NO_PAGES(0x32, CommandStatus.LIM_ERR),
    NOT_OWNER(0x25, CommandStatus.BAD_RES),
    CQES_OUTSTANDING(0x33, CommandStatus.BAD_SIZE_OUTS_CQES),
    MODEL_FAULT(0x7f, CommandStatus.INT_ERR);

    private final int code;
    private final int status;

    Reason(int code, int status) {
        this.code = code;
        this.status = status;
    }

    /** {@link CommandStatus}. */
    public int status() {
        return status;
    }

    /** The syndrome of a command that was refused for this. */
    public int syndrome(int opcode) {
        return code << 16 | opcode;
    }
}
