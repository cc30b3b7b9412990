package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.WqeOpcode;
import org.ringside.roce.QpOwner;
import org.ringside.roce.ReceiveRequest;
import org.ringside.roce.ReceiveSource;
import org.ringside.roce.Received;
import org.ringside.roce.RoceQp;
import org.ringside.roce.SendRequest;
import org.ringside.roce.SendRequest.Kind;
import org.ringside.roce.SendSource;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/**
 * A QP whose peer is beyond the {@link Uplink}: WQEs from its rings to the RoCE transport, and what
 * became of them to its CQs.
 */
final class FarQp implements SendSource, ReceiveSource, QpOwner {
    /** Requests that the transport has under way at most; the rest waits in the ring. */
    static final int UNDER_WAY = 64;

    static final int MAX_SGES = 64;
    static final int MAX_INLINE = 1024;

    /** No key has it: what is to be read there ends its request with a protection error. */
    private static final int NO_KEY = 0xffff_ffff;

    /** Signalled WQEs have this bit in their completion mode. */
    private static final int ALWAYS = 2;

    private static final int ALWAYS_EVENT = 3;

    private final Engine engine;
    private final QpState qp;
    private final SendQueue sq;
    private final SendWqe wqe;
    private final SendWqe local;
    private final Umr umr;
    private final int mask;

    // One entry for each block of the send queue
    private final byte[] opcodes;
    private final byte[] signals;
    private final int[] lengths;
    private final int[] verdicts;

    private @Nullable RoceQp transport;

    FarQp(Engine engine, QpState qp, SendQueue sq) {
        this.engine = engine;
        this.qp = qp;
        this.sq = sq;
        this.wqe = new SendWqe(new KeyCheck(engine.mkeys));
        this.local = new SendWqe(new KeyCheck(engine.mkeys));
        this.umr = new Umr(engine);
        this.mask = sq.size() - 1;
        opcodes = new byte[sq.size()];
        signals = new byte[sq.size()];
        lengths = new int[sq.size()];
        verdicts = new int[sq.size()];
    }

    void attach(RoceQp made) {
        transport = made;
    }

    RoceQp transport() {
        if (transport == null) {
            throw new IllegalStateException(qp + " is not on the uplink");
        }
        return transport;
    }

    // ---- WQEs

    @Override
    public boolean next(SendRequest into) {
        try {
            if (sq.head == sq.producer) {
                engine.readSendProducer(qp, sq);
            }
            if (sq.head == sq.producer) {
                return false;
            }
            int counter = sq.head;
            int flaw = wqe.fetch(qp, sq, counter, sq.producer - counter & 0xffff);
            if (flaw == Syndrome.NONE && isMixed(wqe.pieces)) {
                engine.findings.report(
                        "%s: send WQE 0x%x mixes inline data and keys, which the uplink cannot"
                                .formatted(qp, counter));
                flaw = CqeSyndrome.LOCAL_QP_OP_ERR;
            }
            sq.head = counter + wqe.blocks & 0xffff;
            keep(counter, flaw);
            into.clear();
            into.index = counter;
            if (flaw == Syndrome.NONE) {
                fill(into);
            } else {
                into.kind = Kind.SEND;
                into.sges().add(NO_KEY, 0, 1);
            }
            return true;
        } catch (DmaFault e) {
            engine.findings.report("%s: %s; the QP fails".formatted(qp, e.getMessage()));
            engine.later(() -> engine.fail(qp, EventType.WQ_CATAS_ERROR));
            return false;
        }
    }

    private void keep(int counter, int flaw) {
        int slot = counter & mask;
        opcodes[slot] = (byte) wqe.opcode;
        signals[slot] = (byte) wqe.signal;
        verdicts[slot] = flaw;
        lengths[slot] = flaw == Syndrome.NONE ? (int) wqe.payload() : 0;
        if (flaw != Syndrome.NONE) {
            report(counter, wqe.opcode, flaw, wqe.problem());
        }
    }

    private static boolean isMixed(SgList pieces) {
        int keyed = 0;
        for (int i = 0; i < pieces.size(); i++) {
            keyed += pieces.key(i) == null ? 0 : 1;
        }
        return keyed != 0 && keyed != pieces.size();
    }

