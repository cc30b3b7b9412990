package org.ringside.emulator.transport;

import org.ringside.mlx5.layout.CqeSyndrome;

/** What comes with a {@link CqeSyndrome}. */
final class Syndrome {
    /** No error. */
    static final int NONE = 0;

    private Syndrome() {}

    /** Vendor syndrome that cards are seen to give with a syndrome. */
    static int vendor(int syndrome) {
        return switch (syndrome) {
            case CqeSyndrome.LOCAL_LENGTH_ERR -> 0x32;
            case CqeSyndrome.LOCAL_QP_OP_ERR -> 0x68;
            case CqeSyndrome.LOCAL_PROT_ERR -> 0x51;
            case CqeSyndrome.WR_FLUSH_ERR -> 0xf9;
            case CqeSyndrome.REMOTE_INVAL_REQ_ERR -> 0x8a;
            case CqeSyndrome.REMOTE_ACCESS_ERR -> 0x88;
            case CqeSyndrome.REMOTE_OP_ERR -> 0x89;
            case CqeSyndrome.TRANSPORT_RETRY_EXC_ERR -> 0x81;
            case CqeSyndrome.RNR_RETRY_EXC_ERR -> 0x87;
            default -> 0;
        };
    }
}
