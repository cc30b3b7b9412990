package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.transport.CqState;
import org.ringside.emulator.transport.SrqState;

/** What the commands of SRQs, XRC SRQs and RMPs have in common. */
final class Srqs {
    private static final int MIN_STRIDE = 32;
    private static final int MAX_STRIDE = 2048;
    private static final int MAX_LOG_SIZE = 15;

    private final Hca hca;

    Srqs(Hca hca) {
        this.hca = hca;
    }

    /** Bytes of the ring, when it may be as large as the driver wants it. */
    static long bytes(long logSize, long stride) {
        if (logSize > MAX_LOG_SIZE) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "2^%d WQEs, at most 2^%d", logSize, MAX_LOG_SIZE);
        }
        if (stride < MIN_STRIDE || stride > MAX_STRIDE) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "WQEs of %d bytes, not %d to %d",
                    stride,
                    MIN_STRIDE,
                    MAX_STRIDE);
        }
        return stride << logSize;
    }

    /** An XRC domain by number; 0 stands for none where the command allows that. */
    HwObject.@Nullable Plain xrcd(long number) {
        return number == 0 ? null : hca.objects().xrcds().get(number);
    }

    /** Gives the queue a number and the engine what it needs. */
    int add(
            Srq srq,
            RingPages ring,
            long logSize,
            long stride,
            long record,
            long userIndex,
            long limit) {
        int number = hca.objects().srqs().add(srq);
        CqState cq = srq.cq == null ? null : srq.cq.state();
        SrqState state =
                new SrqState(
                        number,
                        srq.pd.index(),
                        srq.xrcd == null ? SrqState.NO_XRCD : srq.xrcd.index(),
                        (int) userIndex,
                        cq,
                        ring.ring(),
                        (int) logSize,
                        (int) stride,
                        record);
        srq.state(state);
        hca.engine().add(state);
        srq.use();
        if (limit != 0) {
            hca.engine().armLimit(state, (int) limit);
        }
        return number;
    }

    /** The queue that a command of its kind names. */
    Srq get(long number, Srq.Kind kind) {
        Srq srq = hca.objects().srqs().get(number);
        if (srq.kind != kind) {
            throw Refusal.of(
                    Reason.NO_SUCH_OBJECT, "0x%x is of kind %s, not %s", number, srq.kind, kind);
        }
        return srq;
    }

    void destroy(long number, Srq.Kind kind) {
        get(number, kind);
        Srq srq = hca.objects().srqs().remove(number);
        hca.engine().remove(srq.state());
        srq.release();
    }

    /** Asks for the limit event; 0 takes the wish back. */
    void arm(long number, Srq.Kind kind, long limit) {
        SrqState state = get(number, kind).state();
        if (limit > 1L << MAX_LOG_SIZE) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "limit %d", limit);
        }
        hca.engine().armLimit(state, (int) limit);
    }
}
