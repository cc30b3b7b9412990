package org.ringside.mlx5;

import static org.ringside.mlx5.layout.Cqe64.BYTE_CNT_OFFSET;
import static org.ringside.mlx5.layout.Cqe64.IMM_INVAL_PKEY_OFFSET;
import static org.ringside.mlx5.layout.Cqe64.SOP_DROP_QPN_OFFSET;

import java.lang.foreign.Arena;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.WqeOpcode;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/**
 * The ring of a CQ: 64-byte CQEs that the device writes and we read in place (Adapters PRM,
 * Completion Queue; rdma-core cq.c).
 *
 * <pre>
 *   index   0 ... n-1 | n ... 2n-1 | 2n ...
 *   owner      0      |     1      |   0       in bit 0 of byte 63; the ring starts with 1
 *
 *   byte 56: | WQE opcode 8 | QP number 24 | WQE counter 16 | signature 8 | opcode 4, flags 3, owner 1 |
 * </pre>
 *
 * The last eight bytes are read by one load, so owner and what it guards there belong together;
 * everything else is read after it.
 *
 * <p>When the device is lost, completions of what is still outstanding are made here, with status
 * WR_FLUSH_ERR.
 *
 * <p>Threading: one thread at a time; {@link #lose()}, {@link #attach} and {@link #detach} by any.
 */
public final class CompletionRing {
    /** Bytes of a CQE. */
    public static final int CQE = 64;

    private static final int CQE_SHIFT = 6;
    private static final byte[] SEND_OPCODES = sendOpcodes();

    // Not final only for retire().
    private RingMemory ring;
    private RingMemory record;
    private int log;
    private int mask;
    private final QpTable qps;

    private int consumer;
    private int consumed;

    /** Of the completion before; most come from the same QP. */
    private @Nullable WorkQueues last;

    // The completion that the cursor stands at: the last eight bytes of its CQE, the caller's
    // number, and, when it is an error, status in bits 7-0 with vendor error in bits 15-8.
    private long word;
    private long wrId;
    private int errors;

    /** Rings whose completions come here, and for which half; for a lost device. */
    private volatile Attachment[] attachments = {};

    private volatile boolean lost;

    private record Attachment(WorkQueues queues, boolean send, boolean receive) {}

    /**
     * A ring over memory that {@link #initialize} has prepared.
     *
     * @param log log2 of the number of CQEs
     * @param record the CQ's doorbell record
     */
    public CompletionRing(RingMemory ring, int log, RingMemory record, QpTable qps) {
        ring.require(0, (long) CQE << log, "a completion queue");
        record.require(0, DoorbellRecord.SIZE, "its doorbell record");
        this.ring = ring;
        this.record = record;
        this.qps = qps;
        this.log = log;
        this.mask = (1 << log) - 1;
    }

    /** Makes all entries the device's: opcode invalid, owner 1. */
    public static void initialize(RingMemory ring, int log) {
        for (int i = 0; i < 1 << log; i++) {
            ring.putLong(((long) i << CQE_SHIFT) + SOP_DROP_QPN_OFFSET, CqeOpcode.INVALID << 4 | 1);
        }
    }

    /** CQEs that it holds. */
    public int capacity() {
        return mask + 1;
    }

    // ---- cursor

    /** To the oldest completion; whether there is one. */
    public boolean startPoll() {
        if (advance()) {
            return true;
        }
        // What was skipped has no round that ends.
        endPoll();
        return false;
    }

    /** To the next completion of the round; whether there is one. */
    public boolean nextPoll() {
        return advance();
    }

    /** Gives the room of what was seen back to the device. */
    public void endPoll() {
        if (consumer != consumed) {
            consumed = consumer;
            Barriers.consumedBeforeDoorbell();
            record.putIntRelease(DoorbellRecord.CONSUMER_INDEX, consumer & 0xff_ffff);
        }
    }

    /** As many completions as there are and the storage holds; how many. */
    public int poll(WorkCompletions into) {
        into.clear();
        int room = into.capacity();
        int n = 0;
        while (n < room && advance()) {
            into.append(
                    wrId,
                    status(),
                    opcode(),
                    byteLength(),
                    hasImmediate(),
                    immediate(),
                    qpNumber(),
                    vendorError());
            n++;
        }
        endPoll();
        return n;
    }

    /** The common case: a good completion of a send of the same QP as the one before. */
    private boolean advance() {
        if (!fetch()) {
            return lost && flushNext();
        }
        long found = word;
        WorkQueues queues = last;
        if (queues != null && number(found) == queues.qpNumber && opcode(found) == CqeOpcode.REQ) {
            wrId = queues.send.complete(wqeCounter(found));
            return true;
        }
        return accept() || skip();
    }

    /** To the next that is a completion. */
    private boolean skip() {
        while (fetch()) {
            if (accept()) {
                return true;
            }
        }
        return lost && flushNext();
    }

