package org.ringside.roce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Icrc;
import org.ringside.roce.packet.Opcode;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Verdict;
import org.ringside.verbs.Gid;
import org.ringside.verbs.QpState;

/**
 * Frames of each opcode, mutated by a seed, with an ICRC that fits again: no exception, and no byte
 * written outside of the region that the peer may write.
 */
class FuzzTest {
    private static final int FRAMES = Integer.getInteger("ringside.fuzz.frames", 100_000);
    private static final int GUARD = 4096;
    private static final int REGION = 8192;
    private static final byte FILL = 0x3c;
    private static final Gid US = Gid.parse("10.0.0.1");
    private static final Gid PEER = Gid.parse("10.0.0.2");

    /** Takes what is sent and forgets it. */
    private static final class Sink implements Link {
        private final Frame frame = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 64));

        @Override
        public @Nullable Frame acquire() {
            return frame;
        }

        @Override
        public void transmit(Frame sent) {}

        @Override
        public void abandon(Frame unsent) {}
    }

    /** A queue that always has another request. */
    private final class Endless implements SendSource, ReceiveSource {
        @Override
        public boolean next(SendRequest into) {
            into.clear();
            SendRequest.Kind[] kinds = {
                SendRequest.Kind.READ, SendRequest.Kind.FETCH_ADD, SendRequest.Kind.WRITE
            };
            into.kind = kinds[random.nextInt(kinds.length)];
            into.sges().add(key, base, into.kind == SendRequest.Kind.FETCH_ADD ? 8 : 700);
            into.remoteAddress = base;
            return random.nextInt(4) != 0;
        }

        @Override
        public boolean next(ReceiveRequest into) {
            into.clear();
            into.sges().add(key, base + 1024, 2048);
            return random.nextInt(8) != 0;
        }

        @Override
        public boolean isShared() {
            return true; // A flush of an endless queue would not end.
        }
    }

    private final Random random = new Random(4);
    private final MemoryTable memory = new MemoryTable();
    private final MemorySegment all = Arena.ofAuto().allocate(2 * GUARD + REGION, 4096);
    private final long base = all.address() + GUARD;
    private final int key = memory.register(Peer.PD, all.asSlice(GUARD, REGION), base, Peer.ALL);
    private final TestQueues reports = new TestQueues();
    private final Transport transport =
            new Transport(new Sink(), memory, TransportOptions.DEFAULT, 0);
    private final Flow toUs = new Flow(2, 1, Ethernet.NO_VLAN, PEER, US, 0, 64, 0, 0xc000);
    private final Flow toPeer = new Flow(1, 2, Ethernet.NO_VLAN, US, PEER, 0, 64, 0, 0xc000);
    private final Frame frame = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 64));
    private final PacketWriter writer = new PacketWriter();
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();
    private long now;
    private int bases;

    static IntStream opcodes() {
        return IntStream.range(0, 256).filter(code -> Opcode.of(code) != null);
    }

    private RoceQp create(int number, Service service) {
        Endless endless = new Endless();
        QpOptions options = new QpOptions(number, service, Peer.PD, 16, 2, 0, Peer.QKEY);
        return transport.create(options, reports, sendsOf(service, endless), endless);
    }

    private static SendSource sendsOf(Service service, Endless endless) {
        return service == Service.RC ? endless : into -> false;
    }

    private void connect(RoceQp qp) {
        qp.toReset();
        qp.toInit();
        qp.toRtr(new Connection(toPeer, 0x22, 256, bases, 4, 1, Peer.ALL));
        // Sends end with a flush, so an endless queue is only looked at in RTS.
        qp.toRts(new SendAttributes(bases, 14, 7, 7, 4), now);
    }

    @ParameterizedTest
    @MethodSource("opcodes")
    void shouldSurviveMutatedFrames(int code) {
        Opcode opcode = Opcode.require(code);
        RoceQp qp = create(0x11, opcode.service() == Service.CNP ? Service.RC : opcode.service());
        all.fill(FILL);
        connect(qp);
        for (int i = 0; i < FRAMES; i++) {
            if (qp.state() != QpState.RTS) {
                bases = random.nextInt(1 << 24);
                connect(qp);
            }
            write(opcode, qp);
            mutate();
            now += 1000;
            transport.receive(frame, now);
            transport.poll(now);
            reports.sent.clear();
            reports.received.clear();
            reports.events.clear();
            reports.states.clear();
        }
        for (long at = 0; at < GUARD; at++) {
            assertThat(all.get(JAVA_BYTE, at)).isEqualTo(FILL);
            assertThat(all.get(JAVA_BYTE, GUARD + REGION + at)).isEqualTo(FILL);
        }
        assertThat(transport.counters().get(Counter.RECEIVED_PACKETS)).isGreaterThan(FRAMES / 4);
    }

    /** A packet that could be right. */
    private void write(Opcode opcode, RoceQp qp) {
        int psn = bases + random.nextInt(3) + (random.nextInt(8) == 0 ? random.nextInt() : 0);
        boolean ack = random.nextBoolean();
        writer.begin(frame, toUs, opcode, qp.number(), psn, ack, random.nextBoolean());
        long address = base + random.nextInt(REGION) - (random.nextInt(4) == 0 ? GUARD : 0);
        if (opcode.reth() != Opcode.NONE) {
            int[] lengths = {0, 1, 256, 257, 700, REGION, -1, 1 << 31, random.nextInt()};
            writer.rdma(address, key, lengths[random.nextInt(lengths.length)]);
        }
        if (opcode.atomicEth() != Opcode.NONE) {
            writer.atomic(address & -8, key, random.nextLong(), random.nextLong());
        }
        if (opcode.aeth() != Opcode.NONE) {
            int[] syndromes = {0x1f, 0x2c, 0x60, 0x61, random.nextInt(256)};
            writer.acknowledge(syndromes[random.nextInt(syndromes.length)], random.nextInt());
        }
        if (opcode.deth() != Opcode.NONE) {
            writer.datagram(random.nextInt(8) == 0 ? 1 : Peer.QKEY, 0x22);
        }
        if (opcode.hasInvalidate()) {
            writer.invalidate(random.nextBoolean() ? key : random.nextInt());
        }
        int[] payloads = {0, 0, 1, 3, 188, 255, 256, 256, 257, 512};
        writer.seal(payloads[random.nextInt(payloads.length)]);
    }

    private void mutate() {
        packet.parse(frame);
        int bth = packet.bth();
        for (int n = random.nextInt(3); n > 0; n--) {
            int at =
                    random.nextInt(16) == 0
                            ? random.nextInt(bth)
                            : bth + random.nextInt(Math.min(frame.length() - bth, 48));
            frame.bytes().put(at, (byte) random.nextInt());
        }
        if (random.nextInt(16) == 0) {
            frame.length(random.nextInt(frame.length()));
        }
        if (packet.parse(frame) == Verdict.ROCE && random.nextInt(16) != 0) {
            int sum = icrc.compute(frame, packet.ip(), packet.bth(), packet.icrc());
            frame.bytes().putInt(packet.icrc(), Integer.reverseBytes(sum));
        }
    }
}
