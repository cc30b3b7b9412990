package org.ringside.verbs.cm.ib;

/**
 * Reply that accepts a request (IBTA 12.6.8).
 *
 * @param localId communication id of who accepts
 * @param remoteId that of who asked
 * @param qpNumber the QP of who accepts
 * @param psn PSN that who asked shall start with (12.7.31)
 * @param responderResources READs and atomics that he can have outstanding as responder
 * @param initiatorDepth the same as initiator
 * @param caGuid his node
 */
record Rep(
        int localId,
        int remoteId,
        int qpNumber,
        int psn,
        int responderResources,
        int initiatorDepth,
        int rnrRetry,
        long caGuid) {
    static final int PRIVATE_DATA = 36;
    static final int PRIVATE_DATA_SIZE = 196;

    private static final int QPN = 12;
    private static final int PSN = 20;
    private static final int RESPONDER_RESOURCES = 24;
    private static final int INITIATOR_DEPTH = 25;
    private static final int TARGET_ACK_DELAY = 26;
    private static final int RNR = 27;
    private static final int CA_GUID = 28;

    Mad mad(long transaction) {
        return Mad.ids(Mad.REP, transaction, localId, remoteId)
                .u24(QPN, qpNumber)
                .u24(PSN, psn)
                .u8(RESPONDER_RESOURCES, responderResources)
                .u8(INITIATOR_DEPTH, initiatorDepth)
                .u8(TARGET_ACK_DELAY, Resend.ACK_DELAY_CODE << 3)
                .u8(RNR, rnrRetry << 5)
                .u64(CA_GUID, caGuid);
    }

    static Rep read(Mad mad) {
        return new Rep(
                mad.localId(),
                mad.remoteId(),
                mad.u24(QPN),
                mad.u24(PSN),
                mad.u8(RESPONDER_RESOURCES),
                mad.u8(INITIATOR_DEPTH),
                mad.u8(RNR) >>> 5,
                mad.u64(CA_GUID));
    }
}
