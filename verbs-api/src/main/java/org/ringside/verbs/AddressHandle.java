package org.ringside.verbs;

/**
 * The way of datagrams to one port (IBTA vol. 1, 11.2.2). Given to {@link QueuePair#to}; immutable,
 * may be used from any thread and by any UD QP of its protection domain.
 *
 * <p>It may be closed while datagrams that were posted with it are still under way: each has taken
 * what it needs when it was posted.
 */
public abstract class AddressHandle extends VerbsObject {
    private final ProtectionDomain pd;
    private final int port;
    private final AddressVector path;

    /** For providers. */
    protected AddressHandle(ProtectionDomain pd, int port, AddressVector path) {
        super("AH to " + path.destinationGid() + " on " + pd.context().deviceName());
        this.pd = pd;
        this.port = port;
        this.path = path;
    }

    @Override
    final Object lock() {
        return pd.lock();
    }

    public final ProtectionDomain pd() {
        return pd;
    }

    /** Number of the local port, from 1. */
    public final int port() {
        return port;
    }

    public final AddressVector path() {
        return path;
    }
}
