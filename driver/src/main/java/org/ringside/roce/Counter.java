package org.ringside.roce;

/** What a transport counts. Those that rxe has too are called as its counters are. */
public enum Counter {
    SENT_PACKETS,
    RECEIVED_PACKETS,
    /** Requests again that were answered from history or by an ACK. */
    DUPLICATE_REQUEST,
    /** Requests again that history has forgotten, or that it contradicts. */
    DUPLICATE_FORGOTTEN,
    OUT_OF_SEQUENCE_REQUEST,
    /** Responses to requests that are not outstanding. */
    STALE_RESPONSE,
    SENT_NAK_SEQUENCE,
    SENT_NAK_ERROR,
    SENT_RNR,
    RECEIVED_NAK_SEQUENCE,
    RECEIVED_NAK_ERROR,
    RECEIVED_RNR,
    /** An answer beyond an unfinished READ or atomic (IBTA 9.7.5.1.1). */
    IMPLIED_NAK,
    ACK_TIMEOUT,
    /** Early retransmission, before the timeout and not counted as a retry. */
    PROBE,
    RETRANSMITTED_PACKETS,
    RETRY_EXCEEDED,
    RNR_RETRY_EXCEEDED,
    CONGESTION_MARKED,
    SENT_CNP,
    RECEIVED_CNP,
    /** UC messages lost to a gap, a bad key, or want of a receive. */
    UC_MESSAGE_DROPPED,
    UD_NO_RECEIVE,
    UD_TOO_LONG,
    BAD_QKEY,
    BAD_PKEY,
    BAD_SOURCE_OR_DESTINATION,
    NO_SUCH_QP,
    WRONG_STATE,
    WRONG_SERVICE,
    NO_ROOM_FOR_ANSWER,
    BAD_ICRC,
    MALFORMED,
    LINK_BUSY
}
