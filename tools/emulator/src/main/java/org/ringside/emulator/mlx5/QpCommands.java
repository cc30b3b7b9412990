package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.QpState;
import org.ringside.emulator.transport.WorkQueues;
import org.ringside.mlx5.layout.CreateQpIn;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.DestroyQpIn;
import org.ringside.mlx5.layout.DestroyQpOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.QueryQpIn;
import org.ringside.mlx5.layout.QueryQpOut;
import org.ringside.mlx5.layout.ServiceType;
import org.ringside.mlx5.layout.StructField;

/** CREATE_QP, DESTROY_QP, QUERY_QP. Their transitions are in {@link QpTransitions}. */
final class QpCommands implements CommandTable.CommandGroup {
    private static final StructField QPC = CreateQpIn.QPC;
    private static final StructField OUT = QueryQpOut.QPC;
    private static final int REGULAR_RQ = 0;
    private static final int ZERO_SIZE_RQ = 3;
    private static final int MIN_RQ_STRIDE = 16;
    private static final int REAL_TIME = 2;
    private static final int COUNTER_MASK = 0xffff;

    private final Hca hca;

    QpCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_QP,
                        CreateQpIn.LAYOUT,
                        CreateQpOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_QP, DestroyQpIn.LAYOUT, DestroyQpOut.LAYOUT, this::destroy));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_QP,
                        QueryQpIn.LAYOUT,
                        QueryQpOut.LAYOUT,
                        this::query,
                        Flag.OUTPUT_LIST));
    }

    private void create(Command c) {
        checkUnsupported(c);
        HwObject.Plain pd = hca.objects().pds().get(c.get(QPC, Qpc.PD));
        UarPage uar = hca.uars().table().get(c.get(QPC, Qpc.UAR_PAGE));
        Objects.Cq sendCq = hca.objects().cqs().get(c.get(QPC, Qpc.CQN_SND));
        Objects.Cq receiveCq = hca.objects().cqs().get(c.get(QPC, Qpc.CQN_RCV));
        long record = RingPages.record(c.get(QPC, Qpc.DBR_ADDR), hca.dma());
        int logRq = logReceiveSize(c);
        int stride = MIN_RQ_STRIDE << c.get(QPC, Qpc.LOG_RQ_STRIDE);
        int logSq = c.isSet(QPC, Qpc.NO_SQ) ? WorkQueues.NONE : (int) c.get(QPC, Qpc.LOG_SQ_SIZE);
        long bytes =
                (logRq == WorkQueues.NONE ? 0 : (long) stride << logRq)
                        + (logSq == WorkQueues.NONE ? 0 : (long) WorkQueues.BLOCK << logSq);
        RingPages pages =
                RingPages.of(
                        c,
                        QPC,
                        Qpc.LOG_PAGE_SIZE,
                        Qpc.PAGE_OFFSET,
                        CreateQpIn.PAS,
                        bytes,
                        hca.dma());
        Objects.Qp qp =
                new Objects.Qp(
                        pd, uar, sendCq, receiveCq, CqCommands.context(c, QPC), pages.addresses());
        int number = hca.objects().qps().add(qp);
        QpState state =
                new QpState(
                        number,
                        pd.index(),
                        (int) c.get(QPC, Qpc.USER_INDEX),
                        uar.index(),
                        sendCq.state(),
                        receiveCq.state(),
                        new WorkQueues(pages.ring(), logRq, stride, logSq, record));
        qp.state = state;
        hca.engine().add(state);
        pd.addUser();
        uar.add(state);
        sendCq.addUser();
        receiveCq.addUser();
        c.put(CreateQpOut.QPN, number);
    }

    private static int logReceiveSize(Command c) {
        long type = c.get(QPC, Qpc.RQ_TYPE);
        if (type == ZERO_SIZE_RQ) {
            return WorkQueues.NONE;
        }
        if (type != REGULAR_RQ) {
            throw Refusal.of(
                    Reason.UNSUPPORTED, "rq_type %d; there are 0 and 3 (no receives)", type);
        }
        return (int) c.get(QPC, Qpc.LOG_RQ_SIZE);
    }

    private void checkUnsupported(Command c) {
        long service = c.get(QPC, Qpc.ST);
        if (service != ServiceType.RC) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "service type %s (%d); there is RC",
                    ServiceType.name((int) service),
                    service);
        }
        c.requireZero(CreateQpIn.QPC_EXT);
        c.requireZero(CreateQpIn.INPUT_QPN);
        c.requireZero(CreateQpIn.OPT_PARAM_MASK);
        c.requireZero(CreateQpIn.ECE);
        c.requireZero(CreateQpIn.WQ_UMEM_VALID);
        c.requireZero(CreateQpIn.WQ_UMEM_ID);
        c.requireZero(CreateQpIn.WQ_UMEM_OFFSET);
        c.requireZero(
                QPC,
                Qpc.STATE,
                Qpc.LAG_TX_PORT_AFFINITY,
                Qpc.ISOLATE_VL_TC,
                Qpc.REQ_E2E_CREDIT_MODE,
                Qpc.OFFLOAD_TYPE,
                Qpc.END_PADDING_MODE,
                Qpc.WQ_SIGNATURE,
                Qpc.ATOMIC_LIKE_WRITE_EN,
                Qpc.DRAIN_SIGERR,
                Qpc.RETRY_MODE,
                Qpc.RLKY,
                Qpc.ULP_STATELESS_OFFLOAD_MODE,
                Qpc.XRCD,
                Qpc.SRQN_RMPN_XRQN,
                Qpc.CS_REQ,
                Qpc.CS_RES,
                Qpc.CD_MASTER,
                Qpc.CD_SLAVE_SEND,
                Qpc.CD_SLAVE_RECEIVE,
                Qpc.DC_ACCESS_KEY,
                Qpc.DBR_UMEM_VALID,
                Qpc.HW_SQ_WQEBB_COUNTER,
                Qpc.HW_RQ_COUNTER);
        if (c.get(QPC, Qpc.TS_FORMAT) >= REAL_TIME) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "ts_format %d: there is no real-time clock",
                    c.get(QPC, Qpc.TS_FORMAT));
        }
    }

    private void destroy(Command c) {
        Objects.Qp qp = hca.objects().qps().remove(c.get(DestroyQpIn.QPN));
        hca.engine().remove(qp.state());
        qp.uar.remove(qp.state());
        qp.sendCq.removeUser();
        qp.receiveCq.removeUser();
        qp.pd.removeUser();
    }

    private void query(Command c) {
        c.requireZero(QueryQpIn.QPC_EXT);
        Objects.Qp qp = hca.objects().qps().get(c.get(QueryQpIn.QPN));
        QpState state = qp.state();
        MemorySegment.copy(
                MemorySegment.ofArray(qp.context), 0, c.out(), OUT.offset(), qp.context.length);
        c.put(OUT, Qpc.STATE, state.state().ordinal());
        c.put(OUT, Qpc.HW_SQ_WQEBB_COUNTER, state.sendCounter() & COUNTER_MASK);
        c.put(OUT, Qpc.HW_RQ_COUNTER, state.receiveCounter() & COUNTER_MASK);
        c.put(OUT, Qpc.NEXT_SEND_PSN, state.nextSendPsn & 0xff_ffff);
        c.put(OUT, Qpc.NEXT_RCV_PSN, state.nextReceivePsn & 0xff_ffff);
        CqCommands.putPages(c, QueryQpOut.PAS, qp.pages);
    }
}
