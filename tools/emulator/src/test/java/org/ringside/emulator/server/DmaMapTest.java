package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.DmaFault.Reason;
import org.ringside.emulator.device.HostMemory;
import org.ringside.linux.Abi;
import org.ringside.linux.Errno;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.DmaMap;
import org.ringside.vfio.user.Payload.DmaUnmap;

/** DMA_MAP, DMA_UNMAP, and what the function sees through them. */
class DmaMapTest extends ServerTest {
    private static final long SIZE = 64 * 4096;
    private int memfd;
    private MemorySegment memory;
    private HostMemory dma;

    @BeforeEach
    void allocate() throws IOException {
        memfd = RawClient.memfd(SIZE);
        memory =
                RawClient.CALLS.mmap(
                        Arena.ofAuto(),
                        SIZE,
                        Abi.PROT_READ | Abi.PROT_WRITE,
                        Abi.MAP_SHARED,
                        memfd,
                        0);
        dma = agent.call(() -> function.host().dma());
        client.enable();
    }

    @AfterEach
    void free() throws IOException {
        RawClient.CALLS.close(memfd);
    }

    private void map(long iova, long length, int flags, long offset) throws IOException {
        assertThat(client.errno(client.dmaMap(iova, length, flags, offset, memfd))).isZero();
    }

    private int unmap(long iova, long length) throws IOException {
        return client.errno(client.dmaUnmap(iova, length, 0));
    }

    private boolean isMapped(long iova, long length) {
        return agent.call(() -> dma.isMapped(iova, length, false));
    }

    private void assertFault(Reason reason, Runnable access) {
        assertThatThrownBy(() -> agent.run(access))
                .isInstanceOfSatisfying(
                        DmaFault.class, fault -> assertThat(fault.reason()).isEqualTo(reason));
    }