    private void fill(SendRequest into) {
        into.kind = kind(wqe.opcode);
        into.signaled = true;
        into.solicited = wqe.solicited;
        into.fence = wqe.fenced;
        into.immediate = wqe.immediate;
        into.remoteAddress = wqe.remoteAddress;
        into.rkey = wqe.rkey;
        into.swapOrAdd = wqe.swapOrAdd;
        into.compare = wqe.compare;
        if (into.kind == Kind.BIND) {
            return;
        }
        SgList pieces = wqe.pieces;
        int inlined = 0;
        for (int i = 0; i < pieces.size(); i++) {
            MkeyState key = pieces.key(i);
            if (key != null) {
                into.sges().add(key.key(), pieces.address(i), pieces.length(i));
            } else {
                int bytes = (int) pieces.length(i);
                MemorySegment.copy(
                        pieces.inline(), pieces.address(i), into.inlineData(), inlined, bytes);
                inlined += bytes;
                into.inlineLength = inlined;
            }
        }
    }

    private static Kind kind(int opcode) {
        return switch (opcode) {
            case WqeOpcode.SEND_IMM -> Kind.SEND_IMMEDIATE;
            case WqeOpcode.SEND_INVAL -> Kind.SEND_INVALIDATE;
            case WqeOpcode.RDMA_WRITE -> Kind.WRITE;
            case WqeOpcode.RDMA_WRITE_IMM -> Kind.WRITE_IMMEDIATE;
            case WqeOpcode.RDMA_READ -> Kind.READ;
            case WqeOpcode.ATOMIC_CS -> Kind.COMPARE_SWAP;
            case WqeOpcode.ATOMIC_FA -> Kind.FETCH_ADD;
            case WqeOpcode.NOP, WqeOpcode.UMR -> Kind.BIND;
            default -> Kind.SEND;
        };
    }

    /** NOP and UMR, when it is their turn; false when they fail. */
    boolean executeLocal(int counter) {
        int slot = counter & mask;
        if (opcodes[slot] == WqeOpcode.NOP) {
            return true;
        }
        int outcome = local.fetch(qp, sq, counter, sq.size());
        if (outcome == Syndrome.NONE) {
            outcome = umr.execute(qp, local.bytes(), local.size(), local.immediate);
        }
        if (outcome != Syndrome.NONE) {
            verdicts[slot] = outcome;
            report(counter, local.opcode, outcome, umr.problem());
        }
        return outcome == Syndrome.NONE;
    }

    private void report(int counter, int opcode, int syndrome, @Nullable String why) {
        engine.findings.report(
                "%s: send WQE 0x%x (%s): %s: %s"
                        .formatted(
                                qp,
                                counter,
                                WqeOpcode.name(opcode),
                                CqeSyndrome.name(syndrome),
                                why));
    }

    @Override
    public boolean next(ReceiveRequest into) {
        try {
            return engine.receives.next(qp, into);
        } catch (DmaFault e) {
            engine.findings.report("%s: %s; the QP fails".formatted(qp, e.getMessage()));
            engine.later(() -> engine.fail(qp, EventType.WQ_CATAS_ERROR));
            return false;
        }
    }

    @Override
    public boolean isShared() {
        return qp.srq != null;
    }

    // ---- completions

    @Override
    public void sendDone(RoceQp of, SendRequest request, WcStatus status) {
        int counter = request.index;
        int slot = counter & mask;
        int opcode = opcodes[slot] & 0xff;
        if (status == WcStatus.SUCCESS) {
            complete(counter, opcode, signals[slot], lengths[slot]);
            return;
        }
        boolean own = verdicts[slot] != Syndrome.NONE && status != WcStatus.WR_FLUSH_ERR;
        engine.completions.fail(
                qp.sendCq,
                qp,
                qp.cqeIndex,
                CqeOpcode.REQ_ERR,
                opcode,
                counter,
                own ? verdicts[slot] : syndrome(status));
    }

