package org.ringside.verbs;

import java.lang.foreign.MemorySegment;

/** A QP that only remembers what was called. */
final class FakeQp extends QueuePair {
    final java.util.List<String> steps = new java.util.ArrayList<>();
    private final FakeContext owner;

    FakeQp(ProtectionDomain pd, QpOptions options, int number) {
        super(pd, options, number);
        owner = (FakeContext) pd.context();
    }

    @Override
    protected void doClose() {
        owner.calls.add("close qp");
    }

    @Override
    protected QpState doQueryState() {
        return state();
    }

    @Override
    protected void doToInit(QpTransitions.ToInit to) {
        steps.add("INIT port " + to.port());
    }

    @Override
    protected void doToRtr(QpTransitions.ToRtr to) {
        steps.add("RTR qp " + to.destinationQp() + " " + to.mtu() + " psn " + to.receivePsn());
    }

    @Override
    protected void doToRts(QpTransitions.ToRts to) {
        steps.add("RTS rd_atomic " + to.maxRdAtomic());
    }

    @Override
    protected void doToErr() {
        steps.add("ERR");
    }

    @Override
    protected void doToReset() {
        steps.add("RESET");
    }

    @Override
    public void start() {
        steps.add("start");
    }

    @Override
    public void send() {
        steps.add("send " + nextWrId + " flags " + nextFlags);
    }

    @Override
    public void sendImm(int immediate) {
        steps.add("sendImm");
    }

    @Override
    public void write(int rkey, long remoteAddress) {
        steps.add("write " + nextWrId + " to " + rkey + ":" + remoteAddress);
    }

    @Override
    public void writeImm(int rkey, long remoteAddress, int immediate) {
        steps.add("writeImm");
    }

    @Override
    public void read(int rkey, long remoteAddress) {
        steps.add("read " + nextWrId + " from " + rkey + ":" + remoteAddress);
    }

    @Override
    public void compareSwap(int rkey, long remoteAddress, long compare, long swap) {
        steps.add("compareSwap");
    }

    @Override
    public void fetchAdd(int rkey, long remoteAddress, long add) {
        steps.add("fetchAdd");
    }

    @Override
    public void sge(int lkey, long address, long length) {
        steps.add("sge " + lkey + ":" + address + "+" + length);
    }

    @Override
    public void inline(MemorySegment from, long offset, int length) {
        steps.add("inline " + length);
    }

    @Override
    public PostResult submit() {
        steps.add("submit");
        return PostResult.POSTED;
    }

    @Override
    public void abort() {
        steps.add("abort");
    }

    @Override
    public void startRecv() {
        steps.add("startRecv");
    }

    @Override
    public void recv(long wrId) {
        steps.add("recv " + wrId);
    }

    @Override
    public void recvSge(int lkey, long address, long length) {
        steps.add("recvSge " + lkey + ":" + address + "+" + length);
    }

    @Override
    public PostResult submitRecv() {
        steps.add("submitRecv");
        return PostResult.POSTED;
    }
}
