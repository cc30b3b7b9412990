package org.ringside.vfio.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.linux.Errno;
import org.ringside.linux.SystemCalls;
import org.ringside.linux.UnixSockets;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.user.Payload.DmaAccess;
import org.ringside.vfio.user.Payload.DmaMap;
import org.ringside.vfio.user.Payload.IrqSet;

/** The client against a server that does what good ones do not. */
@Timeout(60)
class VfioUserDeviceTest {
    /** The common pool has too few threads to block in. */
    private final Executor thread = task -> new Thread(task).start();

    @TempDir Path directory;
    private Path path;
    private ScriptedServer server;

    @BeforeEach
    void start() throws IOException {
        path = directory.resolve("s");
        server = new ScriptedServer(path);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private VfioUserDevice open() throws VfioException {
        return VfioUserDevice.open(path, Duration.ofSeconds(10));
    }

    private List<Message> sent(Command command) {
        return server.requests.stream().filter(m -> m.command() == command.number()).toList();
    }

    private static int openFiles() {
        return Path.of("/proc/self/fd").toFile().list().length;
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoSocket() {
        assertThatThrownBy(() -> VfioUserDevice.open(directory.resolve("none")))
                .isInstanceOf(VfioException.class)
                .hasMessageContaining("none")
                .hasMessageContaining("ENOENT")
                .hasMessageContaining("start the server");
    }

    @Test
    void shouldSayWhatToDoWhenNobodyListens() throws IOException {
        Path stale = directory.resolve("stale");
        SystemCalls calls = SystemCalls.host();
        calls.close(UnixSockets.listen(calls, stale, 1));
        assertThatThrownBy(() -> VfioUserDevice.open(stale))
                .hasMessageContaining("ECONNREFUSED")
                .hasMessageContaining("nobody listens there any more");
    }

    @Test
    void shouldSayWhenThePathIsNoSocketOrNone() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> VfioUserDevice.open(file))
                .isInstanceOfSatisfying(
                        VfioException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("ECONNREFUSED")
                .hasMessageContaining("that is no socket");
        Path tooLong = directory.resolve("x".repeat(108));
        assertThatThrownBy(() -> VfioUserDevice.open(tooLong))
                .isInstanceOfSatisfying(
                        VfioException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .message()
                .endsWith("bytes, this one has %d".formatted(tooLong.toString().length()));
        assertThatThrownBy(() -> VfioUserDevice.open(Path.of("")))
                .hasMessageContaining("ENOENT")
                .hasMessageContaining("the path of the socket is empty");
    }

    @Test
    void shouldAskWhetherItIsAServerWhenTheHandshakeEndsEarly() throws Exception {
        server.on(Command.VERSION, (each, request) -> each.hangUp());
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        VfioException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO))
                .hasMessageContaining("VERSION failed")
                .hasMessageContaining("Is there a vfio-user server behind that socket?");
    }

    /** A server has one client at a time; the others wait in the queue of its socket. */
    @Test
    void shouldSayThatTheServerMayBeTaken() throws Exception {
        try (VfioUserDevice first = open()) {
            assertThatThrownBy(() -> VfioUserDevice.open(path, Duration.ofMillis(200)))
                    .hasMessageContaining("no reply to VERSION within 200 ms")
                    .hasMessageContaining("the server serves another client");
            assertThat(first.regionCount()).isEqualTo(9);
        }
    }

