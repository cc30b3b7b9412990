package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;

/**
 * How much inline data a QP of a device can have. No query tells it: a small QP is made with less
 * and less until the device takes it.
 */
final class InlineLimit {
    private static final int[] CANDIDATES = {
        4096, 2048, 1024, 960, 828, 512, 400, 256, 220, 188, 128, 96, 64, 32, 16
    };

    private final Libibverbs verbs;
    private final long context;

    InlineLimit(Libibverbs verbs, long context) {
        this.verbs = verbs;
        this.context = context;
    }

    /** Bytes; 0 too when no QP can be made now, for which making one will give the reason. */
    int find() {
        long pd = verbs.ibv_alloc_pd(context);
        if (pd == 0) {
            return 0;
        }
        try {
            long cq = verbs.ibv_create_cq(context, 1, 0, 0, 0);
            if (cq == 0) {
                return 0;
            }
            try {
                return find(pd, cq);
            } finally {
                verbs.ibv_destroy_cq(cq);
            }
        } finally {
            verbs.ibv_dealloc_pd(pd);
        }
    }

    private int find(long pd, long cq) {
        for (int bytes : CANDIDATES) {
            long qp = make(pd, cq, bytes);
            if (qp != 0) {
                verbs.ibv_destroy_qp(qp);
                return bytes;
            }
        }
        return 0;
    }

    private long make(long pd, long cq, int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long at = KernelContext.scratch(arena, Abi.QpInitAttr.SIZE);
            Raw.putLong(at + Abi.QpInitAttr.SEND_CQ, cq);
            Raw.putLong(at + Abi.QpInitAttr.RECV_CQ, cq);
            Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_SEND_WR, 1);
            Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_RECV_WR, 1);
            Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_SEND_SGE, 1);
            Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_RECV_SGE, 1);
            Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_INLINE_DATA, bytes);
            Raw.putInt(at + Abi.QpInitAttr.QP_TYPE, Abi.QpInitAttr.RC);
            return verbs.ibv_create_qp(pd, at);
        }
    }
}
