package org.ringside.roce.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.ringside.roce.Link;
import org.ringside.roce.Transport;
import org.ringside.roce.TransportOptions;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Ip;
import org.ringside.roce.wire.FramePool;
import org.ringside.verbs.Gid;

class PortTest {
    private static final long SECOND = 1_000_000_000;

    private final Side left = new Side(0x5254_0000_0001L, "10.0.0.1", "fd00::1");
    private final Side right = new Side(0x5254_0000_0002L, "10.0.0.2", "fd00::2");
    private final List<Long> answers = new ArrayList<>();
    private long now = SECOND;

    /** A port whose frames wait for the test to move them. */
    private static final class Side implements Link {
        final FramePool pool = new FramePool(16);
        final Deque<Frame> sent = new ArrayDeque<>();
        final Port port;

        Side(long mac, String... addresses) {
            PortAddresses all = new PortAddresses(mac);
            for (String address : addresses) {
                all.add(Gid.parse(address));
            }
            Transport transport =
                    new Transport(this, new MemoryTable(), TransportOptions.DEFAULT, SECOND);
            port = new Port(all, this, transport);
        }

        @Override
        public @Nullable Frame acquire() {
            return pool.take();
        }

        @Override
        public void transmit(Frame frame) {
            sent.add(frame);
        }

        @Override
        public void abandon(Frame frame) {
            pool.give(frame);
        }
    }

    private void exchange() {
        left.port.poll(now);
        right.port.poll(now);
        Frame frame;
        while ((frame = left.sent.poll()) != null) {
            right.port.receive(frame, now);
            left.pool.give(frame);
        }
        while ((frame = right.sent.poll()) != null) {
            left.port.receive(frame, now);
            right.pool.give(frame);
        }
    }

    @Test
    void shouldFindNeighboursOfBothFamilies() {
        for (String address : new String[] {"10.0.0.2", "fd00::2", "fe80::5054:ff:fe00:2"}) {
            answers.clear();
            left.port.resolve(Gid.parse(address), now, answers::add);
            exchange();
            assertThat(answers).as(address).containsExactly(right.port.addresses().mac());
        }
        assertThat(left.pool.available()).isEqualTo(16);
        assertThat(right.pool.available()).isEqualTo(16);
    }

    @Test
    void shouldLearnFromWhoAsks() {
        left.port.resolve(Gid.parse("10.0.0.2"), now, mac -> {});
        exchange();
        right.port.resolve(Gid.parse("10.0.0.1"), now, answers::add);
        assertThat(answers).containsExactly(left.port.addresses().mac());
    }

    @Test
    void shouldAskThreeTimesAndThenSaySo() {
        left.port.resolve(Gid.parse("10.0.0.9"), now, answers::add);
        int asked = 0;
        for (int i = 0; i < 100; i++) {
            left.port.poll(now);
            for (Frame frame; (frame = left.sent.poll()) != null; asked++) {
                left.pool.give(frame);
            }
            now += SECOND / 10;
        }
        assertThat(asked).isEqualTo(3);
        assertThat(answers).containsExactly(Port.NOBODY);
    }

    /** What a Linux ping sends, with checksums of its own making. */
    @Test
    void shouldAnswerEcho() {
        byte[] ping =
                HexFormat.of()
                        .parseHex(
                                "52540000000152540000000208004500001c00004000400126df0a0000020a000001"
                                        + "0800f7fd00010001");
        Frame frame = new FramePool(1).take();
        assertThat(frame).isNotNull();
        frame.copyOf(ping);
        left.port.receive(frame, now);
        Frame reply = left.sent.poll();
        assertThat(reply).isNotNull();
        assertThat(Ethernet.destination(reply.bytes())).isEqualTo(0x5254_0000_0002L);
        assertThat(Ip.fold(Ip.sum(reply.bytes(), 14, 20))).isZero();
        assertThat(Ip.fold(Ip.sum(reply.bytes(), 34, 8))).isZero();
        assertThat(reply.bytes().get(34)).isZero();
        assertThat(reply.bytes().getInt(30)).isEqualTo(0x0a000002);
    }

    @Test
    void shouldListGidsAsLinuxDoes() {
        assertThat(left.port.addresses().gids())
                .containsExactly(
                        Gid.parse("fe80::5054:ff:fe00:1"),
                        Gid.parse("10.0.0.1"),
                        Gid.parse("fd00::1"));
    }
}