    @Test
    void shouldOpenAndCloseWithoutTrace() throws Exception {
        int before = openFiles();
        VfioUserDevice device = open();
        assertThat(device.name()).isEqualTo(path.toString());
        assertThat(device.regionCount()).isEqualTo(9);
        assertThat(device.region(0).size()).isEqualTo(ScriptedServer.BAR_SIZE);
        assertThat(device.resettable()).isTrue();
        assertThat(device.interrupts(InterruptType.MSIX).count()).isEqualTo(20);
        device.close();
        device.close();
        server.close();
        server = new ScriptedServer(path);
        assertThat(openFiles()).isEqualTo(before);
        assertThatThrownBy(() -> device.region(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseServerOfAnotherVersion() throws Exception {
        server.on(Command.VERSION, (s, request) -> s.reply(request, 4).putShort(0, 1));
        int before = openFiles();
        assertThatThrownBy(this::open)
                .isInstanceOf(VfioException.class)
                .hasMessageContaining("the server speaks vfio-user 1.0");
        assertThat(openFiles()).isLessThanOrEqualTo(before + 1);
    }

    @Test
    void shouldNameCommandThatTheServerRefuses() {
        server.on(Command.DEVICE_GET_INFO, (s, request) -> s.error(request, Errno.EPERM));
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        VfioException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPERM))
                .hasMessageContaining("the server refused DEVICE_GET_INFO")
                .hasMessageContaining("EPERM");
    }

    @Test
    void shouldRefuseReplyThatIsTooShort() {
        server.on(Command.DEVICE_GET_INFO, (s, request) -> s.reply(request, 8));
        assertThatThrownBy(this::open)
                .hasMessageContaining("the reply to DEVICE_GET_INFO has 8 bytes of payload");
    }

    @Test
    void shouldFailAllThatWaitWhenTheServerHangsUp() throws Exception {
        CountDownLatch under = new CountDownLatch(3);
        server.on(Command.REGION_READ, (s, request) -> under.countDown());
        try (VfioUserDevice device = open()) {
            Mmio bar = device.mmio(0);
            List<CompletableFuture<Integer>> reads =
                    List.of(
                            CompletableFuture.supplyAsync(() -> bar.getInt(0), thread),
                            CompletableFuture.supplyAsync(() -> bar.getInt(4), thread));
            CompletableFuture<VfioException> config =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    device.config().read32(0);
                                    return null;
                                } catch (VfioException e) {
                                    return e;
                                }
                            },
                            thread);
            assertThat(under.await(10, TimeUnit.SECONDS)).isTrue();
            server.hangUp();
            for (CompletableFuture<Integer> read : reads) {
                assertThat(read.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(-1);
            }
            assertThat(config.orTimeout(10, TimeUnit.SECONDS).join())
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("REGION_READ failed, the device is lost")
                    .hasMessageContaining("the server closed the connection");
            assertThat(device.isLost()).isTrue();
            assertThat(bar.getLong(8)).isEqualTo(-1);
            bar.putLong(8, 1);
            assertThatThrownBy(device::reset).isInstanceOf(VfioException.class);
            assertThatThrownBy(() -> device.dma().allocate(4096, 4096))
                    .isInstanceOf(VfioException.class);
        }
    }

    @Test
    void shouldBeLostWhenTheServerBreaksTheProtocol() throws Exception {
        server.on(
                Command.REGION_READ,
                (s, request) -> s.send(new Message(0).reply(9, request.id() + 64, 0)));
        try (VfioUserDevice device = open()) {
            assertThatThrownBy(() -> device.config().read32(0))
                    .hasMessageContaining("nobody asked for REGION_READ reply");
            assertThat(device.isLost()).isTrue();
        }
    }

    @Test
    void shouldReportMissingReplyInTimeAndTakeItLater() throws Exception {
        AtomicReference<Message> late = new AtomicReference<>();
        server.on(Command.REGION_READ, (s, request) -> late.set(request));
        try (VfioUserDevice device = VfioUserDevice.open(path, Duration.ofSeconds(3))) {
            assertThatThrownBy(() -> device.config().read32(0))
                    .isInstanceOfSatisfying(
                            VfioException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("no reply to REGION_READ within 3000 ms");
            server.send(new Message(32).reply(9, late.get().id(), 20));
            server.on(
                    Command.REGION_READ,
                    (s, request) -> s.reply(request, 20).putInt(12, 4).putInt(16, 0x1234));
            for (int i = 0; i < 200; i++) {
                assertThat(device.config().read32(0)).isEqualTo(0x1234);
            }
            assertThat(device.isLost()).isFalse();
        }
    }

    @Test
    void shouldCloseSoonWhenTheServerHangs() throws Exception {
        VfioUserDevice device = VfioUserDevice.open(path, Duration.ofSeconds(3));
        for (int i = 0; i < 100; i++) {
            device.dma().allocate(4 << 20, 4096);
        }
        server.on(Command.REGION_READ, (s, request) -> {});
        server.on(Command.DMA_UNMAP, (s, request) -> {});
        long start = System.nanoTime();
        device.close();
        // One wait and not one for each of the mappings, which would be five minutes.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
        assertThat(device.isLost()).isTrue();
    }

    @Test
    void shouldPostWritesWhenNoPageCanBeMapped() throws Exception {
        try (VfioUserDevice device = open()) {
            Mmio bar = device.mmio(0);
            bar.putInt(0x10, 0x11223344);
            bar.putLong(0x18, -2);
            device.config().write16(4, 6);
            assertThat(bar.getShort(0x10)).isZero();
            List<Message> writes = sent(Command.REGION_WRITE);
            assertThat(writes).hasSize(3);
            assertThat(writes.get(0).flags()).isEqualTo(Header.FLAG_NO_REPLY);
            assertThat(writes.get(0).getLong(0)).isEqualTo(0x10);
            assertThat(writes.get(0).getInt(12)).isEqualTo(4);
            assertThat(writes.get(0).getInt(16)).isEqualTo(0x11223344);
            assertThat(writes.get(1).getLong(16)).isEqualTo(-2);
            assertThat(writes.get(2).flags()).isZero();
        }
    }

    @Test
    void shouldMapMemoryByFileIo() throws Exception {
        try (VfioUserDevice device = open();
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(10_000, 4096);
            DmaMapping mapping = device.dma().map(memory, true);
            Message map = sent(Command.DMA_MAP).getFirst();
            assertThat(map.getInt(DmaMap.FLAGS)).isEqualTo(3 | DmaMap.BY_FILE_IO);
            assertThat(map.getLong(DmaMap.FILE_OFFSET)).isEqualTo(memory.address());
            assertThat(map.getLong(DmaMap.IOVA)).isEqualTo(mapping.iova());
            assertThat(map.getLong(DmaMap.LENGTH)).isEqualTo(12288);
            mapping.close();
            assertThat(sent(Command.DMA_UNMAP)).hasSize(1);
        }
    }

    @Test
    void shouldMapMemoryWithoutDescriptorWhenTheServerWantsNoFileIo() throws Exception {
        server.on(
                Command.DMA_MAP,
                (s, request) -> {
                    if ((request.getInt(DmaMap.FLAGS) & DmaMap.BY_FILE_IO) != 0) {
                        s.error(request, Errno.EINVAL);
                    } else {
                        s.reply(request, 0);
                    }
                });
        try (VfioUserDevice device = open();
                Arena arena = Arena.ofConfined()) {
            device.dma().map(arena.allocate(4096, 4096), false);
            device.dma().map(arena.allocate(4096, 4096), false);
            assertThat(sent(Command.DMA_MAP).stream().map(m -> m.getInt(DmaMap.FLAGS)))
                    .containsExactly(1 | DmaMap.BY_FILE_IO, 1, 1);
        }
    }

    @Test
    void shouldServeMemoryToTheServerWhileACallWaits() throws Exception {
        BlockingQueue<Message> replies = new LinkedBlockingQueue<>();
        server.on(Command.DMA_READ, (s, reply) -> replies.add(reply));
        server.on(Command.DMA_WRITE, (s, reply) -> replies.add(reply));
        AtomicReference<Message> waiting = new AtomicReference<>();
        server.on(Command.REGION_READ, (s, request) -> waiting.set(request));
        try (VfioUserDevice device = open();
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(8192, 4096);
            memory.set(ValueLayout.JAVA_LONG, 4096, 0x77);
            long iova = device.dma().map(memory, true).iova();
            long readOnly = device.dma().map(arena.allocate(4096, 4096), false).iova();
            CompletableFuture<Integer> read =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return device.config().read32(0);
                                } catch (VfioException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            thread);
            while (waiting.get() == null) {
                Thread.onSpinWait();
            }
            server.send(dma(Command.DMA_READ, 1, iova + 4096, 8, 0));
            Message data = replies.poll(10, TimeUnit.SECONDS);
            assertThat(data.error()).isZero();
            assertThat(data.id()).isEqualTo(1);
            assertThat(data.payloadSize()).isEqualTo(24);
            assertThat(data.getLong(DmaAccess.ADDRESS)).isEqualTo(iova + 4096);
            assertThat(data.getLong(DmaAccess.DATA)).isEqualTo(0x77);
            server.send(dma(Command.DMA_WRITE, 2, iova + 8, 8, 0x88));
            assertThat(replies.poll(10, TimeUnit.SECONDS).payloadSize()).isEqualTo(16);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(0x88);
            server.send(dma(Command.DMA_WRITE, 3, readOnly, 8, 1));
            assertThat(replies.poll(10, TimeUnit.SECONDS).error()).isEqualTo(Errno.EFAULT);
            server.send(dma(Command.DMA_READ, 4, iova + 8190, 8, 0));
            assertThat(replies.poll(10, TimeUnit.SECONDS).error()).isEqualTo(Errno.EFAULT);
            server.send(dma(Command.DMA_READ, 5, 0x1000_0000_0000L, 8, 0));
            assertThat(replies.poll(10, TimeUnit.SECONDS).error()).isEqualTo(Errno.EFAULT);
            server.send(dma(Command.DMA_READ, 6, iova, -1, 0));
            assertThat(replies.poll(10, TimeUnit.SECONDS).error()).isEqualTo(Errno.E2BIG);
            server.on(Command.REGION_READ, (s, request) -> s.error(request, Errno.EIO));
            server.send(new Message(32).reply(9, waiting.get().id(), 20).putInt(12, 4));
            assertThat(read.orTimeout(10, TimeUnit.SECONDS).join()).isZero();
        }
    }

    private static Message dma(Command command, int id, long address, long count, long value) {
        int data = command == Command.DMA_WRITE ? 8 : 0;
        Message message =
                new Message(64)
                        .request(command, id, DmaAccess.SIZE + data)
                        .putLong(DmaAccess.ADDRESS, address)
                        .putLong(DmaAccess.COUNT, count);
        return data == 0 ? message : message.putLong(DmaAccess.DATA, value);
    }

    @Test
    void shouldSendEventsInPiecesThatTheServerTakes() throws Exception {
        try (VfioUserDevice device = open()) {
            Interrupts msix = device.interrupts(InterruptType.MSIX);
            msix.enable(20);
            List<Message> sets = sent(Command.DEVICE_SET_IRQS);
            assertThat(sets.stream().map(m -> m.getInt(IrqSet.START))).containsExactly(0, 8, 16);
            assertThat(sets.stream().map(m -> m.getInt(IrqSet.COUNT))).containsExactly(8, 8, 4);
            msix.disable();
            Message disable = sent(Command.DEVICE_SET_IRQS).getLast();
            assertThat(disable.getInt(IrqSet.FLAGS)).isEqualTo(0x21);
            assertThat(disable.getInt(IrqSet.COUNT)).isZero();
        }
    }

    @Test
    void shouldAttachAllAnewWhereVectorsCannotBeAdded() throws Exception {
        server.on(
                Command.DEVICE_GET_IRQ_INFO,
                (s, request) -> s.reply(request, 16).putInt(4, 9).putInt(12, 20));
        try (VfioUserDevice device = open()) {
            Interrupts msix = device.interrupts(InterruptType.MSIX);
            assertThat(msix.canAddLater()).isFalse();
            msix.enable(2);
            int before = sent(Command.DEVICE_SET_IRQS).size();
            msix.add(5);
            List<Message> sets = sent(Command.DEVICE_SET_IRQS).stream().skip(before).toList();
            assertThat(sets.stream().map(m -> m.getInt(IrqSet.FLAGS)))
                    .containsExactly(0x21, 0x24, 0x24, 0x24);
            assertThat(sets.stream().map(m -> m.getInt(IrqSet.START))).containsExactly(0, 0, 2, 5);
            assertThat(sets.stream().map(m -> m.getInt(IrqSet.COUNT))).containsExactly(0, 2, 3, 1);
        }
    }

    @Test
    void shouldRefuseSecondKindOfInterrupt() throws Exception {
        server.on(
                Command.DEVICE_GET_IRQ_INFO,
                (s, request) -> s.reply(request, 16).putInt(4, 1).putInt(12, 4));
        try (VfioUserDevice device = open()) {
            device.interrupts(InterruptType.MSI).enable(1);
            assertThatThrownBy(() -> device.interrupts(InterruptType.MSIX).enable(1))
                    .hasMessageContaining("MSI is in use; disable it before MSIX");
            assertThatThrownBy(() -> device.interrupts(InterruptType.MSIX).enable(5))
                    .hasMessageContaining("5 MSIX vectors wanted, the function has 4");
            assertThatThrownBy(() -> device.interrupts(InterruptType.MSI).mask())
                    .hasMessageContaining("cannot be masked");
            device.interrupts(InterruptType.ERR).enable(1);
        }
    }
}
