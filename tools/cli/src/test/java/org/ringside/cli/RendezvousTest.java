package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;

@Timeout(60)
class RendezvousTest {
    private static final Endpoint WITH_GID = new Endpoint(0x41, 7, 0, new Gid(0xfe80L << 48, 0x12));
    private static final Endpoint WITH_LID = new Endpoint(0x99, 8, 5, Gid.NONE);

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @Test
    void shouldWriteAnEndpointAsTheOtherEndReadsIt() {
        byte[] line = Rendezvous.line(new Endpoint(0x41, 0x9a3b1c, 1, new Gid(1, 2)));

        assertThat(new String(line, StandardCharsets.US_ASCII))
                .isEqualTo("0001:000041:9a3b1c:00000000000000000000000000000000\0");
    }

    @Test
    void shouldNameItsGidWhereThereIsNoLid() throws Exception {
        byte[] line = Rendezvous.line(WITH_GID);

        assertThat(new String(line, StandardCharsets.US_ASCII))
                .isEqualTo("0000:000041:000007:fe800000000000000000000000000012\0");
        assertThat(Rendezvous.parse(line)).isEqualTo(WITH_GID);
    }

    @Test
    void shouldSayWhatIsNoAddress() {
        byte[] line = "x\u0007\n".repeat(18).substring(0, 52).getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> Rendezvous.parse(line))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("\"x..x..")
                .hasMessageContaining("no address of ibv_rc_pingpong");
    }

    @Test
    void shouldTellBothEndsOfEachOther() throws Exception {
        AtomicReference<Endpoint> server = new AtomicReference<>();
        AtomicReference<Endpoint> client = new AtomicReference<>();
        try (ServerSocket listener = listener()) {
            CompletableFuture<String> answered =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return Rendezvous.answer(listener, WITH_GID, client::set);
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            task -> Thread.ofPlatform().daemon().start(task));
            Rendezvous.call("localhost", listener.getLocalPort(), WITH_LID, server::set);
            assertThat(answered.get()).startsWith("127.0.0.1:");
        }
        assertThat(server.get()).isEqualTo(WITH_GID);
        assertThat(client.get()).isEqualTo(WITH_LID);
    }

    @Test
    void shouldSayThatAClientHungUp() throws Exception {
        try (ServerSocket listener = listener()) {
            new Socket(listener.getInetAddress(), listener.getLocalPort()).close();
            assertThatThrownBy(() -> Rendezvous.answer(listener, WITH_GID, peer -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:")
                    .hasMessageContaining("no addresses exchanged");
        }
    }
}
