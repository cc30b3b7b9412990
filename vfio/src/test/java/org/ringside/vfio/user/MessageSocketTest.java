package org.ringside.vfio.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

@Timeout(30)
class MessageSocketTest {
    /** The common pool has too few threads to block in. */
    private final Executor thread = task -> new Thread(task).start();

    private final SystemCalls calls = SystemCalls.host();
    private final Message message = new Message(16);
    private MessageSocket near;
    private MessageSocket far;
    private int farFd;

    @BeforeEach
    void connect() throws IOException {
        int[] pair = calls.socketPair();
        farFd = pair[1];
        near = new MessageSocket(calls, pair[0], 1 << 21);
        far = new MessageSocket(calls, farFd, 1 << 21);
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
    }

    private static int openFiles() {
        return Path.of("/proc/self/fd").toFile().list().length;
    }

    @Test
    void shouldCarryMessageAndDescriptors() throws IOException {
        int event = calls.eventfd();
        Message request =
                new Message(32).request(Command.DMA_MAP, 0xfffe, 32).putLong(24, 0x1234567890L);
        near.send(request.withFds(event, event));
        assertThat(far.receive(message)).isTrue();
        assertThat(message.id()).isEqualTo(0xfffe);
        assertThat(message.command()).isEqualTo(2);
        assertThat(message.payloadSize()).isEqualTo(32);
        assertThat(message.getLong(24)).isEqualTo(0x1234567890L);
        assertThat(message.isReply()).isFalse();
        assertThat(message.fds()).hasSize(2);
        assertThat(message).hasToString("DMA_MAP request #65534, 48 bytes, 2 fds");
        calls.eventfdWrite(message.fds()[1], 3);
        assertThat(calls.eventfdRead(event)).isEqualTo(3);
        int before = openFiles();
        message.closeFds(calls);
        message.closeFds(calls);
        assertThat(openFiles()).isEqualTo(before - 2);
        calls.close(event);
    }

    @Test
    void shouldCarryLargeMessage() throws IOException {
        int payload = (1 << 20) + 16;
        Message large = new Message(payload).reply(9, 1, payload).putLong(payload - 8L, 77);
        CompletableFuture<Void> sent =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                near.send(large);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        thread);
        assertThat(far.receive(message)).isTrue();
        sent.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(message.isReply()).isTrue();
        assertThat(message.getLong(payload - 8L)).isEqualTo(77);
    }

    @Test
    void shouldTakeDescriptorsThatComeWithTheBody() throws IOException {
        int event = calls.eventfd();
        Message request = new Message(32).request(Command.DMA_MAP, 1, 32);
        MemorySegment bytes = request.memory();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(48);
            copy.copyFrom(bytes.asSlice(0, 48));
            calls.send(farFd, copy.asSlice(0, 16));
            calls.sendmsg(farFd, copy.asSlice(16, 32), new int[] {event});
        }
        assertThat(near.receive(message)).isTrue();
        assertThat(message.fds()).hasSize(1);
        message.closeFds(calls);
        calls.close(event);
    }

    @Test
    void shouldTellEndBetweenMessagesFromEndWithin() throws IOException {
        far.close();
        assertThat(near.receive(message)).isFalse();
        assertThat(near.receive(message)).isFalse();
    }

    @Test
    void shouldRefuseHalfMessageAndCloseItsDescriptors() throws IOException {
        int event = calls.eventfd();
        try (Arena arena = Arena.ofConfined()) {
            calls.sendmsg(farFd, arena.allocate(7), new int[] {event});
        }
        far.close();
        int before = openFiles();
        assertThatThrownBy(() -> near.receive(message))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("the peer closed after 7 bytes of a message");
        assertThat(openFiles()).isEqualTo(before);
        calls.close(event);
    }

    @Test
    void shouldRefuseBadSize() throws IOException {
        Message bad = new Message(16).request(Command.VERSION, 1, 0);
        bad.memory().set(ValueLayout.JAVA_INT, Header.MESSAGE_SIZE, -1);
        calls.send(farFd, bad.memory().asSlice(0, 16));
        assertThatThrownBy(() -> near.receive(message))
                .isInstanceOf(ProtocolException.class)
                .hasMessage(
                        "VERSION with a size of 4294967295 bytes, where 16 to 2097152 are allowed");
    }

    @Test
    void shouldWakeReceiverAndSenderOnShutdown() throws IOException {
        CompletableFuture<Boolean> received =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return near.receive(message);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        thread);
        CompletableFuture<Void> sent =
                CompletableFuture.runAsync(
                        () -> {
                            Message large = new Message(1 << 20).reply(9, 1, 1 << 20);
                            try {
                                while (true) {
                                    near.send(large);
                                }
                            } catch (LinuxException e) {
                                assertThat(e.errno()).isEqualTo(Errno.EPIPE);
                            }
                        },
                        thread);
        near.shutdown();
        assertThat(received.orTimeout(10, TimeUnit.SECONDS).join()).isFalse();
        sent.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void shouldCloseTwice() throws IOException {
        near.close();
        near.close();
        near.shutdown();
        assertThatThrownBy(() -> near.send(new Message(0).request(Command.VERSION, 1, 0)))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("EPIPE");
    }
}
