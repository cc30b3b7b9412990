package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import org.ringside.mlx5.layout.DestroyQpIn;
import org.ringside.mlx5.layout.DestroyQpOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.WqeOpcode;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;

/** A queue pair: a {@link SendQueue} and a {@link ReceiveQueue} that the device knows. */
final class Mlx5Qp extends QueuePair implements WorkQueues.Observer {
    private static final Logger LOG = System.getLogger(Mlx5Qp.class.getName());

    private final Mlx5Context context;
    private final QpCommands commands;
    private final DmaRing memory;
    private final Uars.Page uar;
    private final Mlx5Cq sendRing;
    private final Mlx5Cq recvRing;
    private final SendQueue send;
    private final ReceiveQueue receive;
    private final WorkQueues queues;

    private Mlx5Qp(
            Mlx5Context context,
            Mlx5Pd pd,
            QpOptions options,
            Mlx5Cq sendCq,
            Mlx5Cq recvCq,
            int number,
            QpShape shape,
            DmaRing memory,
            Uars.Page uar) {
        super(pd, options, number);
        this.context = context;
        this.commands = new QpCommands(context.device());
        this.memory = memory;
        this.uar = uar;
        this.sendRing = sendCq;
        this.recvRing = recvCq;
        long maxMessage = context.attributes().maxMessageSize();
        this.send =
                new SendQueue(
                        memory.ring(),
                        shape.sendOffset(),
                        memory.record(),
                        uar.registers,
                        new SendQueue.Config(
                                number,
                                1 << shape.sendLog(),
                                options.sendSges(),
                                options.inlineBytes(),
                                options.signalAll(),
                                maxMessage));
        this.receive =
                new ReceiveQueue(
                        memory.ring(),
                        0,
                        memory.record(),
                        1 << shape.recvLog(),
                        shape.recvStrideLog(),
                        options.recvSges(),
                        maxMessage);
        this.queues = new WorkQueues(number, send, receive);
    }

