package org.ringside.verbs.cm.ib;

/** The messages that resolve a service id to a QP for datagrams (IBTA 12.11). */
final class Sidr {
    static final int REQ_PRIVATE_DATA = 16;
    static final int REQ_PRIVATE_DATA_SIZE = 216;
    static final int REP_PRIVATE_DATA = 96;
    static final int REP_PRIVATE_DATA_SIZE = 136;

    /** Status: here it is. */
    static final int VALID = 0;

    /** Status: nobody listens. */
    static final int NOT_SUPPORTED = 1;

    /** Status: not wanted. */
    static final int REJECTED = 2;

    private static final int PKEY = 4;
    private static final int REQ_SERVICE_ID = 8;
    private static final int STATUS = 4;
    private static final int QPN = 8;
    private static final int REP_SERVICE_ID = 12;
    private static final int QKEY = 20;
    private static final int DEFAULT_PKEY = 0xffff;

    private Sidr() {}

    static Mad request(long transaction, int requestId, long serviceId) {
        return Mad.of(Mad.SIDR_REQ, transaction)
                .u32(0, requestId)
                .u16(PKEY, DEFAULT_PKEY)
                .u64(REQ_SERVICE_ID, serviceId);
    }

    static int requestId(Mad mad) {
        return mad.u32(0);
    }

    static long serviceId(Mad request) {
        return request.u64(REQ_SERVICE_ID);
    }

    static Mad reply(Mad request, int status, int qpNumber, int qkey) {
        return Mad.of(Mad.SIDR_REP, request.transaction())
                .u32(0, requestId(request))
                .u8(STATUS, status)
                .u24(QPN, qpNumber)
                .u64(REP_SERVICE_ID, serviceId(request))
                .u32(QKEY, qkey);
    }

    static int status(Mad reply) {
        return reply.u8(STATUS);
    }

    static int qpNumber(Mad reply) {
        return reply.u24(QPN);
    }

    static int qkey(Mad reply) {
        return reply.u32(QKEY);
    }

    static String text(int status) {
        return switch (status) {
            case NOT_SUPPORTED ->
                    "nobody listens there (status 1); is the server up, is it the right port, is it"
                            + " for datagrams rather than connections?";
            case REJECTED -> "the program there does not want it (status 2)";
            case 3 -> "the service has no QP (status 3)";
            case 4 -> "the service is elsewhere (status 4), which is not followed";
            default -> "status %d (IBTA 12.11.2.2)".formatted(status);
        };
    }
}
