package org.ringside.verbs.cm;

import org.ringside.verbs.Context;
import org.ringside.verbs.ContextService;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.ib.IbConnectionManager;

/**
 * Makes connections of a port: listens for others, and asks them. One for each port; it is closed
 * with its context at the latest, and then ends its connections.
 *
 * <p>Threading: all methods may be called from any thread, several at once.
 */
public abstract class ConnectionManager extends ContextService {
    /** For providers. */
    protected ConnectionManager(Context context, int port) {
        super(context, "connection manager of port %d of %s".formatted(port, context.deviceName()));
    }

    /** Opens that of port 1. */
    public static ConnectionManager open(Context context) throws VerbsException {
        return open(context, 1);
    }

    /**
     * Opens that of a port.
     *
     * @throws VerbsException EBUSY when the port has one already, EOPNOTSUPP when its device has
     *     none
     */
    public static ConnectionManager open(Context context, int port) throws VerbsException {
        return context instanceof CmProvider provider
                ? provider.createConnectionManager(port)
                : IbConnectionManager.open(context, port);
    }

    /**
     * Lets others ask for a service.
     *
     * @param port 1 to 65535
     * @throws VerbsException EBUSY when somebody listens there
     */
    public abstract CmListener listen(PortSpace space, int port) throws VerbsException;

    /**
     * Connects a QP to a service. In RESET or INIT before, it is in RTS afterwards; receives that
     * must be there before the first message comes are posted in INIT, to which the application
     * takes the QP itself then.
     *
     * @throws CmRejectedException when the other side says no, or nobody listens there
     * @throws VerbsException ETIMEDOUT when nobody answers; EINVAL when no address of the port is
     *     of the same kind
     */
    public abstract CmConnection connect(QueuePair qp, CmAddress to, CmOptions options)
            throws VerbsException, InterruptedException;

    /**
     * Asks where datagrams for a service go.
     *
     * @param pd that of the QP which will send them
     * @throws CmRejectedException when the other side says no, or nobody listens there
     * @throws VerbsException as {@link #connect}
     */
    public abstract CmDatagramPeer resolve(ProtectionDomain pd, CmAddress to, CmOptions options)
            throws VerbsException, InterruptedException;
}
