package org.ringside.interop;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.ringside.roce.Transport;
import org.ringside.roce.TransportOptions;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.port.Port;
import org.ringside.roce.port.PortAddresses;
import org.ringside.roce.wire.StreamLink;

/** A port on a stream of frames, in real time. */
final class StreamWire implements Wire {
    private static final int SPINS = 2000;
    private static final long PARK_NANOS = 20_000;

    private final StreamLink link;
    private final Port port;
    private int idle;

    StreamWire(StreamLink link, MemoryTable memory, PortAddresses addresses) {
        this.link = link;
        port =
                new Port(
                        addresses,
                        link,
                        new Transport(link, memory, TransportOptions.DEFAULT, System.nanoTime()));
    }

    Port port() {
        return port;
    }

    @Override
    public long now() {
        return System.nanoTime();
    }

    @Override
    public int turn() throws IOException {
        long now = System.nanoTime();
        int work = link.poll(port::receive, now) + port.poll(now);
        if (work > 0) {
            idle = 0;
        } else if (++idle > SPINS) {
            LockSupport.parkNanos(PARK_NANOS);
        } else {
            Thread.onSpinWait();
        }
        return work;
    }

    @Override
    public void close() throws IOException {
        link.close();
    }
}
