package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.VerbsException;

/** Makes QPs: extended ones where those are wanted and the device has them, else plain ones. */
final class QpMaker {
    private final KernelContext context;

    QpMaker(KernelContext context) {
        this.context = context;
    }

    KernelQp make(KernelPd pd, QpOptions options, int slot) throws VerbsException {
        if (options.type() == QpType.UD) {
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    context + ": QPs of type UD are not supported, only RC and UC");
        }
        try (Arena scratch = Arena.ofConfined()) {
            long at = KernelContext.scratch(scratch, Abi.QpInitAttrEx.SIZE);
            long extended = context.prefersExtended() ? extended(at, pd, options) : 0;
            long qp = extended;
            if (qp == 0) {
                fill(at, options);
                qp =
                        context.made(
                                context.verbs().ibv_create_qp(pd.pd, at),
                                "a QP with %d + %d work requests of %d + %d pieces, %d bytes inline,"
                                        .formatted(
                                                options.sendWrs(),
                                                options.recvWrs(),
                                                options.sendSges(),
                                                options.recvSges(),
                                                options.inlineBytes()));
            }
            return new KernelQp(
                    pd,
                    options,
                    new QpCalls(context, qp, options.type()),
                    slot,
                    opcodes(options),
                    extended == 0 ? null : extendedSends(extended));
        }
    }

    private static void fill(long at, QpOptions options) {
        Raw.putLong(at + Abi.QpInitAttr.SEND_CQ, ((KernelCq) options.sendCq()).cq);
        Raw.putLong(at + Abi.QpInitAttr.RECV_CQ, ((KernelCq) options.recvCq()).cq);
        Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_SEND_WR, options.sendWrs());
        Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_RECV_WR, options.recvWrs());
        Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_SEND_SGE, options.sendSges());
        Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_RECV_SGE, options.recvSges());
        Raw.putInt(at + Abi.QpInitAttr.CAP_MAX_INLINE_DATA, options.inlineBytes());
        Raw.putInt(
                at + Abi.QpInitAttr.QP_TYPE,
                options.type() == QpType.RC ? Abi.QpInitAttr.RC : Abi.QpInitAttr.UC);
        Raw.putInt(at + Abi.QpInitAttr.SQ_SIG_ALL, options.signalAll() ? 1 : 0);
    }

    /** 0 when the device has none like it: then the plain call gives the QP, or the reason. */
    private long extended(long at, KernelPd pd, QpOptions options) {
        ExtendedContext functions = new ExtendedContext(context.address());
        if (!functions.hasQps()) {
            return 0;
        }
        fill(at, options);
        Raw.putInt(at + Abi.QpInitAttrEx.COMP_MASK, Abi.QpInitAttrEx.WITH_PD_AND_SEND_OPS);
        Raw.putLong(at + Abi.QpInitAttrEx.PD, pd.pd);
        Raw.putLong(at + Abi.QpInitAttrEx.SEND_OPS_FLAGS, sendOps(options));
        return functions.createQp(at);
    }

    private long sendOps(QpOptions options) {
        if (options.type() == QpType.UC) {
            return Abi.QpInitAttrEx.UNRELIABLE_OPS;
        }
        return context.queries().hasAtomics()
                ? Abi.QpInitAttrEx.RELIABLE_OPS
                : Abi.QpInitAttrEx.RELIABLE_OPS_WITHOUT_ATOMICS;
    }

    /** Opcodes by bit; the flags above are of another order. */
    private int opcodes(QpOptions options) {
        int plain =
                1 << Abi.WrOpcode.SEND
                        | 1 << Abi.WrOpcode.SEND_WITH_IMM
                        | 1 << Abi.WrOpcode.RDMA_WRITE
                        | 1 << Abi.WrOpcode.RDMA_WRITE_WITH_IMM;
        if (options.type() == QpType.UC) {
            return plain;
        }
        int reliable = plain | 1 << Abi.WrOpcode.RDMA_READ;
        return context.queries().hasAtomics()
                ? reliable
                        | 1 << Abi.WrOpcode.ATOMIC_CMP_AND_SWP
                        | 1 << Abi.WrOpcode.ATOMIC_FETCH_AND_ADD
                : reliable;
    }

    private @Nullable ExtendedSends extendedSends(long qp) {
        long functions = context.verbs().ibv_qp_to_qp_ex(qp);
        return functions == 0 ? null : new ExtendedSends(functions);
    }
}
