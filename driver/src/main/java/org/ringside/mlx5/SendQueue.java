package org.ringside.mlx5;

import static org.ringside.mlx5.layout.WqeLayout.CTRL_CQ_UPDATE;
import static org.ringside.mlx5.layout.WqeLayout.CTRL_FENCE_SMALL_AND_FENCE;
import static org.ringside.mlx5.layout.WqeLayout.CTRL_SOLICITED;
import static org.ringside.mlx5.layout.WqeLayout.DS;
import static org.ringside.mlx5.layout.WqeLayout.INLINE_FLAG;
import static org.ringside.mlx5.layout.WqeLayout.MAX_DS;
import static org.ringside.mlx5.layout.WqeLayout.WQEBB;
import static org.ringside.mlx5.layout.WqeLayout.WQEBB_SHIFT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.Uar;
import org.ringside.mlx5.layout.WqeOpcode;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;
import org.ringside.vfio.Mmio;

/**
 * The send half of a QP: WQEs written in place in a ring of 64-byte blocks, then the doorbell
 * record, then the doorbell (Adapters PRM, Send Queue; rdma-core qp.c).
 *
 * <pre>
 *            tail                 head
 *   ring  ----|=====|==|====|======|-------   a WQE has one block or more, and may go over the end
 *              posted, not completed          positions count blocks and run freely
 *
 *   store order: WQE | record: head | doorbell: first 8 bytes of the last WQE
 * </pre>
 *
 * <p>Per block the table {@code after} has the position behind the WQE that starts there: a
 * completion of one WQE frees all before it, whether they asked for a completion or not.
 *
 * <p>Threading: posts by one thread, {@link #complete} by the thread that polls, {@link #setLimit}
 * by any.
 */
