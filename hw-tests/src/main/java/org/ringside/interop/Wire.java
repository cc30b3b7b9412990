package org.ringside.interop;

import java.io.IOException;

/** What drives a port: frames in, timers, frames out; and the clock that it goes by. */
interface Wire extends AutoCloseable {
    /** Nanoseconds. */
    long now();

    /**
     * Does what is due, or lets a little time pass when nothing is.
     *
     * @return how much was done
     */
    int turn() throws IOException;

    @Override
    void close() throws IOException;
}
