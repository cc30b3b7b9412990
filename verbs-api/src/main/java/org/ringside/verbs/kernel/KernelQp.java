package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;

/** A queue pair: struct ibv_qp. */
final class KernelQp extends QueuePair {
    private final KernelContext context;
    private final QpCalls calls;
    private final int slot;
    private final Arena arena = Arena.ofShared();
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private int owner;

    /**
     * Wraps a QP.
     *
     * @param slot in the context's table
     * @param opcodes that it has, see {@link SendQueue}
     * @param extended its functions, null to post by post_send
     */
    KernelQp(
            KernelPd pd,
            QpOptions options,
            QpCalls calls,
            int slot,
            int opcodes,
            @Nullable ExtendedSends extended) {
        super(pd, options, calls.number());
        this.context = pd.context;
        this.calls = calls;
        this.slot = slot;
        long maxMessage = context.attributes().maxMessageSize();
        this.sends =
                new SendQueue(
                        arena,
                        options,
                        opcodes,
                        maxMessage,
                        context.operation(Abi.Context.OPS_POST_SEND),
                        calls.qp(),
                        extended);
        this.receives =
                new ReceiveQueue(
                        arena,
                        options.recvWrs(),
                        options.recvSges(),
                        maxMessage,
                        context.operation(Abi.Context.OPS_POST_RECV),
                        calls.qp());
        renew();
    }

    /** Requests from now on have other tags than those before. */
    private void renew() {
        owner = Tag.owner(slot, context.nextGeneration(slot));
        sends.reset(Tag.base(owner, false));
        receives.reset(Tag.base(owner, true));
    }

    int slot() {
        return slot;
    }

    long address() {
        return calls.qp();
    }

    boolean isOwner(int of) {
        return owner == of;
    }

    SendQueue sends() {
        return sends;
    }

    ReceiveQueue receives() {
        return receives;
    }

    /** Whether a device that has gone owes this CQ a completion. */
    boolean owes(KernelCq cq) {
        return cq.equals(sendCq()) && sends.hasOutstanding()
                || cq.equals(recvCq()) && receives.hasOutstanding();
    }

    // ---- what the device says of it

    /** An error completion: the device has taken the QP to ERR (IBTA vol. 1, 10.3.1). */
    void sawError() {
        if (state() != QpState.ERR && state() != QpState.RESET) {
            stateChanged(QpState.ERR);
        }
    }

    /** The device has gone: nothing can be posted any more. */
    void lose() {
        sends.open(false, PostResult.DEVICE_LOST);
        receives.open(false, PostResult.DEVICE_LOST);
        sawError();
    }

    // ---- state

    @Override
    protected QpState doQueryState() throws VerbsException {
        return context.isLost() ? state() : calls.state();
    }

    @Override
    protected void doToInit(QpTransitions.ToInit to) throws VerbsException {
        calls.toInit(to);
        open(false);
    }

    @Override
    protected void doToRtr(QpTransitions.ToRtr to) throws VerbsException {
        calls.toRtr(to);
    }

    @Override
    protected void doToRts(QpTransitions.ToRts to) throws VerbsException {
        calls.toRts(to);
        open(true);
    }

    /** Posts still go through: they complete with flush errors. */
    @Override
    protected void doToErr() throws VerbsException {
        calls.to(QpState.ERR);
        open(true);
    }

    private void open(boolean both) {
        if (both) {
            sends.open(true, PostResult.POSTED);
        }
        receives.open(true, PostResult.POSTED);
        if (context.isLost()) {
            lose();
        }
    }

    @Override
    protected void doToReset() throws VerbsException {
        calls.to(QpState.RESET);
        sends.open(false, PostResult.WRONG_STATE);
        receives.open(false, PostResult.WRONG_STATE);
        renew();
    }

    @Override
    protected void doClose() throws VerbsException {
        sends.open(false, PostResult.WRONG_STATE);
        receives.open(false, PostResult.WRONG_STATE);
        calls.destroy(this);
        context.remove(this);
        arena.close();
    }

    // ---- sends

    @Override
    public void start() {
        sends.start();
    }

    @Override
    public void send() {
        sends.begin(Abi.WrOpcode.SEND, nextWrId, nextFlags, 0);
    }

    @Override
    public void sendImm(int immediate) {
        sends.begin(Abi.WrOpcode.SEND_WITH_IMM, nextWrId, nextFlags, immediate);
    }

    @Override
    public void write(int rkey, long remoteAddress) {
        sends.begin(Abi.WrOpcode.RDMA_WRITE, nextWrId, nextFlags, 0);
        sends.remote(rkey, remoteAddress);
    }

    @Override
    public void writeImm(int rkey, long remoteAddress, int immediate) {
        sends.begin(Abi.WrOpcode.RDMA_WRITE_WITH_IMM, nextWrId, nextFlags, immediate);
        sends.remote(rkey, remoteAddress);
    }

    @Override
    public void read(int rkey, long remoteAddress) {
        sends.begin(Abi.WrOpcode.RDMA_READ, nextWrId, nextFlags, 0);
        sends.remote(rkey, remoteAddress);
    }

    @Override
    public void compareSwap(int rkey, long remoteAddress, long compare, long swap) {
        sends.begin(Abi.WrOpcode.ATOMIC_CMP_AND_SWP, nextWrId, nextFlags, 0);
        sends.atomic(rkey, remoteAddress, compare, swap);
    }

    @Override
    public void fetchAdd(int rkey, long remoteAddress, long add) {
        sends.begin(Abi.WrOpcode.ATOMIC_FETCH_AND_ADD, nextWrId, nextFlags, 0);
        sends.atomic(rkey, remoteAddress, add, 0);
    }

    @Override
    public void sge(int lkey, long address, long length) {
        sends.sge(lkey, address, length);
    }

    @Override
    public void inline(MemorySegment from, long offset, int length) {
        sends.inline(from, offset, length);
    }

    @Override
    public PostResult submit() {
        return sends.submit();
    }

    @Override
    public void abort() {
        sends.abort();
    }

    // ---- receives

    @Override
    public void startRecv() {
        receives.start();
    }

    @Override
    public void recv(long wrId) {
        receives.begin(wrId);
    }

    @Override
    public void recvSge(int lkey, long address, long length) {
        receives.sge(lkey, address, length);
    }

    @Override
    public PostResult submitRecv() {
        PostResult result = receives.submit();
        if (result == PostResult.POSTED && state() == QpState.ERR) {
            calls.flushReceives();
        }
        return result;
    }
}
