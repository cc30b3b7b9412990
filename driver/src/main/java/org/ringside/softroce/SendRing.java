package org.ringside.softroce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringside.roce.SendRequest;
import org.ringside.roce.SendRequest.Kind;
import org.ringside.roce.SendSource;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;

/**
 * The send half of a QP: work requests in arrays by field, one slot each.
 *
 * <pre>
 *          tail           taken          head
 *   --------|== at work ===|== posted ====|------   positions run freely
 *   moved by: polling       agent          poster
 * </pre>
 *
 * <p>A slot is free again when its completion, or that of a later request, was polled.
 */
final class SendRing implements SendSource {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle LIMIT;
    private static final Kind[] KINDS = Kind.values();

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(SendRing.class, "head", int.class);
            TAIL = lookup.findVarHandle(SendRing.class, "tail", int.class);
            LIMIT = lookup.findVarHandle(SendRing.class, "limit", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** No batch, a batch without requests, a request: without data, with entries, with inline. */
    private static final int IDLE = 0;

    private static final int STARTED = 1;
    private static final int OPEN = 2;
    private static final int GATHERED = 3;
    private static final int INLINED = 4;

    private final int mask;
    private final int maxSges;
    private final int maxInline;
    private final long maxMessage;
    private final int alwaysFlags;

    // One entry for each slot; of the lists maxSges.
    private final long[] wrIds;
    private final byte[] kinds;
    private final byte[] flags;
    private final int[] immediates;
    private final int[] rkeys;
    private final long[] remotes;
    private final long[] operands;
    private final long[] compares;
    private final int[] inlineLengths;
    private final int[] sgeCounts;
    private final int[] lkeys;
    private final long[] addresses;
    private final long[] lengths;
    private final MemorySegment inlineData;

    // The batch being built
    private int phase = IDLE;
    private int next;
    private int slot;
    private Kind kind = Kind.SEND;
    private long bytes;
    private PostResult error = PostResult.POSTED;

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
    SendRing(int slots, int maxSges, int maxInline, long maxMessage, boolean signalAll) {
        this.mask = slots - 1;
        this.maxSges = maxSges;
        this.maxInline = maxInline;
        this.maxMessage = maxMessage;
        this.alwaysFlags = signalAll ? SendFlags.SIGNALED : SendFlags.NONE;
        wrIds = new long[slots];
        kinds = new byte[slots];
        flags = new byte[slots];
        immediates = new int[slots];
        rkeys = new int[slots];
        remotes = new long[slots];
        operands = new long[slots];
        compares = new long[slots];
        inlineLengths = new int[slots];
        sgeCounts = new int[slots];
        lkeys = new int[slots * maxSges];
        addresses = new long[slots * maxSges];
        lengths = new long[slots * maxSges];
        inlineData = Arena.ofAuto().allocate(Math.max((long) slots * maxInline, 1), 8);
    }

    // ---- poster

    /** Begins a batch; one that was not submitted is forgotten. */
    void start() {
        phase = STARTED;
        next = head;
        error = PostResult.POSTED;
    }

    /** Ends the request before and begins one. */
    void begin(Kind what, long wrId, int withFlags, int immediate) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase == IDLE) {
            error = PostResult.BAD_SEQUENCE;
            return;
        }
        if (phase != STARTED && !end()) {
            return;
        }
        int bound = (int) LIMIT.getOpaque(this);
        if (next - (int) TAIL.getAcquire(this) >= bound) {
            error = bound == 0 ? refusal : PostResult.QUEUE_FULL;
            return;
        }
        phase = OPEN;
        kind = what;
        bytes = 0;
        slot = next & mask;
        wrIds[slot] = wrId;
        kinds[slot] = (byte) what.ordinal();
        flags[slot] = (byte) (withFlags | alwaysFlags);
        immediates[slot] = immediate;
        inlineLengths[slot] = -1;
        sgeCounts[slot] = 0;
    }

    /** Memory of the peer, for the request just begun. */
    void remote(int rkey, long address) {
        if (error == PostResult.POSTED) {
            rkeys[slot] = rkey;
            remotes[slot] = address;
        }
    }

    /** Memory of the peer and operands, for the atomic just begun. */
    void atomic(int rkey, long address, long swapOrAdd, long compare) {
        if (error != PostResult.POSTED) {
            return;
        }
        if ((address & 7) != 0) {
            error = PostResult.BAD_LENGTH;
            return;
        }
        remote(rkey, address);
        operands[slot] = swapOrAdd;
        compares[slot] = compare;
    }

    /** One more scatter/gather entry. */
    void sge(int lkey, long address, long length) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase != OPEN && phase != GATHERED) {
            error = PostResult.BAD_SEQUENCE;
            return;
        }
        phase = GATHERED;
        bytes += length;
        if (length < 0
                || length > maxMessage
                || bytes > maxMessage
                || isAtomic() && (length != Long.BYTES || (address & 7) != 0)) {
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

    /** Inline data, behind what is there already. */
    void inline(MemorySegment from, long offset, int length) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase != OPEN && phase != INLINED) {
            error = PostResult.BAD_SEQUENCE;
            return;
        }
        if (isAtomic() || kind == Kind.READ) {
            error = PostResult.NOT_SUPPORTED;
            return;
        }
        phase = INLINED;
        int before = Math.max(inlineLengths[slot], 0);
        if (length < 0) {
            error = PostResult.BAD_LENGTH;
        } else if (length > maxInline - before) {
            error = PostResult.INLINE_TOO_LARGE;
        } else {
            MemorySegment.copy(from, offset, inlineData, (long) slot * maxInline + before, length);
            inlineLengths[slot] = before + length;
        }
    }

    private boolean isAtomic() {
        return kind == Kind.COMPARE_SWAP || kind == Kind.FETCH_ADD;
    }

    private boolean end() {
        if (isAtomic() && sgeCounts[slot] != 1) {
            error = PostResult.BAD_LENGTH;
            return false;
        }
        next++;
        return true;
    }

    /** Ends the batch: the agent sees all of it, or nothing. */
    PostResult submit() {
        int was = phase;
        phase = IDLE;
        if (error == PostResult.POSTED) {
            if (was < OPEN) {
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
    void abort() {
        phase = IDLE;
        error = PostResult.POSTED;
    }

    // ---- polling thread

    /** The request at this position has completed, and all before it. */
    void complete(int position) {
        TAIL.setRelease(this, position + 1);
    }

    // ---- agent

    @Override
    public boolean next(SendRequest into) {
        if (taken == (int) HEAD.getAcquire(this)) {
            return false;
        }
        int from = taken & mask;
        into.clear();
        into.id = wrIds[from];
        into.index = taken;
        into.kind = KINDS[kinds[from]];
        into.signaled = (flags[from] & SendFlags.SIGNALED) != 0;
        into.solicited = (flags[from] & SendFlags.SOLICITED) != 0;
        into.fence = (flags[from] & SendFlags.FENCE) != 0;
        into.immediate = immediates[from];
        into.rkey = rkeys[from];
        into.remoteAddress = remotes[from];
        into.swapOrAdd = operands[from];
        into.compare = compares[from];
        int inlined = inlineLengths[from];
        if (inlined >= 0) {
            MemorySegment.copy(inlineData, (long) from * maxInline, into.inlineData(), 0, inlined);
            into.inlineLength = inlined;
        } else {
            int first = from * maxSges;
            for (int i = first; i < first + sgeCounts[from]; i++) {
                into.sges().add(lkeys[i], addresses[i], lengths[i]);
            }
        }
        taken++;
        return true;
    }

    // ---- state

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
