package org.ringside.verbs.kernel;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/**
 * What both kinds of CQ share: a completion leads by its {@link Tag} to the application's number,
 * and frees the queue up to it.
 */
abstract class KernelCq extends CompletionQueue {
    /** Numbers of enum ibv_wc_status that the API knows; later ones are of tag matching. */
    private static final int STATUSES = WcStatus.values().length;

    private static final int ACK_AT = 256;

    final KernelContext context;
    final long cq;
    private final @Nullable KernelChannel channel;
    private int eventsToAck;

    // The completion that the cursor stands at
    private long wrId;
    private WcStatus status = WcStatus.SUCCESS;
    private boolean isReceive;
    private int flushedQp;
    private boolean isFlushed;

    KernelCq(KernelContext context, long cq, @Nullable KernelChannel channel) {
        super(context, Raw.getInt(cq + Abi.Cq.HANDLE));
        this.context = context;
        this.cq = cq;
        this.channel = channel;
    }

    @Override
    public final int capacity() {
        return Raw.getInt(cq + Abi.Cq.CQE);
    }

    /**
     * The device's completion becomes the cursor's.
     *
     * @return false when it is of a QP that has been reset or closed since
     */
    final boolean accept(long tag, int number) {
        int owner = Tag.ownerOf(tag);
        KernelQp qp = context.qpOf(owner);
        if (qp == null) {
            return false;
        }
        VarHandle.acquireFence();
        isReceive = Tag.isReceive(tag);
        isFlushed = false;
        WorkQueue queue = isReceive ? qp.receives() : qp.sends();
        int position = Tag.positionOf(tag);
        wrId = queue.wrId(position);
        queue.complete(position);
        status = number < STATUSES ? WcStatus.of(number) : WcStatus.GENERAL_ERR;
        if (number != 0) {
            qp.sawError();
        }
        return true;
    }

    /** A device that has gone completes nothing more: the oldest request here is flushed by us. */
    final boolean flushOne() {
        if (!context.isLost()) {
            return false;
        }
        KernelQp qp = context.qpWithWork(this);
        if (qp == null) {
            return false;
        }
        WorkQueue queue =
                equals(qp.sendCq()) && qp.sends().hasOutstanding() ? qp.sends() : qp.receives();
        boolean accepted = accept(queue.oldest(), WcStatus.WR_FLUSH_ERR.ordinal());
        isFlushed = accepted;
        flushedQp = qp.number();
        return accepted;
    }

    /** Whether the cursor stands at a completion that the device did not make. */
    final boolean isFlushed() {
        return isFlushed;
    }

    final int flushedQp() {
        return flushedQp;
    }

    @Override
    public final long wrId() {
        return wrId;
    }

    @Override
    public final WcStatus status() {
        return status;
    }

    /** The device's code of an error; the number of the status where it has none, as rxe. */
    final int vendorErrorOr(int code) {
        return status == WcStatus.SUCCESS ? 0 : code == 0 ? status.ordinal() : code;
    }

    /** From enum ibv_wc_opcode, which is not set unless the request succeeded. */
    final WcOpcode opcodeOf(int number) {
        if (number >= Abi.Wc.RECV) {
            return number == Abi.Wc.RECV ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM;
        }
        if (isReceive || number > WcOpcode.LOCAL_INV.ordinal()) {
            return isReceive ? WcOpcode.RECV : WcOpcode.SEND;
        }
        return WcOpcode.of(number);
    }

    /** Bytes, for what has them. */
    final long lengthOf(int opcode, int length) {
        boolean has = isReceive || opcode >= WcOpcode.RDMA_READ.ordinal() && opcode < Abi.Wc.RECV;
        return has && status == WcStatus.SUCCESS ? Integer.toUnsignedLong(length) : 0;
    }

    final boolean hasImmediateIn(int flags) {
        return isReceive && status == WcStatus.SUCCESS && (flags & Abi.Wc.WITH_IMM) != 0;
    }

    @Override
    public final int poll(WorkCompletions into) {
        into.clear();
        if (!startPoll()) {
            return 0;
        }
        do {
            append(into);
        } while (into.size() < into.capacity() && nextPoll());
        endPoll();
        return into.size();
    }

    private void append(WorkCompletions into) {
        into.append(
                wrId,
                status,
                opcode(),
                byteLength(),
                hasImmediate(),
                immediate(),
                qpNumber(),
                vendorError());
    }

    @Override
    public final void requestNotify(boolean solicitedOnly) {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        if (channel == null) {
            throw new IllegalStateException(
                    this + " was made without a channel; give createCq one to be notified");
        }
        context.requestNotify(cq, solicitedOnly);
    }

    /** An event of it was taken from the channel. Acknowledging costs a lock, so some at once. */
    final void gotEvent() {
        if (++eventsToAck == ACK_AT) {
            acknowledge();
        }
    }

    private void acknowledge() {
        if (eventsToAck > 0) {
            context.verbs().ibv_ack_cq_events(cq, eventsToAck);
            eventsToAck = 0;
        }
    }

    /** The library waits for all events to be acknowledged. */
    @Override
    protected final void doClose() throws VerbsException {
        KernelChannel source = channel;
        if (source == null) {
            destroy();
            return;
        }
        synchronized (source.eventLock()) {
            acknowledge();
            destroy();
        }
    }

    private void destroy() throws VerbsException {
        context.closed(this, context.verbs().ibv_destroy_cq(cq));
        context.forget(this);
        closeMemory();
    }

    /** Frees what the object has beside the CQ. */
    abstract void closeMemory();
}
