package org.ringside.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.vfio.testing.OpenFiles;

class UnixSocketTest {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private final SystemCalls calls = SystemCalls.host();
    private final Arena arena = Arena.ofConfined();
    private int[] pair = {};

    @TempDir Path directory;

    @BeforeEach
    void connectAPair() throws Exception {
        pair = calls.socketPair();
    }

    @AfterEach
    void closeThePair() throws Exception {
        calls.close(pair[0]);
        calls.close(pair[1]);
        arena.close();
    }

    private MemorySegment bytes(int... values) {
        MemorySegment memory = arena.allocate(values.length);
        for (int i = 0; i < values.length; i++) {
            memory.set(JAVA_BYTE, i, (byte) values[i]);
        }
        return memory;
    }

    @Test
    void shouldPassDescriptorsBesideTheData() throws Exception {
        int one = calls.eventfd();
        int two = calls.eventfd();
        assertThat(calls.sendmsg(pair[0], bytes(1, 2, 3), new int[] {one, two})).isEqualTo(3);
        calls.close(one);
        calls.close(two);

        MemorySegment into = arena.allocate(16);
        Received received = calls.recvmsg(pair[1], into, 4);

        assertThat(received.bytes()).isEqualTo(3);
        assertThat(into.asSlice(0, 3).toArray(JAVA_BYTE)).containsExactly(1, 2, 3);
        assertThat(received.fds()).hasSize(2);
        for (int i = 0; i < 2; i++) {
            int fd = received.fds()[i];
            calls.eventfdWrite(fd, 10 + i);
            assertThat(calls.eventfdRead(fd)).isEqualTo(10 + i);
            assertThat(calls.fcntl(fd, Abi.F_GETFD, 0)).isEqualTo(Abi.FD_CLOEXEC);
            calls.close(fd);
        }
    }

    @Test
    void shouldPassAsManyDescriptorsAsAMessageCarries() throws Exception {
        int[] fds = new int[SystemCalls.MAX_MESSAGE_FDS];
        Arrays.fill(fds, pair[0]);
        calls.sendmsg(pair[0], bytes(1), fds);
        Received received = calls.recvmsg(pair[1], arena.allocate(1), SystemCalls.MAX_MESSAGE_FDS);
        assertThat(received.fds()).hasSize(SystemCalls.MAX_MESSAGE_FDS);
        for (int fd : received.fds()) {
            calls.close(fd);
        }
    }

    @Test
    void shouldCloseAllDescriptorsWhenMoreArriveThanAreWanted() throws Exception {
        long before = OpenFiles.count();
        calls.sendmsg(pair[0], bytes(1), new int[] {pair[0], pair[0], pair[0]});

        assertThatThrownBy(() -> calls.recvmsg(pair[1], arena.allocate(1), 1))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("EMSGSIZE (90)")
                .hasMessageContaining(
                        "the message carried more than 1 descriptors; all were closed");

        assertThat(OpenFiles.count()).isEqualTo(before);
    }

    @Test
    void shouldReceiveNoBytesOnceThePeerHasClosed() throws Exception {
        calls.shutdown(pair[0], Abi.SHUT_WR);
        assertThat(calls.recvmsg(pair[1], arena.allocate(8), 0).bytes()).isZero();
    }

    @Test
    void shouldFailWithEpipeAndSurviveWhenThePeerIsGone() throws Exception {
        calls.shutdown(pair[1], Abi.SHUT_RDWR);
        assertThatThrownBy(() -> calls.send(pair[0], bytes(1)))
                .hasMessage("send(fd " + pair[0] + "): EPIPE (32) Broken pipe");
        assertThatThrownBy(() -> calls.sendmsg(pair[0], bytes(1), new int[0]))
                .hasMessageContaining("EPIPE (32)");
    }

    @Test
    void shouldKnowThePeer() throws Exception {
        PeerCredentials peer = calls.peerCredentials(pair[0]);
        assertThat(peer.pid()).isEqualTo(calls.getpid());
        assertThat(peer.uid()).isEqualTo(calls.geteuid());
    }

    @Test
    void shouldSetBufferSizes() throws Exception {
        calls.setSocketOption(pair[0], Abi.SO_SNDBUF, 65536);
        // The kernel doubles what it is asked for, see socket(7).
        assertThat(calls.getSocketOption(pair[0], Abi.SO_SNDBUF)).isEqualTo(131072);
    }

