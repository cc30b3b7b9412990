package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;

@Timeout(60)
class EchoClientTest {
    private static final int SIZE = 4096;
    private static final int MESSAGES = 50;

    @Test
    void shouldWriteAnEndpointAsTheServerReadsIt() {
        byte[] line = EchoClient.line(new Endpoint(0x41, 0x9a3b1c, 1, new Gid(1, 2)));

        assertThat(new String(line, StandardCharsets.US_ASCII))
                .isEqualTo("0001:000041:9a3b1c:00000000000000000000000000000000\0");
    }

    @Test
    void shouldNameItsGidWhereThereIsNoLid() {
        Endpoint end = new Endpoint(0x41, 7, 0, new Gid(0xfe80L << 48, 0x1234));
        byte[] line = EchoClient.line(end);

        assertThat(new String(line, StandardCharsets.US_ASCII))
                .isEqualTo("0000:000041:000007:fe800000000000000000000000001234\0");
        assertThat(EchoClient.parse(line)).isEqualTo(end);
    }

    @Test
    void shouldSayWhatIsNoAddress() {
        byte[] line = "x".repeat(52).getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> EchoClient.parse(line))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("no address of ibv_rc_pingpong");
    }

    @Test
    void shouldSayWhereNobodyAnswers() throws Exception {
        int free;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = listener.getLocalPort();
        }
        Outcome refused = Outcome.of("echo", "--server=127.0.0.1", "--port=" + free);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err())
                .contains("127.0.0.1:" + free + ": no addresses exchanged with ibv_rc_pingpong")
                .contains("Connection refused");
        Outcome unknown = Outcome.of("echo", "--server=nowhere.invalid");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("there is no host nowhere.invalid");
    }

    /** The server's part of ibv_rc_pingpong: one buffer, which it sends back. */
    private static void serve(ServerSocket listener, Context context, boolean change)
            throws Exception {
        try (Socket socket = listener.accept();
                Side side = new Side(context, SIZE)) {
            byte[] line = new byte[52];
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readFully(line);
            Endpoint own = side.qp.endpoint();
            side.qp.connect(EchoClient.parse(line), new ConnectOptions().mtu(Mtu.MTU_1024));
            side.qp.postRecv(0, side.mr.lkey(), side.source.address(), SIZE);
            socket.getOutputStream().write(EchoClient.line(own));
            in.readFully(new byte[5]);
            for (int i = 0; i < MESSAGES; i++) {
                while (!side.recvCq.startPoll()) {
                    Thread.onSpinWait();
                }
                side.recvCq.endPoll();
                if (change && i == MESSAGES / 2) {
                    side.source.set(java.lang.foreign.ValueLayout.JAVA_BYTE, SIZE - 1, (byte) 1);
                }
                side.qp.postSend(
                        i, SendFlags.SIGNALED, side.mr.lkey(), side.source.address(), SIZE);
                while (!side.sendCq.startPoll()) {
                    Thread.onSpinWait();
                }
                side.sendCq.endPoll();
                side.qp.postRecv(i, side.mr.lkey(), side.source.address(), SIZE);
                if (change && i == MESSAGES / 2) {
                    return;
                }
            }
        }
    }

    private static void exchange(boolean change) throws Exception {
        try (Context server = Verbs.open("emulated/echo-server?wire=echo");
                Context client = Verbs.open("emulated/echo-client?wire=echo");
                ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    serve(listener, server, change);
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            try (EchoClient echo = new EchoClient(client, SIZE, Duration.ofSeconds(20))) {
                echo.meet("localhost", listener.getLocalPort(), 0);
                assertThat(echo.run(MESSAGES)).isPositive();
            }
            served.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldVerifyWhatComesBack() throws Exception {
        exchange(false);
    }

    @Test
    void shouldFindAByteThatWasChanged() {
        assertThatThrownBy(() -> exchange(true)).hasMessageContaining("4088");
    }
}
