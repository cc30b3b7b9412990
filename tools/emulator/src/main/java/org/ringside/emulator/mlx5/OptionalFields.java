package org.ringside.emulator.mlx5;

import org.ringside.emulator.transport.Service;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.OptParam;

/** Which optional fields a transition takes, by service (Linux qp.c, opt_mask). */
final class OptionalFields {
    private static final int ACCESS = OptParam.RRE | OptParam.RWE | OptParam.RAE;

    private OptionalFields() {}

    /** Sum of {@link OptParam} bits. */
    static int of(int opcode, Service service) {
        int access =
                switch (service) {
                    case RC, XRC -> ACCESS;
                    case UC -> OptParam.RWE;
                    case UD, SMI, GSI -> OptParam.Q_KEY;
                    case UMR -> 0;
                };
        int rnr = service.isReliable() ? OptParam.RNR_TIMEOUT : 0;
        int migration = service.isConnected() ? OptParam.PM_STATE : 0;
        return switch (opcode) {
            case Opcode.RST2INIT_QP ->
                    access | OptParam.PKEY_INDEX | OptParam.PRI_PORT | OptParam.COUNTER_SET_ID;
            case Opcode.INIT2INIT_QP -> access | OptParam.PKEY_INDEX | OptParam.PRI_PORT;
            case Opcode.INIT2RTR_QP -> access | OptParam.PKEY_INDEX;
            case Opcode.RTR2RTS_QP -> access | rnr | migration;
            case Opcode.RTS2RTS_QP -> access | rnr | migration | OptParam.COUNTER_SET_ID;
            case Opcode.SQERR2RTS_QP, Opcode.SQD_RTS_QP -> access | rnr;
            default -> 0;
        };
    }
}
