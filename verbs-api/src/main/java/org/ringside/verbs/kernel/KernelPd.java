package org.ringside.verbs.kernel;

import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.VerbsException;

/** A protection domain: struct ibv_pd. */
final class KernelPd extends ProtectionDomain {
    final KernelContext context;
    final long pd;

    KernelPd(KernelContext context, long pd) {
        super(context, Raw.getInt(pd + Abi.Pd.HANDLE));
        this.context = context;
        this.pd = pd;
    }

    @Override
    protected void doClose() throws VerbsException {
        context.closed(this, context.verbs().ibv_dealloc_pd(pd));
    }
}
