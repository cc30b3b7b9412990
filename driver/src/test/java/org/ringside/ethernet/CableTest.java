package org.ringside.ethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.roce.packet.Frame;

@Timeout(20)
class CableTest {
    private static EthernetPort plug(String option) throws IOException {
        return Objects.requireNonNull(Cable.parse(option)).plug(0x02_00_00_00_00_01L);
    }

    private static void send(EthernetPort from, int length, int seed) {
        Frame frame = Objects.requireNonNull(from.acquire());
        frame.length(length);
        for (int i = 0; i < length; i++) {
            frame.bytes().put(i, (byte) (i + seed));
        }
        from.transmit(frame);
    }

    private static byte[] receive(EthernetPort from, EthernetPort other) {
        List<byte[]> got = new ArrayList<>();
        while (got.isEmpty()) {
            from.poll((frame, now) -> got.add(frame.toByteArray()), 0);
            other.poll((frame, now) -> {}, 0);
        }
        return got.getFirst();
    }

    private static void crosses(EthernetPort a, EthernetPort b) {
        send(a, 60, 1);
        assertThat(receive(b, a)).hasSize(60).startsWith(1, 2, 3);
        send(b, 4200, 2);
        assertThat(receive(a, b)).hasSize(4200).startsWith(2, 3, 4);
    }

    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void shouldCarryFramesInDatagrams() throws IOException {
        int left = freePort();
        int right = freePort();
        try (EthernetPort a = plug("dgram=%d:%d".formatted(left, right))) {
            send(a, 60, 9); // Nobody is there yet: lost, and nothing else.
            a.poll((frame, now) -> {}, 0);
            assertThat(a.isLost()).isFalse();
            for (int i = 0; i < 200; i++) {
                send(a, 60, 9); // Each buffer comes back.
            }
            try (EthernetPort b = plug("dgram=%d:%d".formatted(right, left))) {
                crosses(a, b);
                assertThatThrownBy(() -> plug("dgram=%d:%d".formatted(right, left)))
                        .hasMessageContaining("cannot use UDP port " + right);
            }
            assertThat(a.isUp()).isTrue();
        }
    }

    @Test
    void shouldCarryFramesInAStream(@TempDir Path directory) throws IOException {
        Path socket = directory.resolve("wire");
        try (EthernetPort a = plug("listen=" + socket);
                EthernetPort b = plug("wire=" + socket)) {
            a.poll((frame, now) -> {}, 0);
            crosses(a, b);
        }
        assertThatThrownBy(() -> plug("wire=" + socket))
                .hasMessageContaining("-netdev stream,server=on");
    }

    /** The loopback interface gives back what is sent on it, to all sockets. */
    @Test
    void shouldCarryFramesOnAnInterface() throws IOException {
        EthernetPort first;
        try {
            first = plug("packet=lo");
        } catch (IOException e) {
            assumeThat(e).as("run it as root: " + e.getMessage()).hasMessageNotContaining("EPERM");
            throw e;
        }
        try (EthernetPort b = plug("packet=lo")) {
            EthernetPort a = first;
            assertThat(a.mtu()).isEqualTo(EthernetPort.MAX_MTU);
            assertThat(a.isUp()).isTrue();
            for (int i = 0; i < 200; i++) { // Each buffer comes back.
                byte[] sent = experimental(a, 60 + i * 20, i);
                assertThat(arrivals(b)).contains(sent);
                assertThat(b.isLost()).isFalse();
            }
            a.close();
            a.close();
            assertThat(a.poll((frame, now) -> {}, 0)).isZero();
            assertThat(a.isUp()).isFalse();
        }
    }

    /** Sends a frame of an EtherType for experiments (IEEE 802, 9.2.3). */
    private static byte[] experimental(EthernetPort from, int length, int seed) {
        Frame frame = Objects.requireNonNull(from.acquire());
        frame.length(length);
        for (int i = 0; i < length; i++) {
            frame.bytes().put(i, (byte) (i + seed));
        }
        frame.bytes().putShort(12, (short) 0x88b5);
        byte[] sent = frame.toByteArray();
        from.transmit(frame);
        return sent;
    }

    private static List<byte[]> arrivals(EthernetPort at) {
        List<byte[]> got = new ArrayList<>();
        while (at.poll((frame, now) -> got.add(frame.toByteArray()), 0) > 0) {
            // Others use the interface too.
        }
        return got;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nosuch0", "../lo", "."})
    void shouldSayThatThereIsNoInterface(String name) {
        assertThatThrownBy(() -> plug("packet=" + name))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "there is no network interface \"" + name + "\"; \"ip link\" lists them");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "packet=",
                "dgram=1",
                "dgram=1:2:3",
                "dgram=0:5",
                "dgram=a:b",
                "wire=",
                "listen="
            })
    void shouldSayWhatIsNoEnd(String option) {
        assertThatThrownBy(() -> Cable.parse(option))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write ");
    }

    @Test
    void shouldLeaveOtherOptionsAlone() {
        assertThat(Cable.parse("ip=10.0.0.1")).isNull();
        assertThat(Cable.parse("dgram=7:8")).hasToString("dgram=7:8");
    }
}
