package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringside.verbs.PostResult;

/**
 * What both halves of a QP are: a ring of places, each with memory for one work request of C and
 * its scatter/gather list. A batch is built in the places that follow the head, linked, and handed
 * over as a whole; the library reads it during that call and not later.
 *
 * <pre>
 *        tail                 head        next
 *   ------|== at the device ==|== built ==|-----   positions run freely
 *   moved by: polling          poster, at submit
 * </pre>
 *
 * <p>A place is free again when its completion, or that of a later request, was polled.
 */
abstract class WorkQueue {
    private static final VarHandle TAIL;
    private static final VarHandle LIMIT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(WorkQueue.class, "tail", int.class);
            LIMIT = lookup.findVarHandle(WorkQueue.class, "limit", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int IDLE = 0;
    private static final int STARTED = 1;
    private static final int IN_REQUEST = 2;

    /** Both kinds of request have these at one offset, see {@link Abi.SendWr}. */
    private static final int NEXT = Abi.RecvWr.NEXT;

    private static final int SG_LIST = Abi.RecvWr.SG_LIST;
    private static final int NUM_SGE = Abi.RecvWr.NUM_SGE;

    private final int places;
    private final int mask;
    private final int stride;
    private final int maxSges;
    private final long maxMessage;
    private final MemorySegment memory;
    private final long requests;
    private final long lists;
    private final long bad;
    private final long[] wrIds;

    private int phase = IDLE;
    private PostResult error = PostResult.POSTED;
    private int head;
    private int next;
    private long bytes;
    private long tagBase;

    @SuppressWarnings("unused")
    private int tail;

    /** Requests that may be at the device: all places, or none when nothing may be posted. */
    @SuppressWarnings("unused")
    private int limit;

    private volatile PostResult refusal = PostResult.WRONG_STATE;

    /** Address of the request being built. */
    protected long request;

    /** Scatter/gather entries that it has so far. */
    protected int sges;

    /**
     * Memory for it comes from an arena of the QP.
     *
     * @param capacity requests at the device at most
     * @param stride size of a request in C
     */
    WorkQueue(Arena arena, int capacity, int stride, int maxSges, long maxMessage) {
        this.places = capacity;
        int slots = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        this.mask = slots - 1;
        this.stride = stride;
        this.maxSges = maxSges;
        this.maxMessage = maxMessage;
        this.wrIds = new long[slots];
        long listBytes = (long) maxSges * Abi.Sge.SIZE;
        this.memory = arena.allocate(slots * (stride + listBytes) + Long.BYTES, 64);
        this.requests = memory.address();
        this.lists = requests + (long) slots * stride;
        this.bad = lists + slots * listBytes;
        for (int i = 0; i < slots; i++) {
            Raw.putLong(requests + (long) i * stride + SG_LIST, lists + i * listBytes);
        }
    }

    /** Where a call says which request it did not like. */
    protected final long bad() {
        return bad;
    }

    protected final int places() {
        return mask + 1;
    }

    /** Index of the place of the request being built. */
    protected final int place() {
        return next & mask;
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
     * @return whether there is a place for it; else the batch has failed
     */
    protected final boolean beginRequest(long wrId) {
        if (error != PostResult.POSTED) {
            return false;
        }
        if (phase == IDLE) {
            return fail(PostResult.BAD_SEQUENCE);
        }
        long before = 0;
        if (phase == IN_REQUEST) {
            before = request;
            if (!endRequest()) {
                return false;
            }
        }
        int bound = (int) LIMIT.getOpaque(this);
        if (next - (int) TAIL.getAcquire(this) >= bound) {
            return fail(bound == 0 ? refusal : PostResult.QUEUE_FULL);
        }
        phase = IN_REQUEST;
        int place = next & mask;
        request = requests + (long) place * stride;
        if (before != 0) {
            Raw.putLong(before + NEXT, request);
        }
        Raw.putLong(request, Tag.of(tagBase, next));
        wrIds[place] = wrId;
        sges = 0;
        bytes = 0;
        return true;
    }

    protected final boolean isInRequest() {
        return phase == IN_REQUEST;
    }

    /** Whether a step of the batch went wrong: later ones are not looked at. */
    protected final boolean hasFailed() {
        return error != PostResult.POSTED;
    }

    /** The batch fails; always false. */
    protected final boolean fail(PostResult why) {
        error = why;
        return false;
    }

    /** What else is wrong with a piece of the request being built; POSTED for nothing. */
    protected PostResult checkPiece(long address, long length) {
        return PostResult.POSTED;
    }

    /** One more scatter/gather entry. */
    final void sge(int lkey, long address, long length) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase != IN_REQUEST) {
            fail(PostResult.BAD_SEQUENCE);
            return;
        }
        PostResult wrong = checkPiece(address, length);
        if (wrong != PostResult.POSTED) {
            fail(wrong);
            return;
        }
        bytes += length;
        if (length < 0 || length > maxMessage || bytes > maxMessage) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        if (sges == maxSges) {
            fail(PostResult.TOO_MANY_SGES);
            return;
        }
        putSge(lkey, address, (int) length);
    }

