package org.ringside.mlx5;

import static org.ringside.mlx5.layout.WqeLayout.DATA_SIZE;
import static org.ringside.mlx5.layout.WqeLayout.TERMINATE_LKEY;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.verbs.PostResult;

/**
 * The receive half of a QP: entries of fixed size with data segments only, and the doorbell record;
 * there is no doorbell (Adapters PRM, Receive Queue; rdma-core qp.c).
 *
 * <pre>
 *   entry: | length lkey address | ... | 0 lkey 0x100 0 |   the last ends a list that is not full
 * </pre>
 *
 * <p>Threading: posts by one thread, {@link #complete} by the thread that polls, {@link #setLimit}
 * by any.
 */
public final class ReceiveQueue {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle LIMIT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(ReceiveQueue.class, "head", int.class);
            TAIL = lookup.findVarHandle(ReceiveQueue.class, "tail", int.class);
            LIMIT = lookup.findVarHandle(ReceiveQueue.class, "limit", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int IDLE = 0;
    private static final int STARTED = 1;
    private static final int OPEN = 2;

    private final RingMemory ring;
    private final RingMemory record;
    private final long base;
    private final int mask;
    private final int strideShift;
    private final int maxSges;
    private final long maxMessage;
    private final long[] wrIds;

    private int head;

    // The batch being built.
    private int phase = IDLE;
    private int next;
    private int sges;
    private int used;
    private long bytes;
    private PostResult error = PostResult.POSTED;

    /** Position of the oldest entry that has not completed. Written by the polling thread. */
    @SuppressWarnings("unused")
    private int tail;

    /** Entries that may be in use: all, or none when the state forbids to post. */
    @SuppressWarnings("unused")
    private int limit;

    private volatile PostResult refusal = PostResult.WRONG_STATE;

    /**
     * A queue that cannot be posted to until {@link #setLimit}.
     *
     * @param ring memory with the ring
     * @param base byte offset of the first entry
     * @param record the QP's doorbell record
     * @param entries a power of two up to 32768
     * @param strideShift log2 of the bytes of an entry
     * @param maxSges scatter/gather entries that callers may use
     */
    public ReceiveQueue(
            RingMemory ring,
            long base,
            RingMemory record,
            int entries,
            int strideShift,
            int maxSges,
            long maxMessage) {
        ring.require(base, (long) entries << strideShift, "a receive queue");
        record.require(0, DoorbellRecord.SIZE, "its doorbell record");
        this.ring = ring;
        this.base = base;
        this.record = record;
        this.mask = entries - 1;
        this.strideShift = strideShift;
        this.maxSges = maxSges;
        this.maxMessage = maxMessage;
        this.wrIds = new long[entries];
    }

    /** Posts one receive into one piece of memory. */
    public PostResult post(long wrId, int lkey, long address, long length) {
        int at = head;
        if (at - (int) TAIL.getAcquire(this) >= (int) LIMIT.getOpaque(this)
                || Long.compareUnsigned(length - 1, maxMessage) >= 0) {
            return postSlowly(wrId, lkey, address, length);
        }
        int slot = at & mask;
        long entry = base + ((long) slot << strideShift);
        ring.putLong(entry, length << 32 | lkey & 0xffff_ffffL);
        ring.putLong(entry + 8, address);
        if (1 << strideShift > DATA_SIZE) {
            ring.putLong(entry + 16, TERMINATE_LKEY);
            ring.putLong(entry + 24, 0);
        }
        wrIds[slot] = wrId;
        publish(at + 1);
        return PostResult.POSTED;
    }

    private PostResult postSlowly(long wrId, int lkey, long address, long length) {
        start();
        begin(wrId);
        sge(lkey, address, length);
        return submit();
    }

    /** Begins a batch; one that was not submitted is forgotten. */
    public void start() {
        phase = STARTED;
        next = head;
        error = PostResult.POSTED;
    }

    /** Ends the entry before and begins one. */
    public void begin(long wrId) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase == IDLE) {
            error = PostResult.BAD_SEQUENCE;
            return;
        }
        if (phase == OPEN) {
            endEntry();
        }
        int bound = (int) LIMIT.getOpaque(this);
        if (next - (int) TAIL.getAcquire(this) >= bound) {
            error = bound == 0 ? refusal : PostResult.QUEUE_FULL;
            return;
        }
        phase = OPEN;
        sges = 0;
        used = 0;
        bytes = 0;
        wrIds[next & mask] = wrId;
    }

    /** One more scatter/gather entry. */
    public void sge(int lkey, long address, long length) {
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
        if (++sges > maxSges) {
            error = PostResult.TOO_MANY_SGES;
            return;
        }
        if (length != 0) {
            // A length of 0 would mean 2^31 to the device.
            put(length << 32 | lkey & 0xffff_ffffL, address);
        }
    }

    private void put(long first, long second) {
        long at = base + ((long) (next & mask) << strideShift) + (long) used * DATA_SIZE;
        ring.putLong(at, first);
        ring.putLong(at + 8, second);
        used++;
    }

    private void endEntry() {
        if (used << 4 < 1 << strideShift) {
            put(TERMINATE_LKEY, 0);
        }
        next++;
    }

    /** Ends the batch: all of it is handed to the device, or nothing. */
    public PostResult submit() {
        int state = phase;
        phase = IDLE;
        PostResult result = error;
        error = PostResult.POSTED;
        if (result != PostResult.POSTED) {
            return result;
        }
        if (state != OPEN) {
            return PostResult.BAD_SEQUENCE;
        }
        endEntry();
        publish(next);
        return PostResult.POSTED;
    }

    /** Ends the batch: nothing of it is posted. */
    public void abort() {
        phase = IDLE;
        error = PostResult.POSTED;
    }

    private void publish(int newHead) {
        head = newHead;
        Barriers.wqeBeforeDoorbellRecord();
        record.putIntRelease(DoorbellRecord.RECEIVE, newHead & 0xffff);
    }

    /**
     * The oldest entry has completed.
     *
     * @return the caller's number of the work request
     */
    public long complete() {
        int at = (int) TAIL.getAcquire(this);
        long wrId = wrIds[at & mask];
        TAIL.setRelease(this, at + 1);
        return wrId;
    }

    /** Whether entries are outstanding. */
    boolean hasOutstanding() {
        return (int) TAIL.getAcquire(this) != (int) HEAD.getAcquire(this);
    }

    /** Lets posts through, or not: then with that result. */
    public void setLimit(boolean open, PostResult otherwise) {
        if (!open) {
            refusal = otherwise;
        }
        LIMIT.setRelease(this, open ? mask + 1 : 0);
    }

    /** Forgets everything, for a QP in RESET. */
    void reset() {
        head = 0;
        abort();
        TAIL.setRelease(this, 0);
        record.putIntRelease(DoorbellRecord.RECEIVE, 0);
    }

    @Override
    public String toString() {
        return "RQ[head=%d tail=%d of %d]".formatted(head, (int) TAIL.getAcquire(this), mask + 1);
    }
}
