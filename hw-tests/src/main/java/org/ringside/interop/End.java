package org.ringside.interop;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;

/** One end of an RC connection with {@link Plan#BYTES} of memory; by whatever means. One thread. */
interface End extends AutoCloseable {
    /** Takes completions, in order. */
    interface Completions {
        void sent(int id, WcStatus status);

        /**
         * @param bytes of a SEND
         * @param immediate as the sender gave it
         */
        void received(int slot, WcStatus status, long bytes, int immediate);
    }

    /** One request; keys are the end's own affair. */
    record Request(
            int id,
            Plan.Kind kind,
            long offset,
            int length,
            long remoteAddress,
            int rkey,
            long compare,
            long swapOrAdd) {}

    MemorySegment memory();

    /** By which the peer reaches {@link #memory()}. */
    int rkey();

    Endpoint endpoint();

    void connect(Endpoint peer) throws IOException, VerbsException;

    /** Posts a receive of a slot of {@link Plan#RECEIVED}. */
    void receive(int slot);

    void request(Request request);

    /** Hands on what has completed, and lets the rest go on. */
    int poll(Completions to) throws IOException;

    @Override
    void close() throws IOException, VerbsException;
}
