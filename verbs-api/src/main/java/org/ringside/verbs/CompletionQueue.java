package org.ringside.verbs;

/**
 * Completion queue. The provider's own final class is this object: each fast operation is one
 * virtual call.
 *
 * <p>Polling with the cursor, no object per completion:
 *
 * <pre>{@code
 * if (cq.startPoll()) {
 *     do {
 *         use(cq.wrId(), cq.status());
 *     } while (cq.nextPoll());
 *     cq.endPoll();
 * }
 * }</pre>
 *
 * <p>Threading: one thread polls at a time; no lock is taken. {@link #requestNotify} belongs to the
 * polling thread. A QP of this CQ must not be closed while another thread polls.
 */
public abstract class CompletionQueue extends VerbsObject {
    private final Context context;

    /**
     * For providers.
     *
     * @param number the device's number of it
     */
    protected CompletionQueue(Context context, int number) {
        super("CQ 0x" + Integer.toHexString(number) + " on " + context.deviceName());
        this.context = context;
    }

    @Override
    final Object lock() {
        return context.lock();
    }

    public final Context context() {
        return context;
    }

    /** Completions that it holds. */
    public abstract int capacity();

    /**
     * Begins a round of polling at the oldest completion.
     *
     * @return whether there is one; if not, there is nothing to end
     */
    public abstract boolean startPoll();

    /**
     * Moves to the next completion of the round.
     *
     * @return whether there is one; if not, the accessors stay at the last
     */
    public abstract boolean nextPoll();

    /** Ends the round: what was seen is consumed and its room given back to the device. */
    public abstract void endPoll();

    /** Caller's number of the work request. */
    public abstract long wrId();

    public abstract WcStatus status();

    /** What completed; on success only. */
    public abstract WcOpcode opcode();

    /** Bytes received or read; on success, for a receive, READ or atomic. */
    public abstract long byteLength();

    /** Whether {@link #immediate()} is there. */
    public abstract boolean hasImmediate();

    /** Immediate data as the sender gave it. */
    public abstract int immediate();

    /** Number of the local QP. */
    public abstract int qpNumber();

    /** UD, a receive: number of the QP that sent it. */
    public int sourceQp() {
        return 0;
    }

    /**
     * UD, a receive: whether its first 40 bytes are a global route header (IBTA 8.3): on Ethernet
     * always, and there it is the IPv6 header, or 20 bytes of no meaning and the IPv4 header (Annex
     * A17.4.5.1). {@link #byteLength()} counts the 40 bytes in any case.
     */
    public boolean hasGrh() {
        return false;
    }

    /** The device's own error code, 0 on success. */
    public abstract int vendorError();

    /**
     * Takes as many completions as there are and the storage holds.
     *
     * @return how many
     */
    public abstract int poll(WorkCompletions into);

    /**
     * Arms the CQ: the next completion (the next solicited one) makes its channel report, once.
     * Completions that came before do not; poll after arming.
     *
     * @throws IllegalStateException when it was made without a channel
     */
    public abstract void requestNotify(boolean solicitedOnly);
}
