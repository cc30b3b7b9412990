package org.ringside.mlx5;

import java.util.Set;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CreateQpIn;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Init2rtrQpIn;
import org.ringside.mlx5.layout.Init2rtrQpOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Qp2errIn;
import org.ringside.mlx5.layout.Qp2errOut;
import org.ringside.mlx5.layout.Qp2rstIn;
import org.ringside.mlx5.layout.Qp2rstOut;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.QueryQpIn;
import org.ringside.mlx5.layout.QueryQpOut;
import org.ringside.mlx5.layout.RoceCap;
import org.ringside.mlx5.layout.Rst2initQpIn;
import org.ringside.mlx5.layout.Rst2initQpOut;
import org.ringside.mlx5.layout.Rtr2rtsQpIn;
import org.ringside.mlx5.layout.Rtr2rtsQpOut;
import org.ringside.mlx5.layout.ServiceType;
import org.ringside.verbs.Access;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.VerbsException;

/**
 * The commands that make a QP and take it from state to state (Adapters PRM, QP commands; Linux
 * infiniband/hw/mlx5/qp.c; rdma-core tests/mlx5_base.py for the fields of RC).
 */
final class QpCommands {
    private static final int MIGRATED = 3;

    /** Without an order to acknowledge, an ACK is asked for every 2 to this packets. */
    private static final int LOG_ACK_REQUEST = 8;

    /** Atomics of 8 bytes as IBTA has them. */
    private static final int ATOMIC_MODE_IB = 1;

    private static final int REAL_TIME_ONLY = 1;
    private static final int DEFAULT_TIMESTAMPS = 1;

    private final Mlx5Device device;

    QpCommands(Mlx5Device device) {
        this.device = device;
    }

    /**
     * Makes an RC QP in RESET.
     *
     * @return its number
     */
    int create(
            Mlx5Pd pd, Mlx5Cq sendCq, Mlx5Cq recvCq, QpShape shape, DmaRing memory, Uars.Page uar)
            throws VerbsException {
        Command command =
                new Command(
                                Opcode.CREATE_QP,
                                CreateQpIn.LAYOUT,
                                CreateQpIn.PAS.byteSizeWith(memory.pages()),
                                CreateQpOut.LAYOUT,
                                CreateQpOut.LAYOUT.byteSize())
                        .set(CreateQpIn.QPC, Qpc.ST, ServiceType.RC)
                        .set(CreateQpIn.QPC, Qpc.PM_STATE, MIGRATED)
                        .set(CreateQpIn.QPC, Qpc.PD, pd.number)
                        .set(CreateQpIn.QPC, Qpc.UAR_PAGE, uar.index)
                        .set(CreateQpIn.QPC, Qpc.CQN_SND, sendCq.number())
                        .set(CreateQpIn.QPC, Qpc.CQN_RCV, recvCq.number())
                        .set(CreateQpIn.QPC, Qpc.LOG_RQ_SIZE, shape.recvLog())
                        .set(CreateQpIn.QPC, Qpc.LOG_RQ_STRIDE, shape.recvStrideLog() - 4)
                        .set(CreateQpIn.QPC, Qpc.LOG_SQ_SIZE, shape.sendLog())
                        .set(CreateQpIn.QPC, Qpc.TS_FORMAT, timestamps())
                        .set(CreateQpIn.QPC, Qpc.DBR_ADDR, memory.recordIova());
        memory.listPages(command, CreateQpIn.PAS);
        return (int) device.commands.execute(command).get(CreateQpOut.QPN);
    }

    /** Free running timestamps, or the default where the device has real time only. */
    private long timestamps() {
        return device.caps.roce(RoceCap.QP_TS_FORMAT) == REAL_TIME_ONLY ? DEFAULT_TIMESTAMPS : 0;
    }

    /** RESET to INIT. */
    void toInit(int qpn, QpTransitions.ToInit to) throws VerbsException {
        Set<Access> access = to.access();
        boolean atomics =
                access.contains(Access.REMOTE_ATOMIC) && device.caps.has(CmdHcaCap.ATOMIC);
        Command command =
                new Command(Opcode.RST2INIT_QP, Rst2initQpIn.LAYOUT, Rst2initQpOut.LAYOUT)
                        .set(Rst2initQpIn.QPN, qpn)
                        .set(Rst2initQpIn.QPC, Qpc.PM_STATE, MIGRATED)
                        .set(Rst2initQpIn.QPC, Qpc.RWE, access.contains(Access.REMOTE_WRITE))
                        .set(Rst2initQpIn.QPC, Qpc.RRE, access.contains(Access.REMOTE_READ))
                        .set(Rst2initQpIn.QPC, Qpc.RAE, atomics)
                        .set(Rst2initQpIn.QPC, Qpc.ATOMIC_MODE, atomics ? ATOMIC_MODE_IB : 0);
        int path = Rst2initQpIn.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset();
        set(command, path, Ads.VHCA_PORT_NUM, to.port());
        set(command, path, Ads.PKEY_INDEX, to.pkeyIndex());
        var _ = device.commands.execute(command);
    }