    @Test
    void shouldListenForTheOwnerAlone() throws Exception {
        Path path = directory.resolve("socket");
        int listener = UnixSockets.listen(calls, path, 1);
        try {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            int client = UnixSockets.connect(calls, path, WAIT);
            int server = calls.accept(listener);
            calls.send(client, bytes(7));
            MemorySegment into = arena.allocate(4);
            assertThat(calls.recvmsg(server, into, 0).bytes()).isEqualTo(1);
            assertThat(into.get(JAVA_BYTE, 0)).isEqualTo((byte) 7);
            calls.close(client);
            calls.close(server);
        } finally {
            calls.close(listener);
        }
    }

    @Test
    void shouldReplaceTheSocketOfADeadProcessButNotALivingOne() throws Exception {
        Path path = directory.resolve("socket");
        int dead = UnixSockets.listen(calls, path, 1);
        calls.close(dead);
        int living = UnixSockets.listen(calls, path, 1);
        try {
            assertThatThrownBy(() -> UnixSockets.listen(calls, path, 1))
                    .hasMessage(
                            "bind("
                                    + path
                                    + "): EADDRINUSE (98) Address already in use: another process"
                                    + " listens there; stop it or choose another path");
        } finally {
            calls.close(living);
        }
    }

    @Test
    void shouldLeaveAFileAlone() throws Exception {
        Path path = Files.writeString(directory.resolve("precious"), "data");
        assertThatThrownBy(() -> UnixSockets.listen(calls, path, 1))
                .hasMessageContaining("EADDRINUSE (98)")
                .hasMessageContaining("something that is not a stale socket is there");
        assertThat(path).hasContent("data");
    }

    @Test
    void shouldSayWhereASocketCanBeWhenItsDirectoryIsMissing() {
        Path path = directory.resolve("missing/socket");

        assertThatThrownBy(() -> UnixSockets.listen(calls, path, 1))
                .hasMessage(
                        "bind("
                                + path
                                + "): ENOENT (2) No such file or directory: choose a path in a"
                                + " directory that exists and that this user may write to");
    }

    @Test
    void shouldRefuseAnEmptyPath() throws Exception {
        long before = OpenFiles.count();
        assertThatThrownBy(() -> UnixSockets.listen(calls, Path.of(""), 1))
                .hasMessageContaining("ENOENT (2)")
                .hasMessageContaining("the path of the socket is empty");
        assertThatThrownBy(() -> UnixSockets.connect(calls, Path.of(""), WAIT))
                .hasMessageContaining("the path of the socket is empty");
        assertThat(OpenFiles.count()).isEqualTo(before);
    }

    @Test
    void shouldRefuseAPathThatIsTooLong() {
        Path path = directory.resolve("x".repeat(120));
        assertThatThrownBy(() -> UnixSockets.connect(calls, path, WAIT))
                .hasMessageContaining("ENAMETOOLONG (36)")
                .hasMessageContaining("at most 107 bytes");
    }

    /** unix(7): with a backlog of 0 one client waits, and the next would for ever. */
    @Test
    @Timeout(60)
    void shouldNotWaitForEverForAServerThatDoesNotAccept() throws Exception {
        Path path = directory.resolve("socket");
        int listener = UnixSockets.listen(calls, path, 0);
        int waiting = UnixSockets.connect(calls, path, WAIT);
        long before = OpenFiles.count();
        try {
            assertThatThrownBy(() -> UnixSockets.connect(calls, path, Duration.ofMillis(100)))
                    .isInstanceOfSatisfying(
                            LinuxException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                    .hasMessageContaining("accepted no connection within 100 ms");
            assertThatThrownBy(() -> UnixSockets.listen(calls, path, 1))
                    .hasMessageContaining("another process listens there");
            assertThat(OpenFiles.count()).isEqualTo(before);
        } finally {
            calls.close(waiting);
            calls.close(listener);
        }
    }

    @Test
    @Timeout(60)
    void shouldConnectOnceAServerAcceptsTheOneBefore() throws Exception {
        Path path = directory.resolve("socket");
        int listener = UnixSockets.listen(calls, path, 0);
        int first = UnixSockets.connect(calls, path, WAIT);
        CompletableFuture<Integer> second =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return UnixSockets.connect(calls, path, WAIT);
                            } catch (LinuxException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        int server = calls.accept(listener);
        int client = second.get();
        assertThat(calls.fcntl(client, Abi.F_GETFL, 0) & Abi.O_NONBLOCK).isZero();
        for (int fd : new int[] {client, server, first, listener}) {
            calls.close(fd);
        }
    }

    @Test
    void shouldNotLeakADescriptorWhenConnectFails() throws Exception {
        long before = OpenFiles.count();
        assertThatThrownBy(() -> UnixSockets.connect(calls, directory.resolve("nobody"), WAIT))
                .hasMessageContaining("ENOENT (2)");
        assertThat(OpenFiles.count()).isEqualTo(before);
    }
}
