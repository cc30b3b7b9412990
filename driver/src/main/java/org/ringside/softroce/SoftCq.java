package org.ringside.softroce;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.Received;
import org.ringside.softroce.CompletionRing.Owner;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** A completion queue: a {@link CompletionRing}, and whether somebody waits for it. */
final class SoftCq extends CompletionQueue {
    private static final int NOT_ARMED = 0;
    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED = 2;

    private final CompletionRing ring;
    private final @Nullable SoftChannel channel;
    private volatile int armed = NOT_ARMED;

    SoftCq(SoftContext context, int number, int entries, @Nullable SoftChannel channel) {
        super(context, number);
        this.ring = new CompletionRing(SoftContext.powerOfTwo(entries));
        this.channel = channel;
    }

    CompletionRing ring() {
        return ring;
    }

    /**
     * Appends a completion and wakes who waits for it. On the agent's thread.
     *
     * @param received what a receive brought; null for a send, and when it failed
     * @return false when there is no room
     */
    boolean add(
            Owner owner,
            boolean send,
            int position,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            long byteLength,
            @Nullable Received received,
            boolean solicited) {
        if (!ring.add(owner, send, position, wrId, status, opcode, byteLength, received)) {
            return false;
        }
        SoftChannel waiting = channel;
        if (waiting != null) {
            notify(waiting, solicited || status != WcStatus.SUCCESS);
        }
        return true;
    }

    private void notify(SoftChannel waiting, boolean solicited) {
        CompletionRing.publishedBeforeArmed();
        int how = armed;
        if (how == ARMED || how == ARMED_SOLICITED && solicited) {
            armed = NOT_ARMED;
            waiting.offer(this);
        }
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public boolean startPoll() {
        return ring.startPoll();
    }

    @Override
    public boolean nextPoll() {
        return ring.nextPoll();
    }

    @Override
    public void endPoll() {
        ring.endPoll();
    }

    @Override
    public long wrId() {
        return ring.wrId();
    }

    @Override
    public WcStatus status() {
        return ring.status();
    }

    @Override
    public WcOpcode opcode() {
        return ring.opcode();
    }

    @Override
    public long byteLength() {
        return ring.byteLength();
    }

    @Override
    public boolean hasImmediate() {
        return ring.hasImmediate();
    }

    @Override
    public int immediate() {
        return ring.immediate();
    }

    @Override
    public int qpNumber() {
        return ring.qpNumber();
    }

    @Override
    public int sourceQp() {
        return ring.sourceQp();
    }

    @Override
    public boolean hasGrh() {
        return ring.hasGrh();
    }

    /** No device is behind it that has codes of its own: the number of the status. */
    @Override
    public int vendorError() {
        return ring.status().ordinal();
    }

    @Override
    public int poll(WorkCompletions into) {
        return ring.poll(into);
    }

    @Override
    public void requestNotify(boolean solicitedOnly) {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        if (channel == null) {
            throw new IllegalStateException(
                    this + " was made without a channel; give createCq one to be notified");
        }
        armed = solicitedOnly ? ARMED_SOLICITED : ARMED;
    }

    @Override
    protected void doClose() {
        if (channel != null) {
            channel.forget(this);
        }
    }
}
