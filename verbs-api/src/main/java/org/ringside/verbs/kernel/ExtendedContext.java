package org.ringside.verbs.kernel;

/**
 * struct verbs_context around a struct ibv_context: functions that came later. An older library has
 * a smaller one, which its size tells.
 */
final class ExtendedContext {
    private final long context;

    ExtendedContext(long context) {
        this.context = context;
    }

    /** Whether a function is there; as verbs_get_ctx_op of infiniband/verbs.h. */
    private boolean has(int offset) {
        return Raw.getLong(context + Abi.Context.ABI_COMPAT) == Abi.Context.IS_EXTENDED
                && Raw.getLong(context + Abi.Extended.SZ) >= Abi.Context.SIZE - (long) offset
                && Raw.getLong(context + offset) != 0;
    }

    boolean hasCqs() {
        return has(Abi.Extended.CREATE_CQ_EX);
    }

    boolean hasQps() {
        return has(Abi.Extended.CREATE_QP_EX);
    }

    /** Address of the CQ made of a struct ibv_cq_init_attr_ex, or 0 and errno. */
    long createCq(long attributes) {
        return Libraries.make(
                Raw.function(context + Abi.Extended.CREATE_CQ_EX), context, attributes);
    }

    /** Address of the QP made of a struct ibv_qp_init_attr_ex, or 0 and errno. */
    long createQp(long attributes) {
        return Libraries.make(
                Raw.function(context + Abi.Extended.CREATE_QP_EX), context, attributes);
    }
}
