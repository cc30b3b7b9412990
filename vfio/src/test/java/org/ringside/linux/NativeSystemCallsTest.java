package org.ringside.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeSystemCallsTest {
    private static final int FIONREAD = 0x541b;
    private final SystemCalls calls = SystemCalls.host();

    @TempDir Path directory;

    private static LinuxException failure(ThrowingCallable call) {
        return catchThrowableOfType(LinuxException.class, call);
    }

    private static MemorySegment text(Arena arena, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }

    private static String text(MemorySegment memory, long length) {
        byte[] bytes = memory.asSlice(0, length).toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Test
    void shouldNameCallPathAndErrorWhenOpenFails() {
        LinuxException e = failure(() -> calls.open("/no/such/file", Abi.O_RDWR));

        assertThat(e).hasMessage("open(/no/such/file): ENOENT (2) No such file or directory");
        assertThat(e.errno()).isEqualTo(Errno.ENOENT);
        assertThat(e.call()).isEqualTo("open");
        assertThat(e.detail()).isEqualTo("/no/such/file");
    }

    @Test
    void shouldTellTheCureWhenThereAreTooManyOpenFiles() {
        assertThat(new LinuxException("memfd_create", "dma", Errno.EMFILE))
                .hasMessage(
                        "memfd_create(dma): EMFILE (24) Too many open files; the process has as"
                                + " many as it may have (ulimit -n): raise that limit or open fewer"
                                + " devices");
    }

    @Test
    void shouldWriteAndReadAFileAtOffsets() throws Exception {
        Path file = directory.resolve("file");
        int fd = calls.open(file.toString(), Abi.O_RDWR | Abi.O_CREAT, 0640);
        try (Arena arena = Arena.ofConfined()) {
            assertThat(calls.pwrite(fd, text(arena, "world"), 6)).isEqualTo(5);
            assertThat(calls.write(fd, text(arena, "hello "))).isEqualTo(6);
            MemorySegment into = arena.allocate(32);
            assertThat(calls.pread(fd, into, 0)).isEqualTo(11);
            assertThat(text(into, 11)).isEqualTo("hello world");
            assertThat(calls.read(fd, into)).isEqualTo(5);
            assertThat(text(into, 5)).isEqualTo("world");
            assertThat(calls.read(fd, into)).isZero();
        } finally {
            calls.close(fd);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void shouldReportWhatAFileIs() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        int fd = calls.open(file.toString(), Abi.O_RDONLY);
        try {
            calls.fchmod(fd, 0604);
            FileStatus status = calls.fstat(fd);
            assertThat(status.size()).isEqualTo(5);
            assertThat(status.permissions()).isEqualTo(0604);
            assertThat(status.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
            assertThat(status.mode() & Abi.S_IFMT).isEqualTo(Abi.S_IFREG);
            assertThat(status.isSocket()).isFalse();
        } finally {
            calls.close(fd);
        }
        calls.chmod(file.toString(), 0600);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        calls.unlink(file.toString());
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldPassAPointerThroughIoctl() throws Exception {
        int[] pair = calls.socketPair();
        try (Arena arena = Arena.ofConfined()) {
            calls.send(pair[0], text(arena, "abc"));
            MemorySegment waiting = arena.allocate(4, 4);
            int result = calls.ioctl(pair[1], new Ioctl("FIONREAD", FIONREAD), waiting);
            assertThat(result).isZero();
            assertThat(waiting.get(JAVA_INT, 0)).isEqualTo(3);
        } finally {
            calls.close(pair[0]);
            calls.close(pair[1]);
        }
    }

    @Test
    void shouldNameTheIoctlThatFails() {
        Ioctl request = new Ioctl("VFIO_GROUP_GET_STATUS", 0x3b67);
        assertThatThrownBy(() -> calls.ioctl(-1, request, 0L))
                .hasMessage("ioctl(VFIO_GROUP_GET_STATUS): EBADF (9) Bad file descriptor");
    }

    @Test
    void shouldSeeTheSameMemoryThroughTwoMappingsOfAMemfd() throws Exception {
        int fd = calls.memfdCreate("test", 0);
        try (Arena one = Arena.ofShared();
                Arena two = Arena.ofShared()) {
            calls.ftruncate(fd, 8192);
            int protection = Abi.PROT_READ | Abi.PROT_WRITE;
            MemorySegment first = calls.mmap(one, 8192, protection, Abi.MAP_SHARED, fd, 0);
            MemorySegment second = calls.mmap(two, 4096, protection, Abi.MAP_SHARED, fd, 4096);
            first.set(JAVA_LONG, 4096 + 16, 0x1122334455667788L);
            assertThat(second.get(JAVA_LONG, 16)).isEqualTo(0x1122334455667788L);
            calls.madvise(first.address(), 8192, Abi.MADV_DONTFORK);
        } finally {
            calls.close(fd);
        }
    }

    @Test
    void shouldUnmapWhenTheArenaCloses() throws Exception {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            int flags = Abi.MAP_PRIVATE | Abi.MAP_ANONYMOUS;
            memory = calls.mmap(arena, 4096, Abi.PROT_READ, flags, -1, 0);
            assertThat(mapsContain(memory.address())).isTrue();
        }
        assertThat(mapsContain(memory.address())).isFalse();
        assertThatThrownBy(() -> memory.get(JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    private static boolean mapsContain(long address) throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] range = line.split(" ", 2)[0].split("-", 2);
            if (Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                    && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldRefuseToMapWhatCannotBeMapped() {
        LinuxException e =
                failure(() -> calls.mmap(0, 4096, Abi.PROT_READ, Abi.MAP_SHARED, -1, 0x1000));
        assertThat(e)
                .hasMessage("mmap(4096 bytes of fd -1 at 0x1000): EBADF (9) Bad file descriptor");
    }

    @Test
    void shouldCountEventsAndGiveZeroWhenThereAreNone() throws Exception {
        try (EventFd event = EventFd.create(calls)) {
            assertThat(event.take()).isZero();
            event.signal();
            event.signal();
            PollSet set = new PollSet(calls, event.fd());
            assertThat(set.await(-1)).isEqualTo(1);
            assertThat(set.isReadable(0)).isTrue();
            assertThat(event.take()).isEqualTo(2);
            assertThat(set.await(0)).isZero();
            assertThat(set.isReadable(0)).isFalse();
        }
    }

    @Test
    void shouldRefuseAnEventThatIsClosedAndCloseItTwice() throws Exception {
        EventFd event = EventFd.create(calls);
        event.close();
        event.close();
        assertThatThrownBy(event::take)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(event::signal).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldDuplicateADescriptorAsCloseOnExec() throws Exception {
        int fd = calls.eventfd();
        int copy = calls.dup(fd);
        try {
            calls.close(fd);
            calls.eventfdWrite(copy, 5);
            assertThat(calls.eventfdRead(copy)).isEqualTo(5);
            assertThat(calls.fcntl(copy, Abi.F_GETFD, 0)).isEqualTo(Abi.FD_CLOEXEC);
        } finally {
            calls.close(copy);
        }
    }

    @Test
    void shouldTellTheLockedMemoryLimit() throws Exception {
        ResourceLimit limit = calls.getrlimit(Abi.RLIMIT_MEMLOCK);
        String line =
                Files.readAllLines(Path.of("/proc/self/limits")).stream()
                        .filter(l -> l.startsWith("Max locked memory"))
                        .findFirst()
                        .orElseThrow();
        String soft = line.substring("Max locked memory".length()).trim().split(" +", 2)[0];
        assertThat(limit.isInfinite() ? "unlimited" : Long.toUnsignedString(limit.soft()))
                .isEqualTo(soft);
        calls.setrlimit(Abi.RLIMIT_MEMLOCK, limit);
        assertThat(calls.getrlimit(Abi.RLIMIT_MEMLOCK)).isEqualTo(limit);
    }

    @Test
    void shouldKnowTheProcess() {
        assertThat(calls.getpid()).isEqualTo((int) ProcessHandle.current().pid());
        assertThat(calls.pageSize()).isEqualTo(4096);
        assertThat(calls.geteuid()).isNotNegative();
    }
}