    /** Takes the next CQE from the device, if it is ours. */
    private boolean fetch() {
        int index = consumer;
        long found = ring.getLongAcquire(lastWordOf(index));
        if (((int) found & 1) != (index >>> log & 1)) {
            return false;
        }
        Barriers.ownerBeforeContents();
        consumer = index + 1;
        word = found;
        return true;
    }

    /** Whether what was fetched is a completion; it is not when its QP has gone. */
    private boolean accept() {
        WorkQueues queues = qps.get(number(word));
        last = queues;
        if (queues == null) {
            return false;
        }
        switch (opcode(word)) {
            case CqeOpcode.REQ, CqeOpcode.REQ_ERR -> wrId = queues.send.complete(wqeCounter(word));
            case CqeOpcode.RESP_WR_IMM,
                    CqeOpcode.RESP_SEND,
                    CqeOpcode.RESP_SEND_IMM,
                    CqeOpcode.RESP_SEND_INV,
                    CqeOpcode.RESP_ERR ->
                    wrId = queues.receive.complete();
            default -> {
                // Resizes and the like, which this driver does not ask for.
                return false;
            }
        }
        if (isError(word)) {
            int syndromes = ring.getInt(entry() + SOP_DROP_QPN_OFFSET - Integer.BYTES);
            errors = syndromes & 0xff00 | statusOf(syndromes & 0xff).ordinal();
            queues.failed();
        }
        return true;
    }

    private long lastWordOf(int index) {
        return ((long) (index & mask) << CQE_SHIFT) + SOP_DROP_QPN_OFFSET;
    }

    private static int number(long word) {
        return (int) (word >>> 32) & 0xff_ffff;
    }

    private static int opcode(long word) {
        return (int) word >>> 4 & 0xf;
    }

    private static int wqeCounter(long word) {
        return (int) word >>> 16 & 0xffff;
    }

    private static boolean isError(long word) {
        return opcode(word) >= CqeOpcode.REQ_ERR;
    }

    // ---- accessors

    /** Caller's number of the work request. */
    public long wrId() {
        return wrId;
    }

    public WcStatus status() {
        return isError(word) ? WcStatus.of(errors & 0xff) : WcStatus.SUCCESS;
    }

    /** Meaningful on success. */
    public WcOpcode opcode() {
        int opcode = opcode(word);
        if (opcode == CqeOpcode.REQ) {
            return WcOpcode.of(SEND_OPCODES[(int) (word >>> 56)]);
        }
        return opcode == CqeOpcode.RESP_WR_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV;
    }

    /** Bytes received or read; 8 for an atomic. */
    public long byteLength() {
        return ring.getInt(entry() + BYTE_CNT_OFFSET) & 0xffff_ffffL;
    }

    public boolean hasImmediate() {
        int opcode = opcode(word);
        return opcode == CqeOpcode.RESP_SEND_IMM || opcode == CqeOpcode.RESP_WR_IMM;
    }

    /** Immediate data as the sender gave it: big endian on the wire. */
    public int immediate() {
        return ring.getInt(entry() + IMM_INVAL_PKEY_OFFSET);
    }

    public int qpNumber() {
        return number(word);
    }

    public int vendorError() {
        return isError(word) ? errors >>> 8 : 0;
    }

    /** Offset of the CQE that the cursor stands at: the last that was consumed. */
    private long entry() {
        return (long) (consumer - 1 & mask) << CQE_SHIFT;
    }

    /** CQEs consumed, for the doorbell that arms. */
    int consumer() {
        return consumer;
    }

    // ---- a lost device

    /** Completions of a QP's halves come here. */
    public synchronized void attach(WorkQueues queues, boolean send, boolean receive) {
        Attachment[] more = Arrays.copyOf(attachments, attachments.length + 1);
        more[attachments.length] = new Attachment(queues, send, receive);
        attachments = more;
    }

    /** The QP has gone. */
    public synchronized void detach(WorkQueues queues) {
        attachments =
                Arrays.stream(attachments)
                        .filter(each -> each.queues() != queues)
                        .toArray(Attachment[]::new);
    }

    /** The device has died: what is outstanding completes here. */
    public void lose() {
        lost = true;
    }

    private boolean flushNext() {
        for (Attachment each : attachments) {
            WorkQueues queues = each.queues();
            if (each.send() && queues.send.hasOutstanding()) {
                return flushed(queues, queues.send.flushOldest(), CqeOpcode.REQ_ERR);
            }
            if (each.receive() && queues.receive.hasOutstanding()) {
                return flushed(queues, queues.receive.complete(), CqeOpcode.RESP_ERR);
            }
        }
        return false;
    }

    private boolean flushed(WorkQueues queues, long id, int opcode) {
        wrId = id;
        word = (long) queues.qpNumber << 32 | opcode << 4;
        errors = WcStatus.WR_FLUSH_ERR.ordinal();
        return true;
    }

