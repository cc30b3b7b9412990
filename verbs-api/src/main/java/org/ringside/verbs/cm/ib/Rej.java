package org.ringside.verbs.cm.ib;

import org.ringside.verbs.cm.CmRejectedException;

/**
 * Rejection of a request or of a reply (IBTA 12.6.7).
 *
 * @param localId communication id of who rejects, 0 when he has none
 * @param remoteId that of who is rejected
 * @param message what is rejected
 * @param reason IBTA 12.6.7.2
 */
record Rej(int localId, int remoteId, int message, int reason) {
    static final int PRIVATE_DATA = 84;
    static final int PRIVATE_DATA_SIZE = 148;

    /** {@link #message}: REQ. */
    static final int OF_REQ = 0;

    /** {@link #message}: REP. */
    static final int OF_REP = 1;

    static final int NO_QP = 1;
    static final int NO_RESOURCES = 3;
    static final int TIMEOUT = 4;
    static final int UNSUPPORTED = 5;
    static final int INVALID_SERVICE_ID = 8;
    static final int INVALID_PATH_MTU = 26;
    static final int CONSUMER = 28;

    private static final int MESSAGE = 8;
    private static final int REASON = 10;

    Mad mad(long transaction) {
        return Mad.ids(Mad.REJ, transaction, localId, remoteId)
                .u8(MESSAGE, message << 6)
                .u16(REASON, reason);
    }

    static Rej read(Mad mad) {
        return new Rej(mad.localId(), mad.remoteId(), mad.u8(MESSAGE) >>> 6, mad.u16(REASON));
    }

    /** As an exception of who was rejected. */
    static CmRejectedException exception(String what, Mad mad) {
        Rej rej = read(mad);
        return new CmRejectedException(
                what + " was rejected: " + text(rej.reason),
                rej.reason,
                mad.data(PRIVATE_DATA, PRIVATE_DATA_SIZE));
    }

    private static String text(int reason) {
        return switch (reason) {
            case NO_QP -> "no QP is free there";
            case NO_RESOURCES -> "resources are short there, or too many requests wait";
            case TIMEOUT -> "the other side waited too long for an answer";
            case UNSUPPORTED -> "what was asked for is not supported there";
            case INVALID_SERVICE_ID ->
                    "nobody listens there (reason 8); is the server up, is it the right port, is it"
                            + " for connections rather than datagrams?";
            case 10 -> "the other side has such a connection already (reason 10, stale)";
            case INVALID_PATH_MTU -> "the path MTU is too large there (reason 26); ask for less";
            case CONSUMER -> "the program there does not want it (reason 28)";
            default -> "reason %d (IBTA 12.6.7.2)".formatted(reason);
        };
    }
}
