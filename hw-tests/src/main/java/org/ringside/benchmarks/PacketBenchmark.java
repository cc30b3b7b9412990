package org.ringside.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Icrc;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Place;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Verdict;
import org.ringside.verbs.Gid;

/** What a RoCEv2 packet costs on its way out and in, and what of it is the ICRC. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PacketBenchmark {
    private static final long MAC = 0x5254_0000_0001L;

    /** Payload. */
    @Param({"64", "1024", "4096"})
    public int bytes;

    /** Shared, as the memory of devices is. */
    @SuppressWarnings("MustBeClosed") // closed by tear-down
    private final Arena arena = Arena.ofShared();

    private final MemorySegment data = arena.allocate(4096, 64);
    private final Frame frame = new Frame(arena.allocate(Frame.CAPACITY, 64));
    private final Flow flow =
            new Flow(
                    MAC,
                    MAC + 1,
                    Ethernet.NO_VLAN,
                    Gid.parse("10.0.0.1"),
                    Gid.parse("10.0.0.2"),
                    0,
                    64,
                    0,
                    0xc132);
    private final PacketWriter writer = new PacketWriter();
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();
    private int psn;

    /** A frame for those that only read. */
    @Setup
    public void fill() {
        data.fill((byte) 0x5a);
        build();
    }

    /** Frees the memory. */
    @TearDown
    public void close() {
        arena.close();
    }

    /** A SEND packet: headers, payload copied, ICRC. */
    @Benchmark
    public Frame build() {
        writer.begin(frame, flow, Opcodes.send(Service.RC, Place.ONLY), 0x11, psn++, true, false);
        writer.seal(data, 0, bytes);
        return frame;
    }

    /** All checks of a received packet but the ICRC. */
    @Benchmark
    public Verdict parse() {
        return packet.parse(frame);
    }

    /** All checks of a received packet. */
    @Benchmark
    public boolean check() {
        return packet.parse(frame) == Verdict.ROCE && icrc.matches(packet);
    }

    /** Both ways. */
    @Benchmark
    public boolean buildAndCheck() {
        build();
        return check();
    }

    /** The ICRC alone, of a packet that was parsed. */
    @Benchmark
    public int icrc() {
        packet.parse(frame);
        return icrc.compute(frame, packet.ip(), packet.bth(), packet.icrc());
    }
}
