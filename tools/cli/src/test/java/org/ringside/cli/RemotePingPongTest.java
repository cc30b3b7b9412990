package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.QpType;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;

/** Two ends that know of each other by {@code ibv_rc_pingpong}'s handshake only. */
@Timeout(60)
class RemotePingPongTest {
    private static final int SIZE = 4096;
    private static final int MESSAGES = 50;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** A server. */
    private interface Server {
        void serve(ServerSocket listener, Context context) throws Exception;
    }

    private static Measurement exchange(Server server, QpType type, int size, Mtu mtu)
            throws Exception {
        String device = type == QpType.RC ? "emulated/%s?wire=remote" : "soft/%s";
        try (Context there = Verbs.open(device.formatted("pong"));
                Context here = Verbs.open(device.formatted("ping"));
                ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    server.serve(listener, there);
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            task -> Thread.ofPlatform().daemon().start(task));
            Measurement measured;
            try (RemotePingPong client = new RemotePingPong(here, type, size, 0, mtu, TIMEOUT)) {
                client.call("localhost", listener.getLocalPort());
                measured = client.send(MESSAGES);
            }
            served.get(20, TimeUnit.SECONDS);
            return measured;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RC, 1, MTU_1024",
        "RC, 4096, MTU_256",
        "RC, 65537, MTU_4096",
        "UC, 4096, MTU_1024",
        "UD, 1, MTU_4096",
        "UD, 4096, MTU_4096"
    })
    void shouldVerifyWhatComesBack(QpType type, int size, Mtu mtu) throws Exception {
        Measurement measured =
                exchange(
                        (listener, context) -> {
                            try (RemotePingPong server =
                                    new RemotePingPong(context, type, size, 0, mtu, TIMEOUT)) {
                                assertThat(server.answer(listener)).startsWith("127.0.0.1:");
                                Measurement echoed = server.echo(MESSAGES);
                                assertThat(echoed.messages()).isEqualTo(2 * (MESSAGES - 1));
                                assertThat(echoed.latency().getTotalCount())
                                        .isEqualTo(MESSAGES - 1);
                            }
                        },
                        type,
                        size,
                        mtu);
        assertThat(measured.messages()).isEqualTo(2 * MESSAGES);
        assertThat(measured.latency().getTotalCount()).isEqualTo(MESSAGES);
        assertThat(measured.latency().getMinValue()).isPositive();
    }

    /** Changes the last byte of the message in the middle. */
    private static void serveBadly(ServerSocket listener, Context context) throws Exception {
        try (Side side = new Side(context, SIZE)) {
            MemorySegment[] buffers = {side.source, side.target};
            Rendezvous.answer(
                    listener,
                    side.qp.endpoint(),
                    peer -> {
                        side.qp.connect(peer, new ConnectOptions().mtu(Mtu.MTU_1024));
                        side.qp.postRecv(0, side.mr.lkey(), buffers[0].address(), SIZE);
                    });
            Messages messages = new Messages(TIMEOUT, side);
            for (int i = 0; i <= MESSAGES / 2; i++) {
                messages.complete(side.recvCq, i);
                MemorySegment now = buffers[i % 2];
                if (i == MESSAGES / 2) {
                    now.set(ValueLayout.JAVA_BYTE, SIZE - 1, (byte) 1);
                }
                MemorySegment next = buffers[(i + 1) % 2];
                side.qp.postRecv(i + 1, side.mr.lkey(), next.address(), SIZE);
                side.qp.postSend(i, SendFlags.SIGNALED, side.mr.lkey(), now.address(), SIZE);
                messages.complete(side.sendCq, i);
            }
        }
    }

    @Test
    void shouldFindAByteThatWasChanged() {
        assertThatThrownBy(
                        () ->
                                exchange(
                                        RemotePingPongTest::serveBadly,
                                        QpType.RC,
                                        SIZE,
                                        Mtu.MTU_1024))
                .hasMessageContaining("data is wrong")
                .hasMessageContaining("at byte 4088");
    }

    private static int freePort() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return listener.getLocalPort();
        }
    }

    @Test
    void shouldSayWhereNobodyAnswers() throws IOException {
        int free = freePort();
        Outcome refused = Outcome.of("pingpong", "127.0.0.1", "--port=" + free);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err())
                .contains("127.0.0.1:" + free + ": no addresses exchanged with ibv_rc_pingpong")
                .contains("Connection refused");
        Outcome unknown = Outcome.of("pingpong", "nowhere.invalid");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("there is no host nowhere.invalid");
    }

    @Test
    void shouldSayThatAPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            Outcome outcome = Outcome.of("pingpong", "--listen", "--port=" + taken.getLocalPort());
            assertThat(outcome.code()).isEqualTo(1);
            assertThat(outcome.err())
                    .contains("TCP port " + taken.getLocalPort() + " cannot be listened on")
                    .contains("give another --port");
            assertThat(outcome.err().lines()).hasSize(1);
        }
    }
}