    static Mlx5Qp create(Mlx5Context context, Mlx5Pd pd, QpOptions options) throws VerbsException {
        Mlx5Device device = context.device();
        if (options.type() != QpType.RC) {
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    "%s: QPs of type %s are not supported, only RC"
                            .formatted(device.name, options.type()));
        }
        Mlx5Cq sendCq = (Mlx5Cq) options.sendCq();
        Mlx5Cq recvCq = (Mlx5Cq) options.recvCq();
        QpShape shape = QpShape.of(device.name, options);
        DmaRing memory = DmaRing.allocate(device, shape.bytes());
        try {
            Uars.Page uar = device.uars.forQp();
            try {
                int number = new QpCommands(device).create(pd, sendCq, recvCq, shape, memory, uar);
                Mlx5Qp qp =
                        new Mlx5Qp(
                                context, pd, options, sendCq, recvCq, number, shape, memory, uar);
                qp.enter();
                return qp;
            } catch (VerbsException e) {
                release(device, uar, e);
                throw e;
            }
        } catch (VerbsException | RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    private static void release(Mlx5Device device, Uars.Page uar, VerbsException because) {
        try {
            device.uars.releaseFromQp(uar);
        } catch (VerbsException e) {
            because.addSuppressed(e);
        }
    }

    private void enter() {
        queues.observe(this);
        sendRing.ring().attach(queues, true, sendRing == recvRing);
        if (sendRing != recvRing) {
            recvRing.ring().attach(queues, false, true);
        }
        context.device().qps.put(queues);
        if (context.isLost()) {
            queues.lose();
        }
    }

    /** The device has moved it to ERR. */
    @Override
    public void failed() {
        stateChanged(QpState.ERR);
    }

    // ---- state

    @Override
    protected QpState doQueryState() throws VerbsException {
        return switch (commands.queryState(number())) {
            case org.ringside.mlx5.layout.QpState.RST -> QpState.RESET;
            case org.ringside.mlx5.layout.QpState.INIT -> QpState.INIT;
            case org.ringside.mlx5.layout.QpState.RTR -> QpState.RTR;
            case org.ringside.mlx5.layout.QpState.RTS -> QpState.RTS;
            case org.ringside.mlx5.layout.QpState.SQER -> QpState.SQE;
            case org.ringside.mlx5.layout.QpState.SQD,
                    org.ringside.mlx5.layout.QpState.SQ_DRAINING ->
                    QpState.SQD;
            default -> QpState.ERR;
        };
    }

    @Override
    protected void doToInit(QpTransitions.ToInit to) throws VerbsException {
        commands.toInit(number(), to);
        open(receive);
    }

    @Override
    protected void doToRtr(QpTransitions.ToRtr to) throws VerbsException {
        commands.toRtr(number(), to);
    }

    @Override
    protected void doToRts(QpTransitions.ToRts to) throws VerbsException {
        commands.toRts(number(), to);
        send.setLimit(true, PostResult.POSTED);
        loseIfLost();
    }

    /** Posts still go through: they complete with flush errors. */
    @Override
    protected void doToErr() throws VerbsException {
        commands.toErr(number());
        send.setLimit(true, PostResult.POSTED);
        open(receive);
    }

    private void open(ReceiveQueue queue) {
        queue.setLimit(true, PostResult.POSTED);
        loseIfLost();
    }

    private void loseIfLost() {
        if (context.isLost()) {
            queues.lose();
        }
    }

    @Override
    protected void doToReset() throws VerbsException {
        send.setLimit(false, PostResult.WRONG_STATE);
        receive.setLimit(false, PostResult.WRONG_STATE);
        commands.toReset(number());
        context.device().hearLastEvents();
        clean();
        send.reset();
        receive.reset();
    }

    /** Takes its completions out of the CQs, before its number or its counters are used again. */
    private void clean() {
        sendRing.ring().clean(number());
        if (sendRing != recvRing) {
            recvRing.ring().clean(number());
        }
    }

    @Override
    protected void doClose() throws VerbsException {
        send.setLimit(false, PostResult.WRONG_STATE);
        receive.setLimit(false, PostResult.WRONG_STATE);
        send.abort();
        receive.abort();
        if (state() != QpState.RESET) {
            stop();
        }
        boolean gone =
                context.destroy(
                        this,
                        new Command(Opcode.DESTROY_QP, DestroyQpIn.LAYOUT, DestroyQpOut.LAYOUT)
                                .set(DestroyQpIn.QPN, number()));
        context.device().hearLastEvents();
        context.device().qps.remove(number());
        sendRing.ring().detach(queues);
        recvRing.ring().detach(queues);
        clean();
        if (gone) {
            memory.close();
            context.device().uars.releaseFromQp(uar);
        }
    }

    /** Nothing of it is in flight when it is destroyed. */
    private void stop() {
        try {
            commands.toReset(number());
        } catch (VerbsException e) {
            LOG.log(Level.DEBUG, "{0}: reset before destruction: {1}", this, e.getMessage());
        }
    }

    // ---- sends

    @Override
    public void start() {
        send.start();
    }

    @Override
    public void send() {
        send.begin(WqeOpcode.SEND, nextWrId, nextFlags, 0);
    }

    @Override
    public void sendImm(int immediate) {
        send.begin(WqeOpcode.SEND_IMM, nextWrId, nextFlags, immediate);
    }

    @Override
    public void write(int rkey, long remoteAddress) {
        send.begin(WqeOpcode.RDMA_WRITE, nextWrId, nextFlags, 0);
        send.remote(rkey, remoteAddress);
    }

    @Override
    public void writeImm(int rkey, long remoteAddress, int immediate) {
        send.begin(WqeOpcode.RDMA_WRITE_IMM, nextWrId, nextFlags, immediate);
        send.remote(rkey, remoteAddress);
    }

    @Override
    public void read(int rkey, long remoteAddress) {
        send.begin(WqeOpcode.RDMA_READ, nextWrId, nextFlags, 0);
        send.remote(rkey, remoteAddress);
    }

    @Override
    public void compareSwap(int rkey, long remoteAddress, long compare, long swap) {
        send.begin(WqeOpcode.ATOMIC_CS, nextWrId, nextFlags, 0);
        send.atomic(rkey, remoteAddress, swap, compare);
    }

    @Override
    public void fetchAdd(int rkey, long remoteAddress, long add) {
        send.begin(WqeOpcode.ATOMIC_FA, nextWrId, nextFlags, 0);
        send.atomic(rkey, remoteAddress, add, 0);
    }

    @Override
    public void sge(int lkey, long address, long length) {
        send.sge(lkey, address, length);
    }

    @Override
    public void inline(MemorySegment from, long offset, int length) {
        send.inline(from, offset, length);
    }

    @Override
    public PostResult submit() {
        return send.submit();
    }

    @Override
    public void abort() {
        send.abort();
    }

    @Override
    public PostResult postSend(long wrId, int flags, int lkey, long address, long length) {
        return send.postSend(wrId, flags, lkey, address, length);
    }

    @Override
    public PostResult postWrite(
            long wrId,
            int flags,
            int lkey,
            long address,
            long length,
            int rkey,
            long remoteAddress) {
        return send.postWrite(wrId, flags, lkey, address, length, rkey, remoteAddress);
    }

    @Override
    public PostResult postRead(
            long wrId,
            int flags,
            int lkey,
            long address,
            long length,
            int rkey,
            long remoteAddress) {
        return send.postRead(wrId, flags, lkey, address, length, rkey, remoteAddress);
    }

    // ---- receives

    @Override
    public void startRecv() {
        receive.start();
    }

    @Override
    public void recv(long wrId) {
        receive.begin(wrId);
    }

    @Override
    public void recvSge(int lkey, long address, long length) {
        receive.sge(lkey, address, length);
    }

    @Override
    public PostResult submitRecv() {
        return receive.submit();
    }

    @Override
    public PostResult postRecv(long wrId, int lkey, long address, long length) {
        return receive.post(wrId, lkey, address, length);
    }
}
