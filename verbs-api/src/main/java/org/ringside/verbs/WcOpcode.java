package org.ringside.verbs;

/** What completed. Only meaningful when the status is SUCCESS. */
public enum WcOpcode {
    SEND,
    RDMA_WRITE,
    RDMA_READ,
    COMP_SWAP,
    FETCH_ADD,
    BIND_MW,
    LOCAL_INV,
    RECV,
    RECV_RDMA_WITH_IMM;

    private static final WcOpcode[] VALUES = values();

    /** By ordinal, without allocating. */
    public static WcOpcode of(int ordinal) {
        return VALUES[ordinal];
    }
}
