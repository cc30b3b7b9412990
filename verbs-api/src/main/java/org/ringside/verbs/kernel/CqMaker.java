package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.VerbsException;

/** Makes CQs: extended ones where those are wanted and the device has them, else plain ones. */
final class CqMaker {
    private final KernelContext context;

    CqMaker(KernelContext context) {
        this.context = context;
    }

    KernelCq make(int entries, @Nullable KernelChannel channel) throws VerbsException {
        long address = channel == null ? 0 : channel.address();
        int vector = channel == null ? 0 : channel.vector();
        long extended = context.prefersExtended() ? extended(entries, address, vector) : 0;
        if (extended != 0) {
            return new ExtendedCq(context, extended, channel);
        }
        long made = context.verbs().ibv_create_cq(context.address(), entries, 0, address, vector);
        return new PlainCq(
                context, context.made(made, "a CQ of %d entries".formatted(entries)), channel);
    }

    /** 0 when the device has none, or none of this size: then the plain call gives the reason. */
    private long extended(int entries, long channel, int vector) {
        ExtendedContext functions = new ExtendedContext(context.address());
        if (!functions.hasCqs()) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            long at = KernelContext.scratch(arena, Abi.CqInitAttrEx.SIZE);
            Raw.putInt(at + Abi.CqInitAttrEx.CQE, entries);
            Raw.putLong(at + Abi.CqInitAttrEx.CHANNEL, channel);
            Raw.putInt(at + Abi.CqInitAttrEx.COMP_VECTOR, vector);
            Raw.putLong(at + Abi.CqInitAttrEx.WC_FLAGS, Abi.CqInitAttrEx.WITH_USUAL);
            return functions.createCq(at);
        }
    }
}
