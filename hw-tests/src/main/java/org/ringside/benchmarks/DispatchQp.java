package org.ringside.benchmarks;

import java.lang.foreign.MemorySegment;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QueuePair;

/** A QP whose only operation is {@link #postWrite}, of the classes of {@link DispatchQps}. */
abstract class DispatchQp extends QueuePair {
    DispatchQp(ProtectionDomain pd, QpOptions options) {
        super(pd, options, 2);
    }

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("it posts by postWrite only");
    }

    @Override
    protected QpState doQueryState() {
        return QpState.RESET;
    }

    @Override
    protected void doToInit(QpTransitions.ToInit to) {
        throw none();
    }

    @Override
    protected void doToRtr(QpTransitions.ToRtr to) {
        throw none();
    }

    @Override
    protected void doToRts(QpTransitions.ToRts to) {
        throw none();
    }

    @Override
    protected void doToErr() {
        throw none();
    }

    @Override
    protected void doToReset() {
        throw none();
    }

    @Override
    protected void doClose() {
        // It has nothing to give back.
    }

    @Override
    public void start() {
        throw none();
    }

    @Override
    public void send() {
        throw none();
    }

    @Override
    public void sendImm(int immediate) {
        throw none();
    }

    @Override
    public void write(int rkey, long remoteAddress) {
        throw none();
    }

    @Override
    public void writeImm(int rkey, long remoteAddress, int immediate) {
        throw none();
    }

    @Override
    public void read(int rkey, long remoteAddress) {
        throw none();
    }

    @Override
    public void compareSwap(int rkey, long remoteAddress, long compare, long swap) {
        throw none();
    }

    @Override
    public void fetchAdd(int rkey, long remoteAddress, long add) {
        throw none();
    }

    @Override
    public void sge(int lkey, long address, long length) {
        throw none();
    }

    @Override
    public void inline(MemorySegment from, long offset, int length) {
        throw none();
    }

    @Override
    public void abort() {
        throw none();
    }

    @Override
    public void startRecv() {
        throw none();
    }

    @Override
    public void recv(long wrId) {
        throw none();
    }

    @Override
    public void recvSge(int lkey, long address, long length) {
        throw none();
    }

    @Override
    public PostResult submit() {
        throw none();
    }

    @Override
    public PostResult submitRecv() {
        throw none();
    }
}
