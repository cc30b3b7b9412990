package org.ringside.verbs;

/** Flags of a send work request, combined with {@code |}. Plain ints: they are on the fast path. */
public final class SendFlags {
    /** Nothing special: no completion unless the QP signals all. */
    public static final int NONE = 0;

    /** Wait for all earlier READs and atomics of this QP. */
    public static final int FENCE = 1;

    /** Make a completion. */
    public static final int SIGNALED = 1 << 1;

    /** The completion at the responder is a solicited one (SEND, WRITE with immediate). */
    public static final int SOLICITED = 1 << 2;

    private SendFlags() {}
}
