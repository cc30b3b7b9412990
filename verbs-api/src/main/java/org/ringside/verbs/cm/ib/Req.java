package org.ringside.verbs.cm.ib;

import org.ringside.verbs.Gid;

/**
 * Request for a connection (IBTA 12.6.5). There is no alternate path; the LIDs are those of a path
 * that is routed.
 *
 * @param localId communication id of who asks
 * @param caGuid his node
 * @param qpNumber his QP
 * @param responderResources READs and atomics that he can have outstanding as responder
 * @param initiatorDepth the same as initiator
 * @param transport 0 RC, 1 UC
 * @param psn PSN that we shall start with (12.7.31)
 * @param mtu code of the path MTU
 * @param from his GID
 * @param to ours
 * @param ackTimeout local ACK timeout
 */
record Req(
        int localId,
        long serviceId,
        long caGuid,
        int qpNumber,
        int responderResources,
        int initiatorDepth,
        int transport,
        int psn,
        int retryCount,
        int mtu,
        int rnrRetry,
        Gid from,
        Gid to,
        int flowLabel,
        int trafficClass,
        int hopLimit,
        int ackTimeout) {
    static final int RC = 0;
    static final int UC = 1;

    static final int PRIVATE_DATA = 140;
    static final int PRIVATE_DATA_SIZE = 92;

    private static final int SERVICE_ID = 8;
    private static final int CA_GUID = 16;
    private static final int QPN = 32;
    private static final int RESPONDER_RESOURCES = 35;
    private static final int INITIATOR_DEPTH = 39;
    private static final int REMOTE_TIMEOUT_AND_TRANSPORT = 43;
    private static final int PSN = 44;
    private static final int LOCAL_TIMEOUT_AND_RETRY = 47;
    private static final int PKEY = 48;
    private static final int MTU_AND_RNR = 50;
    private static final int MAX_CM_RETRIES = 51;
    private static final int LIDS = 52;
    private static final int LOCAL_GID = 56;
    private static final int REMOTE_GID = 72;
    private static final int FLOW_LABEL_AND_RATE = 88;
    private static final int TRAFFIC_CLASS = 92;
    private static final int HOP_LIMIT = 93;
    private static final int ACK_TIMEOUT = 95;

    private static final int DEFAULT_PKEY = 0xffff;
    private static final int PERMISSIVE_LIDS = 0xffff_ffff;

    /** IB_RATE_10_GBPS of ib_verbs.h; nothing on Ethernet looks at it. */
    private static final int RATE = 3;

    Mad mad(long transaction) {
        int timeouts = Resend.TIMEOUT_CODE << 3;
        return Mad.of(Mad.REQ, transaction)
                .u32(0, localId)
                .u64(SERVICE_ID, serviceId)
                .u64(CA_GUID, caGuid)
                .u24(QPN, qpNumber)
                .u8(RESPONDER_RESOURCES, responderResources)
                .u8(INITIATOR_DEPTH, initiatorDepth)
                .u8(REMOTE_TIMEOUT_AND_TRANSPORT, timeouts | transport << 1)
                .u24(PSN, psn)
                .u8(LOCAL_TIMEOUT_AND_RETRY, timeouts | retryCount)
                .u16(PKEY, DEFAULT_PKEY)
                .u8(MTU_AND_RNR, mtu << 4 | rnrRetry)
                .u8(MAX_CM_RETRIES, Resend.TIMES << 4)
                .u32(LIDS, PERMISSIVE_LIDS)
                .u64(LOCAL_GID, from.high())
                .u64(LOCAL_GID + Long.BYTES, from.low())
                .u64(REMOTE_GID, to.high())
                .u64(REMOTE_GID + Long.BYTES, to.low())
                .u32(FLOW_LABEL_AND_RATE, flowLabel << 12 | RATE)
                .u8(TRAFFIC_CLASS, trafficClass)
                .u8(HOP_LIMIT, hopLimit)
                .u8(ACK_TIMEOUT, ackTimeout << 3);
    }

    static Req read(Mad mad) {
        return new Req(
                mad.localId(),
                mad.u64(SERVICE_ID),
                mad.u64(CA_GUID),
                mad.u24(QPN),
                mad.u8(RESPONDER_RESOURCES),
                mad.u8(INITIATOR_DEPTH),
                mad.u8(REMOTE_TIMEOUT_AND_TRANSPORT) >>> 1 & 3,
                mad.u24(PSN),
                mad.u8(LOCAL_TIMEOUT_AND_RETRY) & 7,
                mad.u8(MTU_AND_RNR) >>> 4,
                mad.u8(MTU_AND_RNR) & 7,
                new Gid(mad.u64(LOCAL_GID), mad.u64(LOCAL_GID + Long.BYTES)),
                new Gid(mad.u64(REMOTE_GID), mad.u64(REMOTE_GID + Long.BYTES)),
                mad.u32(FLOW_LABEL_AND_RATE) >>> 12,
                mad.u8(TRAFFIC_CLASS),
                mad.u8(HOP_LIMIT),
                mad.u8(ACK_TIMEOUT) >>> 3);
    }
}
