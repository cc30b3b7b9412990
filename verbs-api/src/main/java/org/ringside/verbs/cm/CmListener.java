package org.ringside.verbs.cm;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A service that others may ask for. All methods may be called from any thread. */
public abstract class CmListener implements AutoCloseable {
    /** Port of the service. */
    public abstract int port();

    /**
     * The oldest request that was not taken.
     *
     * @return null when none came in time, or the listener was closed
     */
    public abstract @Nullable CmRequest await(Duration timeout) throws InterruptedException;

    /** Stops listening; requests that were not taken are rejected. */
    @Override
    public abstract void close();
}
