package org.ringside.softroce;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.ringside.roce.Memory;
import org.ringside.verbs.Access;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.VerbsException;

/** A memory region: a key in the agent's table. */
final class SoftMr extends MemoryRegion {
    private final SoftContext context;

    private SoftMr(SoftPd pd, SoftContext context, MemorySegment memory, int key) {
        super(pd, memory, key, key);
        this.context = context;
    }

    static SoftMr create(
            SoftContext context, SoftPd pd, MemorySegment memory, long address, Set<Access> access)
            throws VerbsException {
        int rights = rights(access);
        MemorySegment reachable = reachable(memory, context.agent().thread());
        int key =
                context.agent()
                        .call(
                                () ->
                                        context.memory()
                                                .register(pd.number, reachable, address, rights));
        return new SoftMr(pd, context, memory, key);
    }

    /**
     * The memory as the agent can use it. That of a confined arena belongs to one thread in Java's
     * eyes, though to a device it would be memory like any other.
     */
    private static MemorySegment reachable(MemorySegment memory, Thread agent) {
        return memory.isAccessibleBy(agent)
                ? memory
                : MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize());
    }

    /** As the transport's {@link Memory} has them. */
    static int rights(Set<Access> access) {
        int rights = 0;
        for (Access each : access) {
            rights |=
                    switch (each) {
                        case LOCAL_WRITE -> Memory.LOCAL_WRITE;
                        case REMOTE_WRITE -> Memory.REMOTE_WRITE;
                        case REMOTE_READ -> Memory.REMOTE_READ;
                        case REMOTE_ATOMIC -> Memory.REMOTE_ATOMIC;
                    };
        }
        return rights;
    }

    @Override
    protected void doClose() throws VerbsException {
        context.agent().run(() -> context.memory().release(lkey()));
    }
}