    /** INIT to RTR. The depth of incoming READs belongs here: later it would be ignored. */
    void toRtr(int qpn, QpTransitions.ToRtr to) throws VerbsException {
        Command command =
                new Command(Opcode.INIT2RTR_QP, Init2rtrQpIn.LAYOUT, Init2rtrQpOut.LAYOUT)
                        .set(Init2rtrQpIn.QPN, qpn)
                        .set(Init2rtrQpIn.QPC, Qpc.MTU, to.mtu().code())
                        .set(
                                Init2rtrQpIn.QPC,
                                Qpc.LOG_MSG_MAX,
                                device.caps.general(CmdHcaCap.LOG_MAX_MSG))
                        .set(Init2rtrQpIn.QPC, Qpc.REMOTE_QPN, to.destinationQp())
                        .set(Init2rtrQpIn.QPC, Qpc.NEXT_RCV_PSN, to.receivePsn())
                        .set(Init2rtrQpIn.QPC, Qpc.MIN_RNR_NAK, to.minRnrTimer())
                        .set(Init2rtrQpIn.QPC, Qpc.LOG_RRA_MAX, QpShape.log2(to.maxDestRdAtomic()))
                        .set(Init2rtrQpIn.QPC, Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQUEST);
        int path = Init2rtrQpIn.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset();
        device.port.setPath(command, path, qpn, to.destinationQp(), to.path());
        var _ = device.commands.execute(command);
    }

    /** RTR to RTS. */
    void toRts(int qpn, QpTransitions.ToRts to) throws VerbsException {
        Command command =
                new Command(Opcode.RTR2RTS_QP, Rtr2rtsQpIn.LAYOUT, Rtr2rtsQpOut.LAYOUT)
                        .set(Rtr2rtsQpIn.QPN, qpn)
                        .set(Rtr2rtsQpIn.QPC, Qpc.NEXT_SEND_PSN, to.sendPsn())
                        .set(Rtr2rtsQpIn.QPC, Qpc.RETRY_COUNT, to.retryCount())
                        .set(Rtr2rtsQpIn.QPC, Qpc.RNR_RETRY, to.rnrRetry())
                        .set(Rtr2rtsQpIn.QPC, Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQUEST)
                        .set(
                                Rtr2rtsQpIn.QPC,
                                Qpc.LOG_SRA_MAX,
                                floorLog2(Math.max(1, to.maxRdAtomic())));
        int path = Rtr2rtsQpIn.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset();
        set(command, path, Ads.VHCA_PORT_NUM, 1);
        set(command, path, Ads.ACK_TIMEOUT, to.timeout());
        var _ = device.commands.execute(command);
    }

    private static int floorLog2(int value) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value);
    }

    /** Any state but RESET to ERR. */
    void toErr(int qpn) throws VerbsException {
        var _ =
                device.commands.execute(
                        new Command(Opcode.QP_2ERR, Qp2errIn.LAYOUT, Qp2errOut.LAYOUT)
                                .set(Qp2errIn.QPN, qpn));
    }

    /** Any state to RESET. */
    void toReset(int qpn) throws VerbsException {
        var _ =
                device.commands.execute(
                        new Command(Opcode.QP_2RST, Qp2rstIn.LAYOUT, Qp2rstOut.LAYOUT)
                                .set(Qp2rstIn.QPN, qpn));
    }

    /** The state as the device has it, {@link org.ringside.mlx5.layout.QpState}. */
    int queryState(int qpn) throws VerbsException {
        Command answer =
                device.commands.execute(
                        new Command(Opcode.QUERY_QP, QueryQpIn.LAYOUT, QueryQpOut.LAYOUT)
                                .set(QueryQpIn.QPN, qpn));
        return (int) answer.get(QueryQpOut.QPC, Qpc.STATE);
    }

    private static void set(Command command, int at, Field field, long value) {
        field.set(command.in(), at, value);
    }
}