    @Test
    void shouldReachMappedMemory() throws IOException {
        map(0x100000, 0x4000, READ_WRITE, 0x1000);
        memory.set(ValueLayout.JAVA_LONG, 0x1008, 0x1122334455667788L);
        agent.run(
                () -> {
                    assertThat(dma.getLong(0x100008)).isEqualTo(0x1122334455667788L);
                    assertThat(dma.getInt(0x10000c)).isEqualTo(0x11223344);
                    dma.putInt(0x100010, 42);
                    dma.putLong(0x100018, 43);
                    assertThat(dma.compareAndSwap(0x100018, 44, 1)).isEqualTo(43);
                    assertThat(dma.compareAndSwap(0x100018, 43, 50)).isEqualTo(43);
                    assertThat(dma.fetchAndAdd(0x100018, 7)).isEqualTo(50);
                    MemorySegment direct = dma.direct(0x101000, 0x100, true);
                    direct.set(ValueLayout.JAVA_BYTE, 0xff, (byte) 9);
                    assertThat(dma.direct(0x103f00, 0x100, false).byteSize()).isEqualTo(0x100);
                });
        assertThat(memory.get(ValueLayout.JAVA_INT, 0x1010)).isEqualTo(42);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 0x1018)).isEqualTo(57);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0x20ff)).isEqualTo((byte) 9);
    }

    @Test
    void shouldCopyAcrossMapsThatAdjoin() throws IOException {
        for (int i = 0; i < 8; i++) {
            map(0x10000 + i * 0x1000L, 0x1000, READ_WRITE, (7 - i) * 0x1000L);
        }
        for (int i = 0; i < 0x8000; i += 4) {
            memory.set(ValueLayout.JAVA_INT, i, i);
        }
        map(0x80000, 0x8000, READ_WRITE, 0x8000);
        assertThat(copy(0x10800, 0x80004, 0x7000)).isEqualTo(TestFunction.DONE);
        assertThat(memory.get(ValueLayout.JAVA_INT, 0x8004)).isEqualTo(0x7800);
        assertThat(memory.get(ValueLayout.JAVA_INT, 0x8004 + 0x800)).isEqualTo(0x6000);
        assertThat(memory.get(ValueLayout.JAVA_INT, 0x8004 + 0x6ffc)).isEqualTo(0x7fc);
        assertThat(agent.call(() -> dma.direct(0x10800, 0x1000, false) == null)).isTrue();
    }

    @Test
    void shouldFaultOutsideOfWhatIsMapped() throws IOException {
        map(0x10000, 0x2000, READ_WRITE, 0);
        map(0x20000, 0x1000, DmaMap.READABLE, 0x2000);
        map(0x30000, 0x1000, DmaMap.WRITABLE, 0x3000);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(0x4000);
            assertFault(Reason.NOT_MAPPED, () -> dma.read(0xffff, buffer, 0, 2));
            assertFault(Reason.NOT_MAPPED, () -> dma.read(0x11fff, buffer, 0, 2));
            assertFault(Reason.NOT_MAPPED, () -> dma.write(0x11000, buffer, 0, 0x1001));
            assertFault(Reason.NOT_MAPPED, () -> dma.getInt(0));
            assertFault(Reason.NOT_MAPPED, () -> dma.read(-1, buffer, 0, 2));
            assertFault(Reason.NOT_WRITABLE, () -> dma.putInt(0x20000, 1));
            assertFault(Reason.NOT_WRITABLE, () -> dma.fetchAndAdd(0x20000, 1));
            assertFault(Reason.NOT_READABLE, () -> dma.getLong(0x30000));
            assertFault(Reason.MISALIGNED, () -> dma.getLong(0x10004));
            assertFault(Reason.MISALIGNED, () -> dma.putInt(0x10002, 1));
        }
        client.write(Region.CONFIG, 4, 2, 2);
        assertFault(Reason.NOT_BUS_MASTER, () -> dma.getInt(0x10000));
        client.enable();
        assertThat(agent.call(() -> dma.getInt(0x10000))).isZero();
        assertThat(new DmaFault(Reason.NOT_MAPPED, 0x1234, 8, true))
                .hasMessage("DMA write of 8 bytes at IOVA 0x1234 is not mapped");
    }

    @Test
    void shouldNotTransferAnyByteOfRangeThatFaults() throws IOException {
        map(0x10000, 0x1000, READ_WRITE, 0);
        map(0x11000, 0x1000, READ_WRITE, 0x1000);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment ones = arena.allocate(0x4000).fill((byte) 1);
            assertFault(Reason.NOT_MAPPED, () -> dma.write(0x10800, ones, 0, 0x2000));
        }
        assertThat(memory.get(ValueLayout.JAVA_INT, 0x800)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0x10000, 0,      3,   0,       1", // no size
        "-4096,   8192,   3,   0,       1", // wraps
        "0x10001, 0x1000, 3,   0,       1", // not whole pages
        "0x10000, 0x1001, 3,   0,       1",
        "0x10000, 0x1000, 3,   0x800,   1",
        "0x10000, 0x1000, 0,   0,       1", // no access
        "0x10000, 0x1000, 0x10, 0,      1", // unknown flags
        "0x10000, 0x1000, 0xf, 0,       1", // both modes
        "0x10000, 0x1000, 7,   0,       0", // mode without descriptor
        "0x10000, 0x1000, 0xb, 0,       0",
        "0x10000, 0x1000, 3,   0,       2", // two descriptors
        "0x10000, 0x1000, 3,   0x40000, 1", // behind the end of the file
        "0x10000, 0x41000, 3,  0,       1",
        "0x10000, 0x1000, 3,   -4096,   1"
    })
    void shouldRefuseBadMap(String iova, String length, String flags, String offset, int fds)
            throws IOException {
        int before = RawClient.openFiles().size();
        int[] descriptors = new int[fds];
        Arrays.fill(descriptors, memfd);
        Message map =
                client.dmaMap(
                        Long.decode(iova),
                        Long.decode(length),
                        Integer.decode(flags),
                        Long.decode(offset),
                        descriptors);
        assertThat(client.errno(map)).isEqualTo(Errno.EINVAL);
        assertThat(RawClient.openFiles()).hasSize(before);
        assertThat(isMapped(0x10000, 1)).isFalse();
    }

    @Test
    void shouldRefuseMapOfWrongLengthOrArgsz() throws IOException {
        Message map = client.dmaMap(0x10000, 0x1000, READ_WRITE, 0).putInt(DmaMap.ARGSZ, 31);
        assertThat(client.errno(map)).isEqualTo(Errno.EINVAL);
        Message unmap = client.dmaUnmap(0x10000, 0x1000, 0).putInt(DmaUnmap.ARGSZ, 23);
        assertThat(client.errno(unmap)).isEqualTo(Errno.EINVAL);
        Message bitmap = client.dmaUnmap(0x10000, 0x1000, DmaUnmap.GET_DIRTY_BITMAP);
        assertThat(client.errno(bitmap)).isEqualTo(Errno.EINVAL);
    }

    @ParameterizedTest
    @CsvSource({"0x10000, 0x1000", "0xf000, 0x2000", "0x11000, 0x4000", "0, 0x100000"})
    void shouldRefuseMapThatOverlaps(String iova, String length) throws IOException {
        map(0x10000, 0x2000, READ_WRITE, 0);
        Message map = client.dmaMap(Long.decode(iova), Long.decode(length), READ_WRITE, 0);
        assertThat(client.errno(map)).isEqualTo(Errno.EEXIST);
    }

    @Test
    void shouldRefuseWritableMapOfReadOnlyFile() throws IOException {
        int fd = RawClient.CALLS.open("/proc/self/fd/" + memfd, Abi.O_RDONLY);
        Message map = client.dmaMap(0x10000, 0x1000, READ_WRITE, 0, fd);
        assertThat(client.errno(map)).isEqualTo(Errno.EACCES);
        map = client.dmaMap(0x10000, 0x1000, DmaMap.READABLE, 0, fd);
        assertThat(client.errno(map)).isZero();
        memory.set(ValueLayout.JAVA_INT, 0, 77);
        assertThat(agent.call(() -> dma.getInt(0x10000))).isEqualTo(77);
        RawClient.CALLS.close(fd);
    }

    @Test
    void shouldTakeMapsUpToTheEndOfTheAddressSpace() throws IOException {
        map(-4096, 4096, READ_WRITE, 0x5000);
        memory.set(ValueLayout.JAVA_INT, 0x5ffc, 5);
        assertThat(agent.call(() -> dma.getInt(-4))).isEqualTo(5);
        assertThat(unmap(-4096, 4096)).isZero();
        assertThat(isMapped(-4096, 4096)).isFalse();
    }

    @Test
    void shouldTakeUnmapOfHoleAsDone() throws IOException {
        Message reply = client.call(client.dmaUnmap(0x10000, 0x1000, 0));
        assertThat(reply.error()).isZero();
        assertThat(reply.payloadSize()).isEqualTo(DmaUnmap.SIZE);
        assertThat(reply.getLong(DmaUnmap.IOVA)).isEqualTo(0x10000);
        assertThat(reply.getLong(DmaUnmap.LENGTH)).isEqualTo(0x1000);
    }

    @Test
    void shouldRemoveEveryMapThatUnmapCovers() throws IOException {
        for (int i = 0; i < 512; i++) {
            map(0x200000 + i * 0x1000L, 0x1000, READ_WRITE, i % 64 * 0x1000L);
        }
        assertThat(isMapped(0x200000, 0x200000)).isTrue();
        assertThat(unmap(0x200000, 0x200000)).isZero();
        for (int i = 0; i < 512; i++) {
            assertThat(isMapped(0x200000 + i * 0x1000L, 1)).isFalse();
        }
    }

    @Test
    void shouldKeepWhatSticksOutOfUnmap() throws IOException {
        map(0x10000, 0x4000, READ_WRITE, 0);
        memory.set(ValueLayout.JAVA_INT, 0x0ffc, 1);
        memory.set(ValueLayout.JAVA_INT, 0x3000, 2);
        assertThat(unmap(0x11000, 0x2000)).isZero();
        assertThat(isMapped(0x10000, 0x1000)).isTrue();
        assertThat(isMapped(0x11000, 1)).isFalse();
        assertThat(isMapped(0x12fff, 1)).isFalse();
        assertThat(isMapped(0x13000, 0x1000)).isTrue();
        assertThat(agent.call(() -> dma.getInt(0x10ffc))).isEqualTo(1);
        assertThat(agent.call(() -> dma.getInt(0x13000))).isEqualTo(2);
    }

    @Test
    void shouldUnmapAll() throws IOException {
        map(0x10000, 0x1000, READ_WRITE, 0);
        map(0x20000, 0x1000, READ_WRITE, 0);
        Message withSize = client.dmaUnmap(0, 0x1000, DmaUnmap.ALL);
        assertThat(client.errno(withSize)).isEqualTo(Errno.EINVAL);
        assertThat(client.errno(client.dmaUnmap(0, 0, DmaUnmap.ALL))).isZero();
        assertThat(isMapped(0x10000, 1)).isFalse();
        assertThat(isMapped(0x20000, 1)).isFalse();
        assertThat(client.errno(client.dmaUnmap(0, 0, 0))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldChangeGenerationWithEveryChange() throws IOException {
        int first = agent.call(dma::generation);
        map(0x10000, 0x1000, READ_WRITE, 0);
        int second = agent.call(dma::generation);
        assertThat(unmap(0x10000, 0x1000)).isZero();
        assertThat(first).isNotEqualTo(second);
        assertThat(agent.call(dma::generation)).isNotEqualTo(second);
    }

    @Test
    void shouldMapOneFileOnceHoweverManyMapsItHas() throws IOException {
        long before = countMaps();
        for (int i = 0; i < 200; i++) {
            map(0x1000000 + i * 0x10000L, 0x1000, READ_WRITE, i % 64 * 0x1000L);
        }
        assertThat(countMaps() - before).isLessThan(20);
    }

    private static long countMaps() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:test-memory")).count();
        }
    }

    @Test
    void shouldSeeFileThatHasGrown() throws IOException {
        map(0x10000, 0x1000, READ_WRITE, 0);
        RawClient.CALLS.ftruncate(memfd, 2 * SIZE);
        map(0x20000, 0x1000, READ_WRITE, SIZE);
        agent.run(() -> dma.putInt(0x20000, 3));
        memory.set(ValueLayout.JAVA_INT, 0, 4);
        assertThat(agent.call(() -> dma.getInt(0x10000))).isEqualTo(4);
        assertThat(unmap(0x10000, 0x1000)).isZero();
        assertThat(agent.call(() -> dma.getInt(0x20000))).isEqualTo(3);
    }

    @Test
    void shouldFaultWhenFileWasMadeShorter() throws IOException {
        map(0x10000, 0x4000, READ_WRITE, 0);
        RawClient.CALLS.ftruncate(memfd, 0x1000);
        assertThat(agent.call(() -> dma.getInt(0x10000))).isZero();
        assertFault(Reason.FAILED, () -> dma.getInt(0x12000));
        assertFault(Reason.FAILED, () -> dma.putLong(0x12000, 1));
    }

    @Test
    void shouldReachMemoryByFileIo() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment own = arena.allocate(0x4000, 0x1000);
            own.set(ValueLayout.JAVA_LONG, 0x1ff8, 11);
            int fd = RawClient.CALLS.open("/proc/self/mem", Abi.O_RDWR);
            Message map =
                    client.dmaMap(
                            0x7000_0000, 0x3000, READ_WRITE | DmaMap.BY_FILE_IO, own.address(), fd);
            assertThat(client.errno(map)).isZero();
            agent.run(
                    () -> {
                        assertThat(dma.getLong(0x7000_1ff8)).isEqualTo(11);
                        dma.putInt(0x7000_0000, 12);
                        assertThat(dma.fetchAndAdd(0x7000_1ff8, 5)).isEqualTo(11);
                        assertThat(dma.direct(0x7000_0000, 8, true)).isNull();
                        dma.write(0x7000_2000, MemorySegment.ofArray(new byte[] {1, 2}), 0, 2);
                        byte[] back = new byte[2];
                        dma.read(0x7000_2000, MemorySegment.ofArray(back), 0, 2);
                        assertThat(back).containsExactly(1, 2);
                    });
            assertThat(own.get(ValueLayout.JAVA_INT, 0)).isEqualTo(12);
            assertThat(own.get(ValueLayout.JAVA_LONG, 0x1ff8)).isEqualTo(16);
            // Memory that the process does not have is a fault of the DMA, nothing worse.
            Message hole = client.dmaMap(0x10000, 0x1000, READ_WRITE | DmaMap.BY_FILE_IO, 0, fd);
            assertThat(client.errno(hole)).isZero();
            assertFault(Reason.FAILED, () -> dma.getInt(0x10000));
            RawClient.CALLS.close(fd);
        }
    }

    @Test
    void shouldKeepNoDescriptorAfterManyMapsAndUnmaps() throws IOException {
        int fd = RawClient.CALLS.open("/proc/self/mem", Abi.O_RDWR);
        map(0x10000, 0x1000, READ_WRITE, 0);
        assertThat(unmap(0x10000, 0x1000)).isZero();
        int before = RawClient.openFiles().size();
        for (int i = 0; i < 34_000; i++) { // More than 100,000 maps of the three kinds.
            client.send(client.dmaMap(0x10000, 0x1000, READ_WRITE, 0, memfd));
            client.send(client.dmaMap(0x20000, 0x1000, READ_WRITE | DmaMap.BY_FILE_IO, 0x4000, fd));
            client.send(client.dmaMap(0x30000, 0x1000, READ_WRITE, 0));
            client.send(client.dmaUnmap(0, 0x100000, 0));
            for (int reply = 0; reply < 4; reply++) {
                assertThat(client.receive().error()).isZero();
            }
        }
        assertThat(RawClient.openFiles()).hasSize(before);
        RawClient.CALLS.close(fd);
    }

    @Test
    void shouldForgetAllMapsWhenTheClientGoes() throws IOException {
        map(0x10000, 0x1000, READ_WRITE, 0);
        reconnect();
        client.enable();
        assertThat(isMapped(0x10000, 1)).isFalse();
        map(0x10000, 0x1000, READ_WRITE, 0);
    }
}
