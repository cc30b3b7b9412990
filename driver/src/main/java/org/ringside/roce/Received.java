package org.ringside.roce;

import org.ringside.verbs.WcOpcode;

/** What a completed receive brought, beside its data. Reused: valid only during the call. */
public final class Received {
    /** RECV, or RECV_RDMA_WITH_IMM. */
    public WcOpcode opcode = WcOpcode.RECV;

    /** Bytes of the message; for UD with the 40 bytes of the GRH. */
    public long byteLength;

    /** Whether {@link #immediate} is there. */
    public boolean hasImmediate;

    /** As it stood on the wire. */
    public int immediate;

    /** Whether {@link #invalidatedKey} is there. */
    public boolean hasInvalidated;

    /** The key that the peer invalidated. */
    public int invalidatedKey;

    /** The sender asked for a solicited event. */
    public boolean solicited;

    /** UD: QP that sent it. */
    public int sourceQp;

    /** UD: MAC that it came from. */
    public long sourceMac;

    /** UD: the receive begins with 40 bytes of GRH. */
    public boolean hasGrh;

    void clear() {
        opcode = WcOpcode.RECV;
        byteLength = 0;
        hasImmediate = false;
        immediate = 0;
        hasInvalidated = false;
        invalidatedKey = 0;
        solicited = false;
        sourceQp = 0;
        sourceMac = 0;
        hasGrh = false;
    }
}
