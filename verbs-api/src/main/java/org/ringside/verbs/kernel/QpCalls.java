package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Gid;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.VerbsException;

/** The set-up calls of one QP: ibv_modify_qp and its like, with struct ibv_qp_attr. */
final class QpCalls {
    private static final int ENETUNREACH = 101;
    private static final int EHOSTUNREACH = 113;

    private final KernelContext context;
    private final long qp;
    private final boolean reliable;
    private final int number;
    private int port = 1;

    /**
     * @param qp address of the struct ibv_qp
     */
    QpCalls(KernelContext context, long qp, QpType type) {
        this.context = context;
        this.qp = qp;
        this.reliable = type == QpType.RC;
        this.number = Raw.getInt(qp + Abi.Qp.QP_NUM);
    }

    long qp() {
        return qp;
    }

    int number() {
        return number;
    }

    QpState state() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(Abi.QpAttr.SIZE, 8).address();
            long made = arena.allocate(Abi.QpInitAttr.SIZE, 8).address();
            int errno = context.verbs().ibv_query_qp(qp, attributes, Abi.QpMask.STATE, made);
            if (errno != 0) {
                throw failure(errno, "its state cannot be asked", Cures.of(errno));
            }
            int state = Raw.getInt(attributes + Abi.QpAttr.QP_STATE);
            QpState[] states = QpState.values();
            return state < states.length ? states[state] : QpState.ERR;
        }
    }

    /** To RESET or ERR, which need nothing else. */
    void to(QpState state) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            modify(arena.allocate(Abi.QpAttr.SIZE, 8).address(), state, 0);
        }
    }

    void toInit(QpTransitions.ToInit to) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Abi.QpAttr.SIZE, 8).address();
            Raw.putByte(at + Abi.QpAttr.PORT_NUM, to.port());
            Raw.putShort(at + Abi.QpAttr.PKEY_INDEX, to.pkeyIndex());
            Raw.putInt(at + Abi.QpAttr.QP_ACCESS_FLAGS, KernelMr.flags(to.access()));
            modify(
                    at,
                    QpState.INIT,
                    Abi.QpMask.PORT | Abi.QpMask.PKEY_INDEX | Abi.QpMask.ACCESS_FLAGS);
            port = to.port();
        }
    }

    void toRtr(QpTransitions.ToRtr to) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Abi.QpAttr.SIZE, 8).address();
            path(at, to.path());
            Raw.putInt(at + Abi.QpAttr.PATH_MTU, to.mtu().code());
            Raw.putInt(at + Abi.QpAttr.DEST_QP_NUM, to.destinationQp());
            Raw.putInt(at + Abi.QpAttr.RQ_PSN, to.receivePsn());
            Raw.putByte(at + Abi.QpAttr.MAX_DEST_RD_ATOMIC, to.maxDestRdAtomic());
            Raw.putByte(at + Abi.QpAttr.MIN_RNR_TIMER, to.minRnrTimer());
            int mask =
                    Abi.QpMask.AV | Abi.QpMask.PATH_MTU | Abi.QpMask.DEST_QPN | Abi.QpMask.RQ_PSN;
            modify(
                    at,
                    QpState.RTR,
                    reliable
                            ? mask | Abi.QpMask.MAX_DEST_RD_ATOMIC | Abi.QpMask.MIN_RNR_TIMER
                            : mask);
        }
    }

    /** Of a MAC in it the kernel takes no notice: it resolves the GID itself. */
    private void path(long at, AddressVector path) {
        Gid gid = path.destinationGid();
        Raw.putLong(at + Abi.QpAttr.AH_GRH_DGID, Long.reverseBytes(gid.high()));
        Raw.putLong(at + Abi.QpAttr.AH_GRH_DGID + Long.BYTES, Long.reverseBytes(gid.low()));
        Raw.putInt(at + Abi.QpAttr.AH_GRH_FLOW_LABEL, path.flowLabel());
        Raw.putByte(at + Abi.QpAttr.AH_GRH_SGID_INDEX, path.sourceGidIndex());
        Raw.putByte(at + Abi.QpAttr.AH_GRH_HOP_LIMIT, path.hopLimit());
        Raw.putByte(at + Abi.QpAttr.AH_GRH_TRAFFIC_CLASS, path.trafficClass());
        Raw.putShort(at + Abi.QpAttr.AH_DLID, path.destinationLid());
        Raw.putByte(at + Abi.QpAttr.AH_SL, path.serviceLevel());
        Raw.putByte(at + Abi.QpAttr.AH_IS_GLOBAL, path.destinationLid() == 0 ? 1 : 0);
        Raw.putByte(at + Abi.QpAttr.AH_PORT_NUM, port);
    }

    void toRts(QpTransitions.ToRts to) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Abi.QpAttr.SIZE, 8).address();
            Raw.putInt(at + Abi.QpAttr.SQ_PSN, to.sendPsn());
            Raw.putByte(at + Abi.QpAttr.TIMEOUT, to.timeout());
            Raw.putByte(at + Abi.QpAttr.RETRY_CNT, to.retryCount());
            Raw.putByte(at + Abi.QpAttr.RNR_RETRY, to.rnrRetry());
            Raw.putByte(at + Abi.QpAttr.MAX_RD_ATOMIC, to.maxRdAtomic());
            modify(
                    at,
                    QpState.RTS,
                    reliable
                            ? Abi.QpMask.SQ_PSN
                                    | Abi.QpMask.TIMEOUT
                                    | Abi.QpMask.RETRY_CNT
                                    | Abi.QpMask.RNR_RETRY
                                    | Abi.QpMask.MAX_QP_RD_ATOMIC
                            : Abi.QpMask.SQ_PSN);
        }
    }

    private void modify(long attributes, QpState state, int mask) throws VerbsException {
        Raw.putInt(attributes + Abi.QpAttr.QP_STATE, state.ordinal());
        int errno = context.verbs().ibv_modify_qp(qp, attributes, mask | Abi.QpMask.STATE);
        if (errno != 0) {
            throw failure(errno, "the kernel refuses the way to " + state, cure(errno, state));
        }
    }

    private static String cure(int errno, QpState state) {
        return switch (errno) {
            case VerbsException.EINVAL ->
                    state == QpState.RTR
                            ? "is the local GID index one that \"rdma link\" or ibv_devinfo -v shows, and of"
                                    + " the peer's kind?"
                            : "";
            case VerbsException.ETIMEDOUT, ENETUNREACH, EHOSTUNREACH ->
                    "nobody on the network answers for the peer's GID; is it up, is there a route (ip"
                            + " route get, ip neigh)?";
            default -> Cures.of(errno);
        };
    }

    private VerbsException failure(int errno, String what, String cure) {
        return context.libraries()
                .failure(
                        errno,
                        "QP 0x%x on %s: %s".formatted(number, context.deviceName(), what),
                        cure);
    }

    /**
     * A receive was posted in ERR. Some drivers (rxe) look at those only when told that the QP is
     * in error; others have flushed it already and do nothing.
     */
    void flushReceives() {
        if (!context.isLost()) {
            try {
                to(QpState.ERR);
            } catch (VerbsException e) {
                context.note(e);
            }
        }
    }

    void destroy(KernelQp of) throws VerbsException {
        context.closed(of, context.verbs().ibv_destroy_qp(qp));
    }
}
