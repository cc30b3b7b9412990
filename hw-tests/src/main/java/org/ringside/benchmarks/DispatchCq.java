package org.ringside.benchmarks;

import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** A CQ whose only operation is {@link #startPoll}, of the classes of {@link DispatchCqs}. */
abstract class DispatchCq extends CompletionQueue {
    DispatchCq(Context context) {
        super(context, 1);
    }

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("it is polled by startPoll only");
    }

    @Override
    public int capacity() {
        return 1;
    }

    @Override
    protected void doClose() {
        // It has nothing to give back.
    }

    @Override
    public boolean nextPoll() {
        throw none();
    }

    @Override
    public void endPoll() {
        throw none();
    }

    @Override
    public long wrId() {
        throw none();
    }

    @Override
    public WcStatus status() {
        throw none();
    }

    @Override
    public WcOpcode opcode() {
        throw none();
    }

    @Override
    public long byteLength() {
        throw none();
    }

    @Override
    public boolean hasImmediate() {
        throw none();
    }

    @Override
    public int immediate() {
        throw none();
    }

    @Override
    public int qpNumber() {
        throw none();
    }

    @Override
    public int vendorError() {
        throw none();
    }

    @Override
    public int poll(WorkCompletions into) {
        throw none();
    }

    @Override
    public void requestNotify(boolean solicitedOnly) {
        throw none();
    }
}
