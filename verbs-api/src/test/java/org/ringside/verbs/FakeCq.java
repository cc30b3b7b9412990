package org.ringside.verbs;

/** A CQ in which nothing ever completes. */
final class FakeCq extends CompletionQueue {
    private final FakeContext owner;
    private final int entries;

    FakeCq(FakeContext context, int number, int entries) {
        super(context, number);
        owner = context;
        this.entries = entries;
    }

    @Override
    protected void doClose() {
        owner.calls.add("close cq");
    }

    @Override
    public int capacity() {
        return entries;
    }

    @Override
    public boolean startPoll() {
        return false;
    }

    @Override
    public boolean nextPoll() {
        return false;
    }

    @Override
    public void endPoll() {}

    @Override
    public long wrId() {
        return 0;
    }

    @Override
    public WcStatus status() {
        return WcStatus.SUCCESS;
    }

    @Override
    public WcOpcode opcode() {
        return WcOpcode.SEND;
    }

    @Override
    public long byteLength() {
        return 0;
    }

    @Override
    public boolean hasImmediate() {
        return false;
    }

    @Override
    public int immediate() {
        return 0;
    }

    @Override
    public int qpNumber() {
        return 0;
    }

    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public int poll(WorkCompletions into) {
        into.clear();
        return 0;
    }

    @Override
    public void requestNotify(boolean solicitedOnly) {}
}
