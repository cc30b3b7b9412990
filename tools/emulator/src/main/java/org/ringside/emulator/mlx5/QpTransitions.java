package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.ringside.emulator.transport.QpState;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Init2initQpIn;
import org.ringside.mlx5.layout.Init2initQpOut;
import org.ringside.mlx5.layout.Init2rtrQpIn;
import org.ringside.mlx5.layout.Init2rtrQpOut;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Mtu;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.OptParam;
import org.ringside.mlx5.layout.Qp2errIn;
import org.ringside.mlx5.layout.Qp2errOut;
import org.ringside.mlx5.layout.Qp2rstIn;
import org.ringside.mlx5.layout.Qp2rstOut;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.Rst2initQpIn;
import org.ringside.mlx5.layout.Rst2initQpOut;
import org.ringside.mlx5.layout.Rtr2rtsQpIn;
import org.ringside.mlx5.layout.Rtr2rtsQpOut;
import org.ringside.mlx5.layout.Rts2rtsQpIn;
import org.ringside.mlx5.layout.Rts2rtsQpOut;
import org.ringside.mlx5.layout.Sqd2rtsQpIn;
import org.ringside.mlx5.layout.Sqd2rtsQpOut;
import org.ringside.mlx5.layout.Sqerr2rtsQpIn;
import org.ringside.mlx5.layout.Sqerr2rtsQpOut;
import org.ringside.mlx5.layout.StructField;

/**
 * Commands that take a QP from state to state. Each has fields that it always takes and others that
 * it takes when opt_param_mask says so (PRM, QP State Transitions; Linux qp.c, opt_mask).
 */
final class QpTransitions implements CommandTable.CommandGroup {
    // All transitions with a context have it in the same place.
    private static final Field QPN = Rst2initQpIn.QPN;
    private static final Field MASK = Rst2initQpIn.OPT_PARAM_MASK;
    private static final StructField QPC = Rst2initQpIn.QPC;
    private static final int PATH = Rst2initQpIn.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset();

    private static final int ACCESS = OptParam.RRE | OptParam.RWE | OptParam.RAE;
    private static final int SMALLEST_MTU = 256;

    private final Hca hca;
    private final Paths paths;

    /** Copies fields from a command to the QP, or refuses before it changed anything. */
    private interface Change {
        void apply(Command c, Objects.Qp qp, int mask);
    }

    QpTransitions(Hca hca) {
        this.hca = hca;
        this.paths = new Paths(hca);
    }

    @Override
    public void register(CommandTable table) {
        add(
                table,
                Opcode.RST2INIT_QP,
                Rst2initQpIn.LAYOUT,
                Rst2initQpOut.LAYOUT,
                EnumSet.of(State.RESET),
                State.INIT,
                this::toInit);
        add(
                table,
                Opcode.INIT2INIT_QP,
                Init2initQpIn.LAYOUT,
                Init2initQpOut.LAYOUT,
                EnumSet.of(State.INIT),
                State.INIT,
                this::optional);
        add(
                table,
                Opcode.INIT2RTR_QP,
                Init2rtrQpIn.LAYOUT,
                Init2rtrQpOut.LAYOUT,
                EnumSet.of(State.INIT),
                State.RTR,
                this::toRtr);
        add(
                table,
                Opcode.RTR2RTS_QP,
                Rtr2rtsQpIn.LAYOUT,
                Rtr2rtsQpOut.LAYOUT,
                EnumSet.of(State.RTR),
                State.RTS,
                this::toRts);
        add(
                table,
                Opcode.RTS2RTS_QP,
                Rts2rtsQpIn.LAYOUT,
                Rts2rtsQpOut.LAYOUT,
                EnumSet.of(State.RTS),
                State.RTS,
                this::optional);
        add(
                table,
                Opcode.SQERR2RTS_QP,
                Sqerr2rtsQpIn.LAYOUT,
                Sqerr2rtsQpOut.LAYOUT,
                EnumSet.of(State.SQE),
                State.RTS,
                this::optional);
        add(
                table,
                Opcode.SQD_RTS_QP,
                Sqd2rtsQpIn.LAYOUT,
                Sqd2rtsQpOut.LAYOUT,
                EnumSet.of(State.SQD),
                State.RTS,
                this::optional);
        table.add(
                CommandSpec.of(
                        Opcode.QP_2ERR,
                        Qp2errIn.LAYOUT,
                        Qp2errOut.LAYOUT,
                        c -> move(c.get(Qp2errIn.QPN), State.ERR)));
        table.add(
                CommandSpec.of(
                        Opcode.QP_2RST,
                        Qp2rstIn.LAYOUT,
                        Qp2rstOut.LAYOUT,
                        c -> move(c.get(Qp2rstIn.QPN), State.RESET)));
    }

