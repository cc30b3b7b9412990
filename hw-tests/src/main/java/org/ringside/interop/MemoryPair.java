package org.ringside.interop;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.Transport;
import org.ringside.roce.TransportOptions;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.port.Port;
import org.ringside.roce.port.PortAddresses;
import org.ringside.roce.wire.MemoryWire;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.Gid;

/**
 * Two ports on a wire in memory. Time is simulated: it passes only when there is nothing to do, to
 * the next thing that happens; so what is measured is what the protocol waits for, whatever this
 * machine is doing.
 */
final class MemoryPair implements Wire {
    private static final int FRAMES = 1024;
    private static final long TICK_NANOS = 8192;
    private static final long MAC = 0x5254_0000_0201L;

    private final MemoryWire wire;
    private final Port[] ports = new Port[2];
    private final MemoryTable[] keys = {new MemoryTable(), new MemoryTable()};
    private long now = 1_000_000_000;

    MemoryPair(Mishaps mishaps, long seed, Gid left, Gid right) {
        wire = new MemoryWire(mishaps, seed, FRAMES);
        wire.time(now);
        ports[MemoryWire.LEFT] = port(MemoryWire.LEFT, left);
        ports[MemoryWire.RIGHT] = port(MemoryWire.RIGHT, right);
    }

    private Port port(int at, Gid gid) {
        return new Port(
                new PortAddresses(MAC + at).add(gid),
                wire.link(at),
                new Transport(wire.link(at), keys[at], TransportOptions.DEFAULT, now));
    }

    Port port(int at) {
        return ports[at];
    }

    MemoryTable keys(int at) {
        return keys[at];
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public int turn() {
        int work = 0;
        for (@Nullable Frame frame; (frame = wire.arrived()) != null; work++) {
            ports[wire.arrivedAt()].receive(frame, now);
            wire.done();
        }
        for (Port port : ports) {
            work += port.poll(now);
        }
        if (work == 0) {
            now = Math.max(now + 1, Math.min(now + TICK_NANOS, wire.nextArrival()));
            wire.time(now);
        }
        return work;
    }

    @Override
    public void close() {}
}
