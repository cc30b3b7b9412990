package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.QpState;
import org.ringside.emulator.transport.Service;
import org.ringside.emulator.transport.SrqState;
import org.ringside.emulator.transport.WorkQueues;
import org.ringside.mlx5.layout.CmdHcaCap;
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
    private static final int SHARED_RQ = 1;
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
        Service service = service(c);
        checkUnsupported(c);
        HwObject.Plain pd = domainOfKeys(c, service);
        boolean sends = !c.isSet(QPC, Qpc.NO_SQ);
        UarPage uar =
                sends || c.isSet(QPC, Qpc.UAR_PAGE)
                        ? hca.uars().table().get(c.get(QPC, Qpc.UAR_PAGE))
                        : null;
        Objects.Cq sendCq = hca.objects().cqs().get(c.get(QPC, Qpc.CQN_SND));
        Objects.Cq receiveCq = hca.objects().cqs().get(c.get(QPC, Qpc.CQN_RCV));
        Srq srq = sharedReceives(c);
        HwObject.Plain xrcd = domain(c, service);
        int logRq = logReceiveSize(c);
        int logSq = sends ? (int) c.get(QPC, Qpc.LOG_SQ_SIZE) : WorkQueues.NONE;
        boolean rings = logRq != WorkQueues.NONE || logSq != WorkQueues.NONE;
        UserMemories memory =
                UserMemories.of(
                        hca,
                        c.umemId(CreateQpIn.WQ_UMEM_VALID, CreateQpIn.WQ_UMEM_ID),
                        c.umemId(QPC, Qpc.DBR_UMEM_VALID, Qpc.DBR_UMEM_ID));
        long record = rings ? memory.recordAddress(c.get(QPC, Qpc.DBR_ADDR), hca.dma()) : 0;
        int stride = MIN_RQ_STRIDE << c.get(QPC, Qpc.LOG_RQ_STRIDE);
        long bytes =
                (logRq == WorkQueues.NONE ? 0 : (long) stride << logRq)
                        + (logSq == WorkQueues.NONE ? 0 : (long) WorkQueues.BLOCK << logSq);
        RingPages pages = rings(c, memory.ring(), bytes);
        Objects.Qp qp =
                new Objects.Qp(
                        pd,
                        uar,
                        sendCq,
                        receiveCq,
                        srq,
                        xrcd,
                        c.context(QPC),
                        pages.addresses(),
                        memory);
        int number = hca.objects().qps().add(qp);
        QpState state =
                new QpState(
                        service,
                        number,
                        pd == null ? 0 : pd.index(),
                        userIndex(c),
                        uar == null ? 0 : uar.index(),
                        sendCq.state(),
                        receiveCq.state(),
                        new WorkQueues(pages.ring(), logRq, stride, logSq, record));
        state.srq = srq == null || service == Service.XRC ? null : srq.state();
        state.xrcd = xrcd == null ? SrqState.NO_XRCD : xrcd.index();
        state.sourceQpn = sourceQpn(c, service, number);
        qp.state = state;
        hca.engine().add(state);
        qp.use();
        c.put(CreateQpOut.QPN, number);
    }

    private RingPages rings(Command c, @Nullable UserMemory memory, long bytes) {
        if (memory == null) {
            c.requireZero(CreateQpIn.WQ_UMEM_OFFSET);
            return RingPages.of(
                    c, QPC, Qpc.LOG_PAGE_SIZE, Qpc.PAGE_OFFSET, CreateQpIn.PAS, bytes, hca.dma());
        }
        c.requireZero(QPC, Qpc.PAGE_OFFSET);
        c.requireInput(CreateQpIn.LAYOUT.byteSize(), "an umem");
        return memory.ring(c.get(CreateQpIn.WQ_UMEM_OFFSET), bytes, false, hca.dma());
    }

    private Service service(Command c) {
        int code = (int) c.get(QPC, Qpc.ST);
        Service service = Service.of(code);
        Capabilities can = hca.capabilities();
        boolean has =
                service != null
                        && switch (service) {
                            case RC -> true;
                            case UC -> can.has(CmdHcaCap.UC);
                            case UD -> can.has(CmdHcaCap.UD);
                            case XRC -> can.has(CmdHcaCap.XRC);
                            case SMI, GSI -> Paths.isInfiniBand(hca);
                            case UMR -> true;
                        };
        if (service == null || !has) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "service type %s (%d) is not one of this function",
                    ServiceType.name(code),
                    code);
        }
        if ((service == Service.SMI || service == Service.GSI)
                && hca.engine().special(service) != null) {
            throw Refusal.of(Reason.OVER_LIMIT, "the port has its %s QP already", service);
        }
        return service;
    }

    /** In CQE version 0 there is no user index, and an SRQN in its place. */
    private int userIndex(Command c) {
        return hca.capabilities().has(CmdHcaCap.CQE_VERSION)
                ? (int) c.get(QPC, Qpc.USER_INDEX)
                : SrqState.NO_USER_INDEX;
    }

    /** What datagrams name as their sender: management QPs have a number of their own. */
    private static int sourceQpn(Command c, Service service, int number) {
        return switch (service) {
            case SMI -> 0;
            case GSI -> 1;
            default -> c.isSet(QPC, Qpc.DETH_SQPN) ? (int) c.get(QPC, Qpc.DETH_SQPN) : number;
        };
    }

    /**
     * The SRQ of a QP that has its receives in one. Others may name one too, as Linux does; it has
     * to exist, but they do not use it.
     */
    private @Nullable Srq sharedReceives(Command c) {
        long number = c.get(QPC, Qpc.SRQN_RMPN_XRQN);
        boolean shared = c.get(QPC, Qpc.RQ_TYPE) == SHARED_RQ;
        Srq srq = shared || number != 0 ? hca.objects().srqs().get(number) : null;
        return shared ? srq : null;
    }

    /** The PD; a QP that only changes keys accesses nothing, and Linux gives it none. */
    private HwObject.@Nullable Plain domainOfKeys(Command c, Service service) {
        long number = c.get(QPC, Qpc.PD);
        return service == Service.UMR && number == 0 ? null : hca.objects().pds().get(number);
    }

    private HwObject.@Nullable Plain domain(Command c, Service service) {
        long number = c.get(QPC, Qpc.XRCD);
        boolean needed = service == Service.XRC;
        HwObject.Plain domain = needed || number != 0 ? hca.objects().xrcds().get(number) : null;
        return needed ? domain : null;
    }

    private static int logReceiveSize(Command c) {
        long type = c.get(QPC, Qpc.RQ_TYPE);
        if (type == ZERO_SIZE_RQ || type == SHARED_RQ) {
            return WorkQueues.NONE;
        }
        if (type != REGULAR_RQ) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "rq_type %d; there are 0, 1 (SRQ) and 3 (no receives)",
                    type);
        }
        return (int) c.get(QPC, Qpc.LOG_RQ_SIZE);
    }

    private void checkUnsupported(Command c) {
        c.requireZero(CreateQpIn.QPC_EXT);
        c.requireZero(CreateQpIn.INPUT_QPN);
        c.requireZero(CreateQpIn.OPT_PARAM_MASK);
        c.requireZero(CreateQpIn.ECE);
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
                Qpc.ULP_STATELESS_OFFLOAD_MODE,
                Qpc.CS_REQ,
                Qpc.CS_RES,
                Qpc.CD_MASTER,
                Qpc.CD_SLAVE_SEND,
                Qpc.CD_SLAVE_RECEIVE,
                Qpc.DC_ACCESS_KEY,
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
        qp.release();
    }

    private void query(Command c) {
        c.requireZero(QueryQpIn.QPC_EXT);
        Objects.Qp qp = hca.objects().qps().get(c.get(QueryQpIn.QPN));
        QpState state = qp.state();
        c.putContext(OUT, qp.context);
        c.put(OUT, Qpc.STATE, state.state().ordinal());
        c.put(OUT, Qpc.HW_SQ_WQEBB_COUNTER, state.sendCounter() & COUNTER_MASK);
        c.put(OUT, Qpc.HW_RQ_COUNTER, state.receiveCounter() & COUNTER_MASK);
        c.put(OUT, Qpc.NEXT_SEND_PSN, state.nextSendPsn & 0xff_ffff);
        c.put(OUT, Qpc.NEXT_RCV_PSN, state.nextReceivePsn & 0xff_ffff);
        c.putPages(QueryQpOut.PAS, qp.pages);
    }
}
