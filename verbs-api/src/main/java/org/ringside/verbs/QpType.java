package org.ringside.verbs;

/** Transport service of a queue pair. */
public enum QpType {
    /** Reliable connection. */
    RC,
    /** Unreliable connection. */
    UC,
    /** Unreliable datagram. */
    UD,
    /**
     * The general services interface, QP 1 of the port: datagrams of management, with which
     * connections are made. One at a time, and only where no kernel has it.
     */
    GSI;

    /** Whether it sends datagrams to {@link AddressHandle}s, and knows no connection. */
    public boolean isDatagram() {
        return this == UD || this == GSI;
    }
}