    private void complete(int counter, int opcode, int signal, int length) {
        if (signal < ALWAYS) {
            return;
        }
        boolean written =
                engine.completions.complete(
                        qp.sendCq,
                        qp,
                        qp.cqeIndex,
                        CqeOpcode.REQ,
                        opcode,
                        counter,
                        length,
                        0,
                        false,
                        signal == ALWAYS_EVENT);
        if (!written) {
            engine.later(() -> engine.fail(qp, EventType.WQ_CATAS_ERROR));
        }
    }

    @Override
    public void receiveDone(RoceQp of, ReceiveRequest request, WcStatus status, Received received) {
        if (status != WcStatus.SUCCESS) {
            engine.receives.failed(qp, request.index, syndrome(status));
            return;
        }
        int opcode = CqeOpcode.RESP_SEND;
        int word = 0;
        if (received.opcode == WcOpcode.RECV_RDMA_WITH_IMM) {
            opcode = CqeOpcode.RESP_WR_IMM;
            word = received.immediate;
        } else if (received.hasImmediate) {
            opcode = CqeOpcode.RESP_SEND_IMM;
            word = received.immediate;
        } else if (received.hasInvalidated) {
            opcode = CqeOpcode.RESP_SEND_INV;
            word = received.invalidatedKey;
        }
        boolean written =
                engine.receives.completed(
                        qp,
                        request.index,
                        opcode,
                        (int) received.byteLength,
                        word,
                        received.solicited);
        if (!written) {
            engine.later(() -> engine.fail(qp, EventType.WQ_CATAS_ERROR));
        }
    }

    /** The hardware's name of a status (libmlx5 cq.c, mlx5_handle_error_cqe, the other way). */
    private static int syndrome(WcStatus status) {
        return switch (status) {
            case LOC_LEN_ERR -> CqeSyndrome.LOCAL_LENGTH_ERR;
            case LOC_PROT_ERR -> CqeSyndrome.LOCAL_PROT_ERR;
            case WR_FLUSH_ERR -> CqeSyndrome.WR_FLUSH_ERR;
            case MW_BIND_ERR -> CqeSyndrome.MW_BIND_ERR;
            case BAD_RESP_ERR -> CqeSyndrome.BAD_RESP_ERR;
            case LOC_ACCESS_ERR -> CqeSyndrome.LOCAL_ACCESS_ERR;
            case REM_INV_REQ_ERR -> CqeSyndrome.REMOTE_INVAL_REQ_ERR;
            case REM_ACCESS_ERR -> CqeSyndrome.REMOTE_ACCESS_ERR;
            case REM_OP_ERR -> CqeSyndrome.REMOTE_OP_ERR;
            case RETRY_EXC_ERR -> CqeSyndrome.TRANSPORT_RETRY_EXC_ERR;
            case RNR_RETRY_EXC_ERR -> CqeSyndrome.RNR_RETRY_EXC_ERR;
            case REM_ABORT_ERR -> CqeSyndrome.REMOTE_ABORTED_ERR;
            default -> CqeSyndrome.LOCAL_QP_OP_ERR;
        };
    }

    // ---- state and events

    @Override
    public void stateChanged(RoceQp of, org.ringside.verbs.QpState now) {
        engine.farChanged(qp, now == org.ringside.verbs.QpState.SQE ? State.SQE : State.ERR);
    }

    @Override
    public void event(RoceQp of, Event event) {
        int type =
                switch (event) {
                    case COMMUNICATION_ESTABLISHED -> EventType.COMM_EST;
                    case SEND_QUEUE_DRAINED -> EventType.SQ_DRAINED;
                    case REQUEST_ERROR -> EventType.WQ_INVAL_REQ_ERROR;
                    case ACCESS_ERROR -> EventType.WQ_ACCESS_ERROR;
                    case FATAL -> EventType.WQ_CATAS_ERROR;
                    case LAST_RECEIVE_REACHED -> EventType.SRQ_LAST_WQE;
                };
        if (type != EventType.SQ_DRAINED) {
            engine.events.qpEvent(qp, type);
        } else if (qp.notifyDrained) {
            qp.notifyDrained = false;
            engine.events.qpEvent(qp, type);
        }
    }
}
