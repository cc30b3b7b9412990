package org.ringside.verbs.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.ringside.verbs.Access;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.VerbsException;

/** A memory region: struct ibv_mr. */
final class KernelMr extends MemoryRegion {
    private static final int EPERM = 1;
    private static final int EFAULT = 14;

    private final KernelContext context;
    private final long mr;

    private KernelMr(KernelPd pd, MemorySegment memory, long mr) {
        super(pd, memory, Raw.getInt(mr + Abi.Mr.LKEY), Raw.getInt(mr + Abi.Mr.RKEY));
        this.context = pd.context;
        this.mr = mr;
    }

    static KernelMr register(KernelPd pd, MemorySegment memory, long address, Set<Access> access)
            throws VerbsException {
        Libraries libraries = pd.context.libraries();
        long length = memory.byteSize();
        long mr = libraries.verbs().ibv_reg_mr(pd.pd, address, length, flags(access));
        if (mr == 0) {
            int errno = Libraries.errno();
            throw libraries.failure(
                    errno,
                    "%s: registering %d bytes at 0x%x".formatted(pd.context, length, address),
                    cure(libraries, errno));
        }
        return new KernelMr(pd, memory, mr);
    }

    private static String cure(Libraries libraries, int errno) {
        return switch (errno) {
            case VerbsException.ENOMEM, VerbsException.EAGAIN, EPERM ->
                    "this process may lock %s: raise that (ulimit -l, or LimitMEMLOCK= of a service), or register less"
                            .formatted(libraries.memoryLimit());
            case EFAULT ->
                    "it is not all mapped, or read-only; register memory of an Arena or of"
                            + " Context.allocate";
            default -> "";
        };
    }

    /** As enum ibv_access_flags. */
    static int flags(Set<Access> access) {
        int flags = 0;
        for (Access each : access) {
            flags |=
                    switch (each) {
                        case LOCAL_WRITE -> 1;
                        case REMOTE_WRITE -> 1 << 1;
                        case REMOTE_READ -> 1 << 2;
                        case REMOTE_ATOMIC -> 1 << 3;
                    };
        }
        return flags;
    }

    @Override
    protected void doClose() throws VerbsException {
        context.closed(this, context.verbs().ibv_dereg_mr(mr));
    }
}
