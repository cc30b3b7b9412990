package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.emulator.device.DmaFault.Reason;
import org.ringside.linux.Abi;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.Region;

/** A client that stops reading: it loses its session, other functions of the agent do not wait. */
@Timeout(60)
class SilentReaderTest extends ServerTest {
    private static final int PATIENCE_MILLIS = 300;
    private static final long IOVA = 0x40000;
    private static final int TRANSFER = 512 << 10;
    private static final Logger LOGGER = Logger.getLogger("org.ringside.emulator.server");

    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    log.add(record.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    /** Another function of the same agent, and its client. */
    private TestFunction other;

    private VfioUserServer otherServer;
    private RawClient otherClient;

    @BeforeEach
    void startImpatientServers() throws IOException {
        client.close();
        server.close();
        server =
                VfioUserServer.listen(
                        SystemCalls.host(),
                        directory.resolve("impatient"),
                        function,
                        agent,
                        PATIENCE_MILLIS);
        client = RawClient.qemu(server.path());
        other = TestFunction.trapped();
        otherServer = VfioUserServer.listen(directory.resolve("other"), other, agent);
        otherClient = RawClient.qemu(otherServer.path());
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void stopOther() throws IOException {
        LOGGER.removeHandler(handler);
        otherClient.close();
        otherServer.close();
        other.close();
    }

    /** Asks for more replies than the socket can hold, and reads half a header of the first. */
    private void stopReadingInTheMiddleOfAReply(CountDownLatch dropped) throws IOException {
        RawClient.CALLS.setSocketOption(client.fd, Abi.SO_RCVBUF, 4096);
        Thread asking =
                new Thread(
                        () -> {
                            try {
                                while (true) {
                                    client.send(client.regionRead(0, 0, 4096));
                                }
                            } catch (IOException e) {
                                dropped.countDown();
                            }
                        });
        asking.setDaemon(true);
        asking.start();
        assertThat(client.isReadableWithin(10_000)).isTrue();
        assertThat(client.readBytes(8)).as("half a header").isEqualTo(8);
    }

    @Test
    void shouldDropClientThatStopsReadingInTheMiddleOfAReply() throws Exception {
        CountDownLatch dropped = new CountDownLatch(1);
        stopReadingInTheMiddleOfAReply(dropped);
        assertThat(dropped.await(30, TimeUnit.SECONDS)).as("the session has ended").isTrue();
        try (RawClient next = RawClient.qemu(server.path())) {
            assertThat(next.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
        }
        assertThat(log)
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .contains("session ends: the peer has not taken all of")
                                        .contains("within 300 ms: the client does not read"));
        assertThat(agent.call(() -> function.events)).endsWith("reset CLIENT_LOST");
    }

    @Test
    void shouldServeOtherFunctionsMeanwhile() throws Exception {
        CountDownLatch dropped = new CountDownLatch(1);
        stopReadingInTheMiddleOfAReply(dropped);
        Duration longest = Duration.ZERO;
        do {
            long start = System.nanoTime();
            assertThat(otherClient.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            longest = took.compareTo(longest) > 0 ? took : longest;
        } while (dropped.getCount() != 0);
        assertThat(longest)
                .as("what the other function had to wait for")
                .isLessThan(Duration.ofMillis(10 * PATIENCE_MILLIS));
    }

    /** The function's own request to the client is a message as well. */
    @Test
    void shouldDropClientThatDoesNotReadWhatTheFunctionWrites() throws Exception {
        client.enable();
        assertThat(client.errno(client.dmaMap(IOVA, 0x400000, READ_WRITE, 0))).isZero();
        RawClient.CALLS.setSocketOption(client.fd, Abi.SO_RCVBUF, 4096);
        Reason reason = agent.call(() -> function.failureOfWrite(IOVA, TRANSFER));
        assertThat(reason).isEqualTo(Reason.CLIENT_GONE);
        client.awaitEndOfStream();
        try (RawClient next = RawClient.qemu(server.path())) {
            assertThat(next.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
        }
        assertThat(log).anySatisfy(line -> assertThat(line).contains("the client does not read"));
    }
}
