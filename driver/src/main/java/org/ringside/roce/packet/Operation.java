package org.ringside.roce.packet;

/** What a packet is part of, whatever its place in the message. */
public enum Operation {
    SEND,
    WRITE,
    READ_REQUEST,
    READ_RESPONSE,
    ACKNOWLEDGE,
    ATOMIC_ACKNOWLEDGE,
    COMPARE_SWAP,
    FETCH_ADD,
    CONGESTION_NOTIFICATION;

    /** Whether it travels from responder to requester. */
    public boolean isResponse() {
        return this == READ_RESPONSE || this == ACKNOWLEDGE || this == ATOMIC_ACKNOWLEDGE;
    }

    /** CAS or FADD. */
    public boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }
}
