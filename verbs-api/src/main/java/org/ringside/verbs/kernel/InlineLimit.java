package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;

/**
 * How much inline data a QP of a device can have. No query tells it: small QPs are made with more
 * and more until the device refuses, or less and less until it does not. Some drivers log each
 * refusal, so it starts at what many have.
 */
final class InlineLimit {
    /** From least to most; of what lies between two the device's limit counts as the lesser. */
    private static final int[] STEPS = {
        16, 32, 64, 96, 128, 188, 220, 256, 400, 512, 828, 960, 1024, 2048, 4096
    };

    private static final int START = 9;

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
        int step = START;
        if (isTaken(pd, cq, STEPS[step])) {
            while (step + 1 < STEPS.length && isTaken(pd, cq, STEPS[step + 1])) {
                step++;
            }
            return STEPS[step];
        }
        do {
            step--;
        } while (step >= 0 && !isTaken(pd, cq, STEPS[step]));
        return step < 0 ? 0 : STEPS[step];
    }

    private boolean isTaken(long pd, long cq, int bytes) {
        long qp = make(pd, cq, bytes);
        if (qp != 0) {
            verbs.ibv_destroy_qp(qp);
        }
        return qp != 0;
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
