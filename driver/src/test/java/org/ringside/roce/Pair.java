package org.ringside.roce;

import java.util.function.BooleanSupplier;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Service;
import org.ringside.roce.wire.MemoryWire;
import org.ringside.roce.wire.Mishaps;

/** Two peers on a wire, and a clock that moves to what happens next. */
final class Pair {
    static final long MILLISECOND = 1_000_000;
    static final long SECOND = 1000 * MILLISECOND;
    private static final long TICK = 8192;

    final MemoryWire wire;
    final Peer left;
    final Peer right;
    long now = SECOND;

    Pair(Service service, Mishaps mishaps, long seed) {
        this(service, mishaps, seed, TransportOptions.DEFAULT);
    }

    Pair(Service service, Mishaps mishaps, long seed, TransportOptions options) {
        wire = new MemoryWire(mishaps, seed, 512);
        wire.time(now);
        left = new Peer(17, service, wire.link(MemoryWire.LEFT), options, now);
        right = new Peer(18, service, wire.link(MemoryWire.RIGHT), options, now);
    }

    Pair connect(Peer.Settings settings) {
        left.connect(right, settings, now);
        right.connect(left, settings, now);
        return this;
    }

    static Pair connected(Service service) {
        return new Pair(service, Mishaps.NONE, 1).connect(Peer.Settings.USUAL);
    }

    /** Lets time pass until something is so; fails when it is not so in time. */
    void runUntil(BooleanSupplier reached, long withinNanos) {
        long end = now + withinNanos;
        while (!reached.getAsBoolean()) {
            if (now > end) {
                throw new AssertionError(
                        "not within %d us; left %s; right %s"
                                .formatted(
                                        withinNanos / 1000,
                                        left.transport.counters(),
                                        right.transport.counters()));
            }
            step();
        }
    }

    /** Lets this much time pass. */
    void run(long nanos) {
        long end = now + nanos;
        while (now < end) {
            step();
        }
    }

    private void step() {
        int work = deliver();
        work += left.transport.poll(now);
        work += right.transport.poll(now);
        if (work == 0) {
            now = Math.max(now + 1, Math.min(now + TICK, wire.nextArrival()));
            wire.time(now);
        }
    }

    private int deliver() {
        int count = 0;
        Frame frame;
        while ((frame = wire.arrived()) != null) {
            Peer to = wire.arrivedAt() == MemoryWire.LEFT ? left : right;
            to.transport.receive(frame, now);
            wire.done();
            count++;
        }
        return count;
    }
}
