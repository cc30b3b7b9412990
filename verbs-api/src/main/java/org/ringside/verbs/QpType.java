package org.ringside.verbs;

/** Transport service of a queue pair. */
public enum QpType {
    /** Reliable connection. */
    RC,
    /** Unreliable connection. */
    UC,
    /** Unreliable datagram. */
    UD
}
