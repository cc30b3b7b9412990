package org.ringside.roce.packet;

/** What a look at a frame's headers found. All but the first two are reasons to drop it. */
public enum Verdict {
    /** RoCEv2, well formed; its ICRC has not been looked at. */
    ROCE,
    /** Something else, for other protocols. */
    NOT_ROCE,
    /** Ends before its headers do. */
    TRUNCATED,
    /** IPv4 fragment; RoCEv2 is never fragmented (A17.3.1). */
    FRAGMENT,
    /** IP header with options, or whose version contradicts the EtherType. */
    BAD_IP_HEADER,
    /** IP and UDP lengths contradict each other or the frame. */
    BAD_LENGTH,
    /** Transport version other than 0 (9.6, first check). */
    BAD_TRANSPORT_VERSION,
    /** No opcode of the table. */
    UNKNOWN_OPCODE,
    /** More pad than payload, or a payload that is no multiple of four with its pad. */
    BAD_PAD,
    /** The ICRC is not that of the bytes. */
    BAD_ICRC
}
