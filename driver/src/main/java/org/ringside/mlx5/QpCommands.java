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
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Gid;
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
        setPath(command, qpn, to);
        var _ = device.commands.execute(command);
    }

    private void setPath(Command command, int qpn, QpTransitions.ToRtr to) throws VerbsException {
        AddressVector way = to.path();
        Gid peer = way.destinationGid();
        Gid own = device.port.gid(way.sourceGidIndex());
        if (own.equals(Gid.NONE)) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s: GID index %d of port 1 is empty; fill it with Context.setGid"
                            .formatted(device.name, way.sourceGidIndex()));
        }
        boolean toSelf = device.port.isOwn(peer);
        long mac = destinationMac(way, toSelf);
        int path = Init2rtrQpIn.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset();
        set(command, path, Ads.VHCA_PORT_NUM, 1);
        set(command, path, Ads.RMAC_47_32, mac >>> 32);
        set(command, path, Ads.RMAC_31_0, mac & 0xffff_ffffL);
        set(command, path, Ads.SRC_ADDR_INDEX, way.sourceGidIndex());
        set(command, path, Ads.HOP_LIMIT, way.hopLimit());
        set(command, path, Ads.TCLASS, way.trafficClass());
        set(command, path, Ads.FLOW_LABEL, way.flowLabel());
        set(command, path, Ads.DSCP, way.trafficClass() >>> 2);
        set(command, path, Ads.ETH_PRIO, way.serviceLevel() & 7);
        set(command, path, Ads.UDP_SPORT, udpSourcePort(qpn, to.destinationQp()));
        Ads.RGID_RIP.setBytes(command.in(), path, peer.bytes());
        if (toSelf && device.caps.roce(RoceCap.FL_RC_QP_WHEN_ROCE_ENABLED) == 1) {
            // Our own address: some devices swallow such packets unless told to loop them.
            set(command, path, Ads.FL, 1);
        }
    }

    private long destinationMac(AddressVector way, boolean toSelf) throws VerbsException {
        Long given = way.destinationMac();
        if (given != null) {
            return given;
        }
        if (toSelf) {
            return device.port.mac();
        }
        if (way.destinationGid().isLinkLocalEui64()) {
            return way.destinationGid().macOfLinkLocal();
        }
        throw new VerbsException(
                VerbsException.EINVAL,
                ("%s: the MAC of %s is not known; set AddressVector.destinationMac, or connect to a"
                                + " link-local GID")
                        .formatted(device.name, way.destinationGid()));
    }

    /** Spread over the ports that RoCEv2 reserves, the same for one pair of QPs. */
    private long udpSourcePort(int qpn, int remoteQpn) {
        if (device.caps.roce(RoceCap.SW_R_ROCE_SRC_UDP_PORT) == 0) {
            return 0;
        }
        long least = device.caps.roce(RoceCap.R_ROCE_MIN_SRC_UDP_PORT);
        long most = device.caps.roce(RoceCap.R_ROCE_MAX_SRC_UDP_PORT);
        long mixed = (qpn * 0x9e3779b9L ^ remoteQpn) & 0xffff_ffffL;
        return most <= least ? least : least + mixed % (most - least + 1);
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
