package org.ringside.cli;

/** What ping-pong measures. */
enum Operation {
    /** SEND there and back; latency is half a round trip. */
    SEND,
    /** WRITE and its completion. */
    WRITE,
    /** READ and its completion. */
    READ,
    /** Compare and swap of 8 bytes and its completion. */
    CAS,
    /** Fetch and add of 8 bytes and its completion. */
    FAA;

    /** Atomics are of 8 bytes. */
    boolean isAtomic() {
        return this == CAS || this == FAA;
    }

    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
