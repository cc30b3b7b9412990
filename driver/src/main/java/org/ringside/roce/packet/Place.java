package org.ringside.roce.packet;

/** Place of a packet in its message. */
public enum Place {
    FIRST,
    MIDDLE,
    LAST,
    ONLY;

    /** First or only. */
    public boolean begins() {
        return this == FIRST || this == ONLY;
    }

    /** Last or only. */
    public boolean ends() {
        return this == LAST || this == ONLY;
    }
}
