package org.ringside.roce.packet;

/** Transport service, as the upper three bits of an opcode tell it (IBTA 9.2.1). */
public enum Service {
    /** Reliable connection. */
    RC,
    /** Unreliable connection. */
    UC,
    /** Unreliable datagram. */
    UD,
    /** Congestion notification (A17.9.3): belongs to no service. */
    CNP
}
