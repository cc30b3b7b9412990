package org.ringside.verbs.cm;

import java.time.Duration;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;

/** A connection that was made. All methods may be called from any thread. */
public abstract class CmConnection implements AutoCloseable {
    /** The QP that is connected; it stays the application's. */
    public abstract QueuePair qp();

    /** The other side. */
    public abstract CmAddress peer();

    /**
     * What the other side sent with its message. Room that it did not use is there too, as zeros:
     * the protocol tells no length.
     */
    public abstract byte[] privateData();

    /** Whether neither side has ended it. */
    public abstract boolean isEstablished();

    /**
     * Ends the connection: the QP goes to ERR, the other side is told and its answer awaited.
     * Harmless when the connection has ended already.
     *
     * @throws VerbsException ETIMEDOUT when the other side does not answer; the connection has
     *     ended here in spite of it
     */
    public abstract void disconnect() throws VerbsException, InterruptedException;

    /**
     * Waits until the connection ends: by either side, or with the connection manager. The QP is in
     * ERR then.
     *
     * @return whether it has ended
     */
    public abstract boolean awaitDisconnect(Duration timeout) throws InterruptedException;

    /** Ends the connection, telling the other side but not waiting for its answer. */
    @Override
    public abstract void close();
}