public final class SendQueue {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle LIMIT;
    private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(SendQueue.class, "head", int.class);
            TAIL = lookup.findVarHandle(SendQueue.class, "tail", int.class);
            LIMIT = lookup.findVarHandle(SendQueue.class, "limit", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** No operation has begun. */
    private static final int IDLE = 0;

    /** {@link #start} was called, nothing since. */
    private static final int STARTED = 1;

    /** In a WQE: no data yet, some by reference, some inline. */
    private static final int OPEN = 2;

    private static final int GATHERED = 3;
    private static final int INLINED = 4;

    private final RingMemory ring;
    private final RingMemory record;
    private final Mmio doorbells;
    private final long base;
    private final int mask;
    private final int qpnShifted;
    private final long maxMessage;
    private final int maxBlocks;
    private final int maxSges;
    private final int maxInline;
    private final int signalAll;
    private final long[] wrIds;
    private final int[] after;

    private int head;
    private long doorbell;

    // The batch being built.
    private int phase = IDLE;
    private int next;
    private int wqe;
    private int ds;
    private int sges;
    private int inlineBytes;
    private int segment;
    private int opcode;
    private int controlFlags;
    private int immediate;
    private long bytes;
    private long lastControl;
    private PostResult error = PostResult.POSTED;

    /** Position of the oldest WQE that has not completed. Written by the polling thread. */
    @SuppressWarnings("unused")
    private int tail;

    /** Blocks that may be in use: all, or none when the state forbids to post. */
    @SuppressWarnings("unused")
    private int limit;

    /** Why {@link #limit} is 0. */
    private volatile PostResult refusal = PostResult.WRONG_STATE;

    /** What a send queue is made with. */
    public record Config(
            int qpNumber,
            int blocks,
            int maxSges,
            int maxInline,
            boolean signalAll,
            long maxMessage) {
        /** Blocks of a WQE with the most data that it may have, and the largest head. */
        public int maxWqeBlocks() {
            return blocksOf(maxSges, maxInline);
        }

        /** Blocks of the largest WQE with so many scatter/gather entries or so much inline data. */
        public static int blocksOf(int sges, int inlineBytes) {
            int gathered = 2 + sges;
            int inlined = inlineBytes == 0 ? 2 : 2 + Math.ceilDiv(Integer.BYTES + inlineBytes, DS);
            // An atomic has one more segment before its only entry.
            return Math.ceilDiv(Math.max(4, Math.max(gathered, inlined)) * DS, WQEBB);
        }
    }

    /**
     * A queue that cannot be posted to until {@link #setLimit}.
     *
     * @param ring memory with the ring of {@code config.blocks()} blocks, a power of two up to
     *     32768
     * @param base byte offset of the first block, a multiple of 64
     * @param record the QP's doorbell record
     * @param doorbells the QP's UAR page
     */
    public SendQueue(RingMemory ring, long base, RingMemory record, Mmio doorbells, Config config) {
        ring.require(base, (long) config.blocks() << WQEBB_SHIFT, "a send queue");
        record.require(0, DoorbellRecord.SIZE, "its doorbell record");
        this.ring = ring;
        this.base = base;
        this.record = record;
        this.doorbells = doorbells;
        this.mask = config.blocks() - 1;
        this.qpnShifted = config.qpNumber() << 8;
        this.maxMessage = config.maxMessage();
        this.maxBlocks = config.maxWqeBlocks();
        this.maxSges = config.maxSges();
        this.maxInline = config.maxInline();
        this.signalAll = config.signalAll() ? CTRL_CQ_UPDATE : 0;
        this.wrIds = new long[config.blocks()];
        this.after = new int[config.blocks()];
        this.doorbell = Uar.SEND_DOORBELL;
    }

    // ---- one request, one call

    /** WRITE of one piece of memory. */
    public PostResult postWrite(
            long wrId, int flags, int lkey, long address, long length, int rkey, long remote) {
        return postRemote(WqeOpcode.RDMA_WRITE, wrId, flags, lkey, address, length, rkey, remote);
    }

    /** READ into one piece of memory. */
    public PostResult postRead(
            long wrId, int flags, int lkey, long address, long length, int rkey, long remote) {
        return postRemote(WqeOpcode.RDMA_READ, wrId, flags, lkey, address, length, rkey, remote);
    }

    private PostResult postRemote(
            int op,
            long wrId,
            int flags,
            int lkey,
            long address,
            long length,
            int rkey,
            long remote) {
        int at = head;
        if (at - (int) TAIL.getAcquire(this) >= (int) LIMIT.getOpaque(this)
                || Long.compareUnsigned(length - 1, maxMessage) >= 0) {
            return postRemoteSlowly(op, wrId, flags, lkey, address, length, rkey, remote);
        }
        int slot = at & mask;
        long block = base + ((long) slot << WQEBB_SHIFT);
        long control = control(at, op, 3);
        ring.putLong(block, control);
        ring.putLong(block + 8, (long) controlFlags(flags) << 32);
        ring.putLong(block + 16, remote);
        ring.putLong(block + 24, (long) rkey << 32);
        ring.putLong(block + 32, length << 32 | lkey & 0xffff_ffffL);
        ring.putLong(block + 40, address);
        wrIds[slot] = wrId;
        after[slot] = at + 1;
        ring(at + 1, control);
        return PostResult.POSTED;
    }

    /** SEND of one piece of memory. */
    public PostResult postSend(long wrId, int flags, int lkey, long address, long length) {
        int at = head;
        if (at - (int) TAIL.getAcquire(this) >= (int) LIMIT.getOpaque(this)
                || Long.compareUnsigned(length - 1, maxMessage) >= 0) {
            return postSendSlowly(wrId, flags, lkey, address, length);
        }
        int slot = at & mask;
        long block = base + ((long) slot << WQEBB_SHIFT);
        long control = control(at, WqeOpcode.SEND, 2);
        ring.putLong(block, control);
        ring.putLong(block + 8, (long) controlFlags(flags) << 32);
        ring.putLong(block + 16, length << 32 | lkey & 0xffff_ffffL);
        ring.putLong(block + 24, address);
        wrIds[slot] = wrId;
        after[slot] = at + 1;
        ring(at + 1, control);
        return PostResult.POSTED;
    }

    private PostResult postRemoteSlowly(
            int op,
            long wrId,
            int flags,
            int lkey,
            long address,
            long length,
            int rkey,
            long remote) {
        start();
        begin(op, wrId, flags, 0);
        remote(rkey, remote);
        sge(lkey, address, length);
        return submit();
    }

    private PostResult postSendSlowly(long wrId, int flags, int lkey, long address, long length) {
        start();
        begin(WqeOpcode.SEND, wrId, flags, 0);
        sge(lkey, address, length);
        return submit();
    }

    // ---- builder

    /** Begins a batch; one that was not submitted is forgotten. */
    public void start() {
        phase = STARTED;
        next = head;
        error = PostResult.POSTED;
    }

    /**
     * Ends the WQE before and begins one.
     *
     * @param op {@link WqeOpcode}
     * @param flags {@link SendFlags}
     */
    public void begin(int op, long wrId, int flags, int imm) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase == IDLE) {
            fail(PostResult.BAD_SEQUENCE);
            return;
        }
        if (phase != STARTED && !endWqe()) {
            return;
        }
        int bound = (int) LIMIT.getOpaque(this);
        if (next + maxBlocks - (int) TAIL.getAcquire(this) > bound) {
            fail(bound == 0 ? refusal : PostResult.QUEUE_FULL);
            return;
        }
        phase = OPEN;
        wqe = next;
        opcode = op;
        controlFlags = controlFlags(flags);
        immediate = imm;
        ds = 1;
        sges = 0;
        inlineBytes = 0;
        bytes = 0;
        segment = ((wqe & mask) << WQEBB_SHIFT) + DS;
        wrIds[wqe & mask] = wrId;
    }

    /** Remote address of the WQE just begun. */
    public void remote(int rkey, long address) {
        if (error == PostResult.POSTED) {
            segment(address, (long) rkey << 32);
        }
    }

    /** Remote address and operands of the atomic just begun; 8 bytes at a multiple of 8. */
    public void atomic(int rkey, long address, long swapOrAdd, long compare) {
        if (error != PostResult.POSTED) {
            return;
        }
        if ((address & 7) != 0) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        segment(address, (long) rkey << 32);
        segment(swapOrAdd, compare);
    }

    /** One more scatter/gather entry. */
    public void sge(int lkey, long address, long length) {
        if (error != PostResult.POSTED) {
            return;
        }
        if (phase != OPEN && phase != GATHERED) {
            fail(PostResult.BAD_SEQUENCE);
            return;
        }
        phase = GATHERED;
        bytes += length;
        if (length < 0 || length > maxMessage || bytes > maxMessage) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        if (isAtomic(opcode) && (length != Long.BYTES || (address & 7) != 0)) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        if (++sges > maxSges) {
            fail(PostResult.TOO_MANY_SGES);
            return;
        }
        if (length != 0) {
            // A length of 0 would mean 2^31 to the device.
            segment(length << 32 | lkey & 0xffff_ffffL, address);
        }
    }

    /** Inline data, behind what is there already. */
    public void inline(MemorySegment from, long offset, int length) {
        if (error != PostResult.POSTED) {
            return;
        }
        if ((phase != OPEN && phase != INLINED)
                || isAtomic(opcode)
                || opcode == WqeOpcode.RDMA_READ) {
            fail(
                    phase >= OPEN && phase != GATHERED
                            ? PostResult.NOT_SUPPORTED
                            : PostResult.BAD_SEQUENCE);
            return;
        }
        phase = INLINED;
        if (length < 0) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        if (length > maxInline - inlineBytes) {
            fail(PostResult.INLINE_TOO_LARGE);
            return;
        }
        int end = (mask + 1) << WQEBB_SHIFT;
        int at = segment + Integer.BYTES + inlineBytes;
        if (at >= end) {
            at -= end;
        }
        int first = Math.min(length, end - at);
        ring.copyIn(base + at, from, offset, first);
        if (first < length) {
            ring.copyIn(base, from, offset + first, length - first);
        }
        inlineBytes += length;
    }

    /** Ends the batch: all of it under one doorbell, or nothing. */
    public PostResult submit() {
        int state = phase;
        phase = IDLE;
        if (error != PostResult.POSTED) {
            return takeError();
        }
        if (state < OPEN) {
            return PostResult.BAD_SEQUENCE;
        }
        phase = state;
        boolean ended = endWqe();
        phase = IDLE;
        if (!ended) {
            return takeError();
        }
        ring(next, lastControl);
        return PostResult.POSTED;
    }

    /** Ends the batch: nothing of it is posted. */
    public void abort() {
        phase = IDLE;
        error = PostResult.POSTED;
    }

    private PostResult takeError() {
        PostResult result = error;
        error = PostResult.POSTED;
        return result;
    }

    private void fail(PostResult why) {
        error = why;
    }

    private void segment(long first, long second) {
        long at = base + segment;
        ring.putLong(at, first);
        ring.putLong(at + 8, second);
        ds++;
        segment += DS;
        if (segment == (mask + 1) << WQEBB_SHIFT) {
            segment = 0;
        }
    }

    private boolean endWqe() {
        if (inlineBytes > 0) {
            ring.putInt(base + segment, INLINE_FLAG | inlineBytes);
            ds += Math.ceilDiv(Integer.BYTES + inlineBytes, DS);
        }
        if (isAtomic(opcode) && sges != 1) {
            fail(PostResult.BAD_LENGTH);
            return false;
        }
        if (ds > MAX_DS) {
            fail(inlineBytes > 0 ? PostResult.INLINE_TOO_LARGE : PostResult.TOO_MANY_SGES);
            return false;
        }
        long block = base + ((long) (wqe & mask) << WQEBB_SHIFT);
        lastControl = control(wqe, opcode, ds);
        ring.putLong(block, lastControl);
        ring.putLong(block + 8, (long) controlFlags << 32 | immediate & 0xffff_ffffL);
        next = wqe + (ds * DS + WQEBB - 1 >>> WQEBB_SHIFT);
        after[wqe & mask] = next;
        return true;
    }

    private static boolean isAtomic(int op) {
        return op == WqeOpcode.ATOMIC_CS || op == WqeOpcode.ATOMIC_FA;
    }

    // ---- common

    private long control(int position, int op, int size) {
        return (long) ((position & 0xffff) << 8 | op) << 32 | (qpnShifted | size) & 0xffff_ffffL;
    }

    /** Verbs flags to fm_ce_se; SIGNALED 2 to 0x08, SOLICITED 4 to 0x02, FENCE 1 to 0x80. */
    private int controlFlags(int flags) {
        return signalAll
                | (flags & SendFlags.SIGNALED) * (CTRL_CQ_UPDATE / SendFlags.SIGNALED)
                | (flags & SendFlags.SOLICITED) / (SendFlags.SOLICITED / CTRL_SOLICITED)
                | (flags & SendFlags.FENCE) * CTRL_FENCE_SMALL_AND_FENCE;
    }

    private void ring(int newHead, long control) {
        head = newHead;
        Barriers.wqeBeforeDoorbellRecord();
        record.putIntRelease(DoorbellRecord.SEND, newHead & 0xffff);
        Barriers.recordBeforeDoorbell();
        long offset = doorbell;
        doorbells.putLong(offset, SWAP ? Long.reverseBytes(control) : control);
        Barriers.flushDoorbell();
        doorbell = offset ^ Uar.SEND_DOORBELL_TOGGLE;
    }

    // ---- the polling side

    /**
     * The WQE that starts at {@code counter} has completed, and all before it.
     *
     * @param counter position as the CQE has it, 16 bits
     * @return the caller's number of the work request
     */
    public long complete(int counter) {
        int slot = counter & mask;
        TAIL.setRelease(this, after[slot]);
        return wrIds[slot];
    }

    /** Whether WQEs are outstanding. */
    boolean hasOutstanding() {
        return (int) TAIL.getAcquire(this) != (int) HEAD.getAcquire(this);
    }

    /**
     * Completes the oldest WQE in software; only when {@link #hasOutstanding()}.
     *
     * @return the caller's number of the work request
     */
    long flushOldest() {
        return complete((int) TAIL.getAcquire(this));
    }

    // ---- state

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
        doorbell = Uar.SEND_DOORBELL;
        TAIL.setRelease(this, 0);
        record.putIntRelease(DoorbellRecord.SEND, 0);
    }

    @Override
    public String toString() {
        return "SQ[head=%d tail=%d of %d]".formatted(head, (int) TAIL.getAcquire(this), mask + 1);
    }
}
