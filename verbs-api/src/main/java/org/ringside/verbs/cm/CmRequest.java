package org.ringside.verbs.cm;

import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;

/** Somebody asks for a service. It is accepted or rejected once; one thread does that. */
public abstract class CmRequest {
    /** Who asks. */
    public abstract CmAddress peer();

    /** RC or UC: wants a connection. UD: wants to know where to send datagrams. */
    public abstract QpType type();

    /** As {@link CmConnection#privateData()}. */
    public abstract byte[] privateData();

    /**
     * Accepts a connection: the QP, in RESET or INIT, is taken to RTS, the other side is told, and
     * its confirmation awaited. Receives that must be there before the first message comes are
     * posted in INIT, to which the application takes the QP itself then.
     *
     * @throws VerbsException ETIMEDOUT when the other side does not confirm; ECONNREFUSED when it
     *     takes its request back; EINVAL when the QP is of another type than asked for
     */
    public abstract CmConnection accept(QueuePair qp, CmOptions options)
            throws VerbsException, InterruptedException;

    /**
     * Answers a request for datagrams: this is where to send them.
     *
     * @param qkey the Q_Key that they have to carry
     */
    public abstract void acceptDatagrams(QueuePair qp, int qkey, byte[] privateData)
            throws VerbsException;

    /** Rejects; the other side gets the data: at most 148 bytes, for datagrams 136. */
    public abstract void reject(byte[] privateData) throws VerbsException;
}