    private void move(long qpn, State next) {
        hca.engine().modify(hca.objects().qps().get(qpn).state(), next);
    }

    private void add(
            CommandTable table,
            int opcode,
            Layout in,
            Layout out,
            Set<State> from,
            State to,
            Change change) {
        table.add(
                CommandSpec.of(
                        opcode,
                        in,
                        out,
                        c -> {
                            Objects.Qp qp = hca.objects().qps().get(c.get(QPN));
                            QpState state = qp.state();
                            if (!from.contains(state.state())) {
                                throw Refusal.of(
                                        Reason.QP_STATE,
                                        "%s is in %s, not in %s",
                                        state,
                                        state.state(),
                                        from);
                            }
                            int mask = (int) c.get(MASK);
                            int optional = OptionalFields.of(opcode, state.service());
                            if ((mask & ~optional) != 0) {
                                throw Refusal.of(
                                        Reason.OUT_OF_RANGE,
                                        "opt_param_mask 0x%x has 0x%x, which this transition"
                                                + " does not take",
                                        mask,
                                        mask & ~optional);
                            }
                            change.apply(c, qp, mask);
                            hca.engine().modify(state, to);
                        }));
    }

    private void toInit(Command c, Objects.Qp qp, int mask) {
        takePkey(c, qp);
        checkPort(c);
        checkCounter(c);
        if (qp.state().service().isDatagram()) {
            takeQkey(c, qp);
        }
        keep(c, qp, Qpc.PM_STATE);
        keep(c, qp, Qpc.COUNTER_SET_ID);
        keepPath(c, qp, Ads.VHCA_PORT_NUM);
        optional(c, qp, ACCESS);
    }

    /** Fields that need a bit in opt_param_mask. */
    private void optional(Command c, Objects.Qp qp, int mask) {
        QpState state = qp.state();
        if ((mask & OptParam.PKEY_INDEX) != 0) {
            takePkey(c, qp);
        }
        if ((mask & OptParam.Q_KEY) != 0) {
            takeQkey(c, qp);
        }
        if ((mask & OptParam.COUNTER_SET_ID) != 0) {
            checkCounter(c);
            keep(c, qp, Qpc.COUNTER_SET_ID);
        }
        if ((mask & OptParam.PRI_PORT) != 0) {
            checkPort(c);
            keepPath(c, qp, Ads.VHCA_PORT_NUM);
        }
        if ((mask & OptParam.RRE) != 0) {
            state.remoteRead = c.isSet(QPC, Qpc.RRE);
            keep(c, qp, Qpc.RRE);
        }
        if ((mask & OptParam.RWE) != 0) {
            state.remoteWrite = c.isSet(QPC, Qpc.RWE);
            keep(c, qp, Qpc.RWE);
        }
        if ((mask & OptParam.RAE) != 0) {
            state.remoteAtomic = c.isSet(QPC, Qpc.RAE);
            keep(c, qp, Qpc.RAE);
        }
        if ((mask & OptParam.RNR_TIMEOUT) != 0) {
            state.minRnrTimer = (int) c.get(QPC, Qpc.MIN_RNR_NAK);
            keep(c, qp, Qpc.MIN_RNR_NAK);
        }
        if ((mask & OptParam.PM_STATE) != 0) {
            keep(c, qp, Qpc.PM_STATE);
        }
    }