    /**
     * The CQ is closed and its memory may soon be another's: from now on there is nothing to find
     * and nothing is written.
     */
    void retire() {
        ring = RingMemory.of(Arena.ofAuto().allocate(CQE, CQE));
        record = RingMemory.of(Arena.ofAuto().allocate(DoorbellRecord.SIZE, DoorbellRecord.SIZE));
        initialize(ring, 0);
        mask = 0;
        log = Integer.SIZE - 1;
        consumer = 0;
        consumed = 0;
        attachments = new Attachment[0];
    }

    // ---- cleaning

    /**
     * Takes completions of a QP out of the ring, those not polled. The others move towards the
     * producer's end, keeping their order (rdma-core cq.c, CQ clean).
     */
    void clean(int qpNumber) {
        int producer = consumer;
        while (producer - consumer <= mask && isOurs(producer)) {
            producer++;
        }
        int freed = 0;
        for (int i = producer - 1; i - consumer >= 0; i--) {
            long from = (long) (i & mask) << CQE_SHIFT;
            if (number(ring.getLong(from + SOP_DROP_QPN_OFFSET)) == qpNumber) {
                freed++;
            } else if (freed > 0) {
                move(from, i + freed);
            }
        }
        consumer += freed;
        last = null;
        endPoll();
    }

    private boolean isOurs(int index) {
        long found = ring.getLongAcquire(lastWordOf(index));
        return ((int) found & 1) == (index >>> log & 1);
    }

    /** A CQE to another index; the owner bit is that of its new place. */
    private void move(long from, int toIndex) {
        long to = (long) (toIndex & mask) << CQE_SHIFT;
        for (int i = 0; i < SOP_DROP_QPN_OFFSET; i += Long.BYTES) {
            ring.putLong(to + i, ring.getLong(from + i));
        }
        long tail = ring.getLong(from + SOP_DROP_QPN_OFFSET);
        ring.putLong(to + SOP_DROP_QPN_OFFSET, tail & ~1L | toIndex >>> log & 1);
    }

    /** CQE syndrome to the verbs' status (rdma-core cq.c). */
    static WcStatus statusOf(int syndrome) {
        return switch (syndrome) {
            case CqeSyndrome.LOCAL_LENGTH_ERR -> WcStatus.LOC_LEN_ERR;
            case CqeSyndrome.LOCAL_QP_OP_ERR -> WcStatus.LOC_QP_OP_ERR;
            case CqeSyndrome.LOCAL_PROT_ERR -> WcStatus.LOC_PROT_ERR;
            case CqeSyndrome.WR_FLUSH_ERR -> WcStatus.WR_FLUSH_ERR;
            case CqeSyndrome.MW_BIND_ERR -> WcStatus.MW_BIND_ERR;
            case CqeSyndrome.BAD_RESP_ERR -> WcStatus.BAD_RESP_ERR;
            case CqeSyndrome.LOCAL_ACCESS_ERR -> WcStatus.LOC_ACCESS_ERR;
            case CqeSyndrome.REMOTE_INVAL_REQ_ERR -> WcStatus.REM_INV_REQ_ERR;
            case CqeSyndrome.REMOTE_ACCESS_ERR -> WcStatus.REM_ACCESS_ERR;
            case CqeSyndrome.REMOTE_OP_ERR -> WcStatus.REM_OP_ERR;
            case CqeSyndrome.TRANSPORT_RETRY_EXC_ERR -> WcStatus.RETRY_EXC_ERR;
            case CqeSyndrome.RNR_RETRY_EXC_ERR -> WcStatus.RNR_RETRY_EXC_ERR;
            case CqeSyndrome.REMOTE_ABORTED_ERR -> WcStatus.REM_ABORT_ERR;
            default -> WcStatus.GENERAL_ERR;
        };
    }

    private static byte[] sendOpcodes() {
        byte[] table = new byte[256];
        set(table, WqeOpcode.RDMA_WRITE, WcOpcode.RDMA_WRITE);
        set(table, WqeOpcode.RDMA_WRITE_IMM, WcOpcode.RDMA_WRITE);
        set(table, WqeOpcode.SEND, WcOpcode.SEND);
        set(table, WqeOpcode.SEND_IMM, WcOpcode.SEND);
        set(table, WqeOpcode.SEND_INVAL, WcOpcode.SEND);
        set(table, WqeOpcode.RDMA_READ, WcOpcode.RDMA_READ);
        set(table, WqeOpcode.ATOMIC_CS, WcOpcode.COMP_SWAP);
        set(table, WqeOpcode.ATOMIC_FA, WcOpcode.FETCH_ADD);
        set(table, WqeOpcode.BIND_MW, WcOpcode.BIND_MW);
        return table;
    }

    private static void set(byte[] table, int wqeOpcode, WcOpcode opcode) {
        table[wqeOpcode] = (byte) opcode.ordinal();
    }
}
