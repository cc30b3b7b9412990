package org.ringside.softroce;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringside.roce.SgeList;
import org.ringside.verbs.PostResult;

/**
 * What both halves of a QP are: work requests in arrays by field, one slot each, posted in batches
 * of which the agent sees all or nothing.
 *
 * <pre>
 *          tail           taken          head
 *   --------|== at work ===|== posted ====|------   positions run freely
 *   moved by: polling       agent          poster
 * </pre>
 *
 * <p>A slot is free again when its completion, or that of a later request, was polled.
 */
abstract class WorkRing {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle LIMIT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(WorkRing.class, "head", int.class);
            TAIL = lookup.findVarHandle(WorkRing.class, "tail", int.class);
            LIMIT = lookup.findVarHandle(WorkRing.class, "limit", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Phase: no batch. */
    private static final int IDLE = 0;

    /** A batch without requests. */
    private static final int STARTED = 1;

    /** In a request. */
    private static final int OPEN = 2;

    private final int mask;
    private final int maxSges;
    private final long maxMessage;

    // One entry for each slot; of the lists maxSges.
    private final long[] wrIds;
    private final int[] sgeCounts;
    private final int[] lkeys;
    private final long[] addresses;
    private final long[] lengths;

    // The batch being built
    private int phase = IDLE;
    private int next;
    private long bytes;
    private PostResult error = PostResult.POSTED;

    /** Slot of the request being built. */
    protected int slot;

    @SuppressWarnings("unused")
    private int head;

    @SuppressWarnings("unused")
    private int tail;

    /** Slots that may be in use: all, or none when nothing may be posted. */
    @SuppressWarnings("unused")
    private int limit;

    private volatile PostResult refusal = PostResult.WRONG_STATE;
    private int taken;

    /**
     * @param slots a power of two
     */
    WorkRing(int slots, int maxSges, long maxMessage) {
        this.mask = slots - 1;
        this.maxSges = maxSges;
        this.maxMessage = maxMessage;
        wrIds = new long[slots];
        sgeCounts = new int[slots];
        lkeys = new int[slots * maxSges];
        addresses = new long[slots * maxSges];
        lengths = new long[slots * maxSges];
    }

    // ---- poster

    /** Begins a batch; one that was not submitted is forgotten. */
    final void start() {
        phase = STARTED;
        next = head;
        error = PostResult.POSTED;
    }

    /**
     * Ends the request before and begins one.
     *
     * @return whether it has a slot; else the batch has failed
     */
    protected final boolean beginSlot(long wrId) {
        if (hasFailed()) {
            return false;
        }
        if (phase == IDLE) {
            return fail(PostResult.BAD_SEQUENCE);
        }
        if (phase == OPEN && !end()) {
            return false;
        }
        int bound = (int) LIMIT.getOpaque(this);
        if (next - (int) TAIL.getAcquire(this) >= bound) {
            return fail(bound == 0 ? refusal : PostResult.QUEUE_FULL);
        }
        phase = OPEN;
        bytes = 0;
        slot = next & mask;
        wrIds[slot] = wrId;
        sgeCounts[slot] = 0;
        return true;
    }

    /** Whether a request has begun that data can be given to. */
    protected final boolean isOpen() {
        return phase == OPEN;
    }

    /** Whether a step of the batch went wrong: the later ones are not looked at. */
    protected final boolean hasFailed() {
        return error != PostResult.POSTED;
    }

    /** The batch fails; always false. */
    protected final boolean fail(PostResult why) {
        error = why;
        return false;
    }

    /** What is wrong with a piece of the request that is built, beyond its length as such. */
    protected boolean isBadPiece(long address, long length) {
        return false;
    }

    /** Entries that the request being built has so far. */
    protected final int pieces() {
        return sgeCounts[slot];
    }

    /** One more scatter/gather entry. */
    void sge(int lkey, long address, long length) {
        if (hasFailed()) {
            return;
        }
        if (!isOpen()) {
            fail(PostResult.BAD_SEQUENCE);
            return;
        }
        bytes += length;
        if (length < 0
                || length > maxMessage
                || bytes > maxMessage
                || isBadPiece(address, length)) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        int count = sgeCounts[slot];
        if (count == maxSges) {
            fail(PostResult.TOO_MANY_SGES);
            return;
        }
        int at = slot * maxSges + count;
        lkeys[at] = lkey;
        addresses[at] = address;
        lengths[at] = length;
        sgeCounts[slot] = count + 1;
    }

    /** What the request being built lacks; POSTED when nothing. Otherwise the batch fails. */
    protected PostResult flaw() {
        return PostResult.POSTED;
    }

    private boolean end() {
        PostResult flaw = flaw();
        if (flaw != PostResult.POSTED) {
            return fail(flaw);
        }
        next++;
        return true;
    }

    /** Ends the batch: the agent sees all of it, or nothing. */
    final PostResult submit() {
        int was = phase;
        phase = IDLE;
        if (!hasFailed()) {
            if (was != OPEN) {
                return PostResult.BAD_SEQUENCE;
            }
            if (end()) {
                HEAD.setRelease(this, next);
                return PostResult.POSTED;
            }
        }
        PostResult result = error;
        error = PostResult.POSTED;
        return result;
    }

    /** Ends the batch: nothing of it is posted. */
    final void abort() {
        phase = IDLE;
        error = PostResult.POSTED;
    }

    // ---- polling thread

    /** The request at this position has completed, and all before it. */
    final void complete(int position) {
        TAIL.setRelease(this, position + 1);
    }

    // ---- agent

    /** Whether a request was posted that {@link #take} has not taken. */
    protected final boolean hasNext() {
        return taken != (int) HEAD.getAcquire(this);
    }

    /** Position of the next request. */
    protected final int position() {
        return taken;
    }

    /** Slot of the next request. */
    protected final int nextSlot() {
        return taken & mask;
    }

    /** The poster's number of the next request. */
    protected final long nextWrId() {
        return wrIds[nextSlot()];
    }

    /** Copies the list of the next request. */
    protected final void copySges(SgeList to) {
        int from = nextSlot();
        int first = from * maxSges;
        for (int i = first; i < first + sgeCounts[from]; i++) {
            to.add(lkeys[i], addresses[i], lengths[i]);
        }
    }

    /** The next request has been read. */
    protected final void take() {
        taken++;
    }

    // ---- state

    /** Lets posts through, or not: then with that result. */
    final void open(boolean open, PostResult otherwise) {
        if (!open) {
            refusal = otherwise;
        }
        LIMIT.setRelease(this, open ? mask + 1 : 0);
    }

    /** Forgets everything, for a QP in RESET: neither poster nor agent is at it. */
    final void reset() {
        abort();
        taken = 0;
        TAIL.setRelease(this, 0);
        HEAD.setRelease(this, 0);
    }
}