    private void toRtr(Command c, Objects.Qp qp, int mask) {
        long mtu = c.get(QPC, Qpc.MTU);
        if (mtu < Mtu.MTU_256 || mtu > Mtu.MTU_4096) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "MTU code %d; 1 (256) to 5 (4096)", mtu);
        }
        c.atMost(QPC, Qpc.LOG_MSG_MAX, CapabilityTables.LOG_MAX_MESSAGE, "log_max_msg");
        c.atMost(QPC, Qpc.LOG_RRA_MAX, CapabilityTables.LOG_MAX_RA, "log_max_ra_res_qp");
        QpState state = qp.state();
        boolean connected = state.service().isConnected();
        if (connected && !c.isSet(QPC, Qpc.REMOTE_QPN)) {
            throw new Refusal(Reason.OUT_OF_RANGE, "remote_qpn is 0");
        }
        boolean loopback = Ads.FL.isSet(c.in(), PATH);
        if (connected && !loopback) {
            paths.check(c.in(), PATH);
        }
        optional(c, qp, mask);
        state.mtu = SMALLEST_MTU << (int) mtu - Mtu.MTU_256;
        state.logMaxMessage = (int) c.get(QPC, Qpc.LOG_MSG_MAX);
        keep(c, qp, Qpc.MTU);
        keep(c, qp, Qpc.LOG_MSG_MAX);
        if (connected) {
            connect(c, qp, state, loopback);
        }
    }

    private void connect(Command c, Objects.Qp qp, QpState state, boolean loopback) {
        state.remoteQpn = (int) c.get(QPC, Qpc.REMOTE_QPN);
        state.nextReceivePsn = (int) c.get(QPC, Qpc.NEXT_RCV_PSN);
        state.minRnrTimer = (int) c.get(QPC, Qpc.MIN_RNR_NAK);
        state.maxIncomingReads = 1 << (int) c.get(QPC, Qpc.LOG_RRA_MAX);
        state.forceLoopback = loopback;
        long gid = PATH + (long) Ads.RGID_RIP.offset();
        state.remoteGidHigh = Bits.big64(c.in(), gid);
        state.remoteGidLow = Bits.big64(c.in(), gid + Long.BYTES);
        state.remoteLid = paths.remoteLid(c.in(), PATH);
        state.remoteMac = Ads.RMAC_47_32.get(c.in(), PATH) << 32 | Ads.RMAC_31_0.get(c.in(), PATH);
        state.trafficClass = (int) Ads.TCLASS.get(c.in(), PATH);
        state.hopLimit = (int) Ads.HOP_LIMIT.get(c.in(), PATH);
        state.flowLabel = (int) Ads.FLOW_LABEL.get(c.in(), PATH);
        state.sourcePort = (int) Ads.UDP_SPORT.get(c.in(), PATH);
        state.sourceGidIndex = (int) Ads.SRC_ADDR_INDEX.get(c.in(), PATH);
        keep(c, qp, Qpc.REMOTE_QPN);
        keep(c, qp, Qpc.MIN_RNR_NAK);
        keep(c, qp, Qpc.LOG_RRA_MAX);
        keep(c, qp, Qpc.ATOMIC_MODE);
        long pkey = Ads.PKEY_INDEX.get(path(qp), pathOffset());
        long port = Ads.VHCA_PORT_NUM.get(path(qp), pathOffset());
        MemorySegment.copy(c.in(), PATH, path(qp), pathOffset(), Ads.LAYOUT.byteSize());
        Ads.PKEY_INDEX.set(path(qp), pathOffset(), pkey);
        Ads.VHCA_PORT_NUM.set(path(qp), pathOffset(), port);
    }

    private void toRts(Command c, Objects.Qp qp, int mask) {
        c.atMost(QPC, Qpc.LOG_SRA_MAX, CapabilityTables.LOG_MAX_RA, "log_max_ra_req_qp");
        optional(c, qp, mask);
        QpState state = qp.state();
        state.nextSendPsn = (int) c.get(QPC, Qpc.NEXT_SEND_PSN);
        state.maxOutgoingReads = 1 << (int) c.get(QPC, Qpc.LOG_SRA_MAX);
        state.retryCount = (int) c.get(QPC, Qpc.RETRY_COUNT);
        state.rnrRetry = (int) c.get(QPC, Qpc.RNR_RETRY);
        state.ackTimeout = (int) Ads.ACK_TIMEOUT.get(c.in(), PATH);
        keep(c, qp, Qpc.LOG_SRA_MAX);
        keep(c, qp, Qpc.RETRY_COUNT);
        keep(c, qp, Qpc.RNR_RETRY);
        keep(c, qp, Qpc.LOG_ACK_REQ_FREQ);
        keepPath(c, qp, Ads.ACK_TIMEOUT);
    }

    private void takePkey(Command c, Objects.Qp qp) {
        qp.state().pkey = paths.pkey(Ads.PKEY_INDEX.get(c.in(), PATH));
        keepPath(c, qp, Ads.PKEY_INDEX);
    }

    private static void takeQkey(Command c, Objects.Qp qp) {
        qp.state().qkey = (int) c.get(QPC, Qpc.Q_KEY);
        keep(c, qp, Qpc.Q_KEY);
    }

    private static void checkPort(Command c) {
        long port = Ads.VHCA_PORT_NUM.get(c.in(), PATH);
        if (port > 1) {
            throw Refusal.of(Reason.BAD_INDEX, "port %d; there is only 1", port);
        }
    }

    private void checkCounter(Command c) {
        long counter = c.get(QPC, Qpc.COUNTER_SET_ID);
        if (counter != 0) {
            hca.objects().counters().get(counter);
        }
    }

    private static void keep(Command c, Objects.Qp qp, Field field) {
        field.set(path(qp), 0, c.get(QPC, field));
    }

    private static void keepPath(Command c, Objects.Qp qp, Field field) {
        field.set(path(qp), pathOffset(), field.get(c.in(), PATH));
    }

    private static MemorySegment path(Objects.Qp qp) {
        return MemorySegment.ofArray(qp.context);
    }

    private static long pathOffset() {
        return Qpc.PRIMARY_ADDRESS_PATH.offset();
    }
}