    /** Writes the next entry of the request's list. */
    protected final void putSge(int lkey, long address, int length) {
        long at = lists + ((long) (next & mask) * maxSges + sges) * Abi.Sge.SIZE;
        Raw.putLong(at + Abi.Sge.ADDR, address);
        Raw.putInt(at + Abi.Sge.LENGTH, length);
        Raw.putInt(at + Abi.Sge.LKEY, lkey);
        sges++;
    }

    /** Completes the request being built; POSTED when nothing is wrong with it. */
    protected PostResult finish() {
        Raw.putInt(request + NUM_SGE, sges);
        return PostResult.POSTED;
    }

    private boolean endRequest() {
        PostResult wrong = finish();
        if (wrong != PostResult.POSTED) {
            return fail(wrong);
        }
        next++;
        return true;
    }

    /** Hands a list of requests to the library: 0, or an error number. */
    protected abstract int post(long first);

    /** Ends the batch and hands it over. */
    final PostResult submit() {
        int was = phase;
        phase = IDLE;
        if (error == PostResult.POSTED) {
            if (was != IN_REQUEST) {
                return PostResult.BAD_SEQUENCE;
            }
            if (endRequest()) {
                return handOver();
            }
        }
        PostResult result = error;
        error = PostResult.POSTED;
        return result;
    }

    private PostResult handOver() {
        Raw.putLong(request + NEXT, 0);
        int from = head;
        head = next;
        // The application's numbers, before a completion can ask for them.
        VarHandle.releaseFence();
        int errno = post(requests + (long) (from & mask) * stride);
        return errno == 0 ? PostResult.POSTED : refused(from, errno);
    }

    /** What was before the request that was not liked is at the device. */
    private PostResult refused(int from, int errno) {
        long first = Raw.getLong(bad);
        head = from;
        if (first != 0 && first != requests + (long) (from & mask) * stride) {
            head = from + ((int) ((first - requests) / stride) - from & mask);
        }
        return Refusals.of(errno);
    }

    /** Ends the batch: nothing of it is posted. */
    final void abort() {
        phase = IDLE;
        error = PostResult.POSTED;
    }

    // ---- polling thread

    /** The application's number of the request at a position. */
    final long wrId(int position) {
        return wrIds[position & mask];
    }

    /** The request at this position has completed, and all before it. */
    final void complete(int position) {
        TAIL.setRelease(this, position + 1);
    }

    /** Whether requests are left that a device which has gone will not complete. */
    final boolean hasOutstanding() {
        return head != (int) TAIL.getAcquire(this);
    }

    /** The tag of the oldest one. */
    final long oldest() {
        return Tag.of(tagBase, tail);
    }

    // ---- state

    /** Lets posts through, or not: then with that result. */
    final void open(boolean open, PostResult otherwise) {
        if (!open) {
            refusal = otherwise;
        }
        LIMIT.setRelease(this, open ? places : 0);
    }

    /** Forgets everything, and has other tags from now on. */
    final void reset(long newTagBase) {
        abort();
        tagBase = newTagBase;
        head = 0;
        next = 0;
        TAIL.setRelease(this, 0);
    }
}
