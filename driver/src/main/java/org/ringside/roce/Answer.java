package org.ringside.roce;

/** One answer that a responder owes: an ACK or NAK, a READ response, the result of an atomic. */
final class Answer {
    /** What it is. */
    enum Kind {
        ACK,
        READ,
        ATOMIC
    }

    Kind kind = Kind.ACK;

    /** PSN of the packet; of the next one, of a READ. */
    long psn;

    /** PSN of the last packet, of a READ. */
    long lastPsn;

    int syndrome;
    int msn;

    /** READ: address of the next byte. */
    long address;

    int rkey;

    /** READ: bytes still to send. */
    long left;

    /** READ: whether no packet of it has gone. */
    boolean fresh;

    /** READ: whether it is a repetition. */
    boolean repeated;

    /** ATOMIC: what it found. */
    long value;
}
