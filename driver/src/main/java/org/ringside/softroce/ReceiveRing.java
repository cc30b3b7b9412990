package org.ringside.softroce;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringside.roce.ReceiveRequest;
import org.ringside.roce.ReceiveSource;
import org.ringside.verbs.PostResult;

/** The receive half of a QP: like {@link SendRing}, with lists only. */
final class ReceiveRing implements ReceiveSource {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle LIMIT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(ReceiveRing.class, "head", int.class);
            TAIL = lookup.findVarHandle(ReceiveRing.class, "tail", int.class);
            LIMIT = lookup.findVarHandle(ReceiveRing.class, "limit", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int IDLE = 0;
    private static final int STARTED = 1;
    private static final int OPEN = 2;

    private final int mask;
    private final int maxSges;
    private final long maxMessage;
    private final long[] wrIds;
    private final int[] sgeCounts;
    private final int[] lkeys;
    private final long[] addresses;
    private final long[] lengths;

    // The batch being built
    private int phase = IDLE;
    private int next;
    private int slot;
    private long bytes;
    private PostResult error = PostResult.POSTED;

    @SuppressWarnings("unused")
    private int head;

    @SuppressWarnings("unused")
    private int tail;

    @SuppressWarnings("unused")
    private int limit;

    private volatile PostResult refusal = PostResult.WRONG_STATE;
    private int taken;

    /**
     * @param slots a power of two
     */
    ReceiveRing(int slots, int maxSges, long maxMessage) {
        this.mask = slots - 1;
        this.maxSges = maxSges;
        this.maxMessage = maxMessage;
        wrIds = new long[slots];
        sgeCounts = new int[slots];
        lkeys = new int[slots * maxSges];
        addresses = new long[slots * maxSges];
        lengths = new long[slots * maxSges];
    }

    /** Begins a batch; one that was not submitted is forgotten. */
    void start() {
        phase = STARTED;
        next = head;
        error = PostResult.POSTED;
    }

    /** Ends the request before and begins one. */
    void begin(long wrId) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase == IDLE) {
            error = PostResult.BAD_SEQUENCE;
            return;
        }
        if (phase == OPEN) {
            next++;
        }
        int bound = (int) LIMIT.getOpaque(this);
        if (next - (int) TAIL.getAcquire(this) >= bound) {
            error = bound == 0 ? refusal : PostResult.QUEUE_FULL;
            return;
        }
        phase = OPEN;
        bytes = 0;
        slot = next & mask;
        wrIds[slot] = wrId;
        sgeCounts[slot] = 0;
    }

    /** One more scatter/gather entry. */
    void sge(int lkey, long address, long length) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase != OPEN) {
            error = PostResult.BAD_SEQUENCE;
            return;
        }
        bytes += length;
        if (length < 0 || length > maxMessage || bytes > maxMessage) {
            error = PostResult.BAD_LENGTH;
            return;
        }
        int count = sgeCounts[slot];
        if (count == maxSges) {
            error = PostResult.TOO_MANY_SGES;
            return;
        }
        int at = slot * maxSges + count;
        lkeys[at] = lkey;
        addresses[at] = address;
        lengths[at] = length;
        sgeCounts[slot] = count + 1;
    }

    /** Ends the batch: the agent sees all of it, or nothing. */
    PostResult submit() {
        int was = phase;
        phase = IDLE;
        if (error != PostResult.POSTED) {
            PostResult result = error;
            error = PostResult.POSTED;
            return result;
        }
        if (was != OPEN) {
            return PostResult.BAD_SEQUENCE;
        }
        HEAD.setRelease(this, next + 1);
        return PostResult.POSTED;
    }

    /** Ends the batch: nothing of it is posted. */
    void abort() {
        phase = IDLE;
        error = PostResult.POSTED;
    }

    /** The request at this position has completed, and all before it. On the polling thread. */
    void complete(int position) {
        TAIL.setRelease(this, position + 1);
    }

    @Override
    public boolean next(ReceiveRequest into) {
        if (taken == (int) HEAD.getAcquire(this)) {
            return false;
        }
        int from = taken & mask;
        into.clear();
        into.id = wrIds[from];
        into.index = taken;
        int first = from * maxSges;
        for (int i = first; i < first + sgeCounts[from]; i++) {
            into.sges().add(lkeys[i], addresses[i], lengths[i]);
        }
        taken++;
        return true;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    /** Lets posts through, or not: then with that result. */
    void open(boolean open, PostResult otherwise) {
        if (!open) {
            refusal = otherwise;
        }
        LIMIT.setRelease(this, open ? mask + 1 : 0);
    }

    /** Forgets everything, for a QP in RESET: neither poster nor agent is at it. */
    void reset() {
        abort();
        taken = 0;
        TAIL.setRelease(this, 0);
        HEAD.setRelease(this, 0);
    }
}
