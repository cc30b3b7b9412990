package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.emulator.device.DeviceAgent;
import org.ringside.emulator.device.DmaFault.Reason;
import org.ringside.emulator.device.HostMemory;
import org.ringside.linux.EventFd;
import org.ringside.linux.PollSet;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.user.VfioUserDevice;

/** Our client on our server, with a function that does something. */
@Timeout(60)
class ClientAndServerTest {
    @TempDir Path directory;

    /** What a test does with an open device. */
    private interface Body {
        void run(TestFunction function, VfioUserDevice device, VfioUserServer server)
                throws Exception;
    }

    private void with(TestFunction function, Body body) throws Exception {
        try (function;
                DeviceAgent agent = new DeviceAgent("test agent");
                VfioUserServer server =
                        VfioUserServer.listen(directory.resolve("s"), function, agent);
                VfioUserDevice device = VfioUserDevice.open(server.path())) {
            device.config().enableMemoryAndBusMaster();
            body.run(function, device, server);
        }
    }

    private static long copy(Mmio bar, long source, long target, long length) {
        bar.putLong(TestFunction.SOURCE, source);
        bar.putLong(TestFunction.TARGET, target);
        bar.putLong(TestFunction.LENGTH, length);
        bar.putLong(TestFunction.GO, 1);
        return bar.getLong(TestFunction.STATUS);
    }

    @Test
    void shouldShowConfigurationSpace() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    PciConfig config = device.config();
                    assertThat(config.size()).isEqualTo(4096);
                    assertThat(config.vendorAndDevice()).isEqualTo(0x1b364242);
                    assertThat(config.capabilities().stream().map(each -> each.id()))
                            .containsExactly(
                                    PciConfig.CAP_PCI_EXPRESS,
                                    PciConfig.CAP_MSIX,
                                    PciConfig.CAP_POWER_MANAGEMENT);
                    assertThat(config.extendedCapabilities()).isEmpty();
                    config.disableBusMaster();
                    assertThat(config.read16(PciConfig.COMMAND)).isEqualTo(2);
                });
    }

    @Test
    void shouldReadAndWriteRegisters() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    assertThat(bar.size()).isEqualTo(TestFunction.BAR_SIZE);
                    assertThat(bar.getInt(TestFunction.ID)).isEqualTo((int) TestFunction.MAGIC);
                    bar.putLong(TestFunction.SCRATCH, 0x8877665544332211L);
                    assertThat(bar.getLong(TestFunction.SCRATCH)).isEqualTo(0x8877665544332211L);
                    assertThat(bar.getInt(TestFunction.SCRATCH + 4)).isEqualTo(0x88776655);
                    assertThat(bar.getShort(TestFunction.SCRATCH + 2)).isEqualTo((short) 0x4433);
                    assertThat(bar.getByte(TestFunction.SCRATCH + 7)).isEqualTo((byte) 0x88);
                    assertThat(bar.mapped()).isEmpty();
                    assertThat(device.mmio(Region.BAR0)).isSameAs(bar);
                    assertThatThrownBy(() -> device.mmio(Region.BAR3))
                            .isInstanceOf(VfioException.class);
                });
    }

    @Test
    void shouldRingDoorbellInSharedPage() throws Exception {
        with(
                TestFunction.withSharedPages(),
                (function, device, server) -> {
                    assertThat(device.region(Region.BAR0).mappable())
                            .containsExactly(
                                    new Region.Area(0x2000, 0x2000),
                                    new Region.Area(0x5000, 0x1000));
                    Mmio bar = device.mmio(Region.BAR0);
                    Mmio page = bar.slice(0x2000, 0x1000);
                    assertThat(page.mapped()).isPresent();
                    assertThat(bar.slice(0, 0x1000).mapped()).isEmpty();
                    bar.putInt(TestFunction.DOORBELL, 1);
                    while (bar.getLong(TestFunction.DOORBELLS) != 1) {
                        Thread.onSpinWait();
                    }
                    page.putInt(0, 1);
                    while (bar.getLong(TestFunction.DOORBELLS) != 2) {
                        Thread.onSpinWait();
                    }
                    assertThat(bar.getInt(TestFunction.ID)).isEqualTo((int) TestFunction.MAGIC);
                });
    }

    @Test
    void shouldMapWholeBarWithoutCapability() throws Exception {
        with(
                TestFunction.withSharedPages(List.of(new Region.Area(0, TestFunction.BAR_SIZE))),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    assertThat(bar.mapped()).isPresent();
                    bar.putInt(0x4000, 77);
                    assertThat(bar.getInt(0x4000)).isEqualTo(77);
                });
    }

    @Test
    void shouldCopyBetweenAllKindsOfMemory() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    try (Arena arena = Arena.ofConfined();
                            DmaMemory pool = device.dma().allocate(64 << 10, 4096)) {
                        MemorySegment own = arena.allocate(64 << 10, 64);
                        for (int i = 0; i < 64 << 10; i += 4) {
                            own.set(ValueLayout.JAVA_INT, i, i * 7);
                        }
                        try (DmaMapping mapping = device.dma().map(own, true)) {
                            long status = copy(bar, mapping.iova(), pool.iova(), 64 << 10);
                            assertThat(status).isEqualTo(TestFunction.DONE);
                            assertThat(pool.segment().mismatch(own)).isEqualTo(-1);
                            pool.segment().set(ValueLayout.JAVA_INT, 8, 99);
                            status = copy(bar, pool.iova() + 8, mapping.iova() + 2, 4);
                            assertThat(status).isEqualTo(TestFunction.DONE);
                            assertThat(own.get(ValueLayout.JAVA_INT_UNALIGNED, 2)).isEqualTo(99);
                        }
                        long status = copy(bar, pool.iova(), pool.iova() + (1L << 30), 8);
                        assertThat(status)
                                .isEqualTo(TestFunction.DONE + 1 + Reason.NOT_MAPPED.ordinal());
                    }
                });
    }

    @Test
    void shouldReachMemoryOfThisProcessDirectly() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    try (Arena arena = Arena.ofShared()) {
                        // In the middle of its first page: there are bytes below it that
                        // were mapped but not asked for.
                        MemorySegment own = arena.allocate(10_000, 4096).asSlice(64, 9000);
                        MemorySegment readOnly = arena.allocate(64, 64).asReadOnly();
                        long iova = device.dma().map(own, true).iova();
                        long other = device.dma().map(readOnly, false).iova();
                        HostMemory dma = function.host().dma();
                        function.host()
                                .agent()
                                .run(
                                        () -> {
                                            checkDirect(dma, iova, own);
                                            assertThat(dma.getLong(other)).isZero();
                                            assertThat(dma.direct(other, 64, false).isReadOnly())
                                                    .isTrue();
                                        });
                    }
                    // The application has closed its memory in spite of the mappings.
                    assertThat(device.mmio(0).getInt(0)).isEqualTo((int) TestFunction.MAGIC);
                });
    }

    private static void checkDirect(HostMemory dma, long iova, MemorySegment own) {
        assertThat(dma.direct(iova, 9000, true).address()).isEqualTo(own.address());
        assertThat(dma.direct(iova - 8, 16, true)).isNull();
        dma.putLong(iova + 8, 5);
        assertThat(own.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(5);
        assertThat(dma.compareAndSwap(iova + 8, 5, 6)).isEqualTo(5);
        assertThat(dma.fetchAndAdd(iova + 8, 4)).isEqualTo(6);
        assertThat(dma.getLong(iova + 8)).isEqualTo(10);
        dma.putInt(iova + 8, 3);
        assertThat(dma.getInt(iova + 8)).isEqualTo(3);
        // Bytes of the same page that were not asked for, by the other way.
        dma.putLong(iova - 16, 0x55);
        assertThat(dma.getLong(iova - 16)).isEqualTo(0x55);
        byte[] across = new byte[32];
        dma.read(iova - 16, MemorySegment.ofArray(across), 0, 32);
        assertThat(across[0]).isEqualTo((byte) 0x55);
        assertThat(across[24]).isEqualTo((byte) 3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFailDmaIntoMemoryThatHasGone(boolean shared) throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    try (DmaMemory pool = device.dma().allocate(4096, 4096)) {
                        DmaMapping mapping;
                        try (Arena arena = shared ? Arena.ofShared() : Arena.ofConfined()) {
                            mapping = device.dma().map(arena.allocate(64 << 20, 4096), true);
                        } // a mistake of the application; the JVM lives on
                        long status = copy(bar, pool.iova(), mapping.iova() + (32 << 20), 8);
                        assertThat(status)
                                .isEqualTo(TestFunction.DONE + 1 + Reason.FAILED.ordinal());
                        mapping.close();
                    }
                });
    }

    @Test
    void shouldDeliverInterrupts() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    Interrupts msix = device.interrupts(InterruptType.MSIX);
                    assertThat(msix.count()).isEqualTo(TestFunction.VECTORS);
                    assertThat(msix.canAddLater()).isTrue();
                    msix.enable(2);
                    bar.putLong(TestFunction.IRQ, 1);
                    awaitEvent(msix.event(1));
                    EventFd late = msix.add(20);
                    bar.putLong(TestFunction.IRQ, 20);
                    awaitEvent(late);
                    msix.trigger(0);
                    awaitEvent(msix.event(0));
                    msix.release(20);
                    bar.putLong(TestFunction.IRQ, 20);
                    assertThatThrownBy(() -> msix.event(20))
                            .isInstanceOf(IllegalStateException.class);
                    msix.enable(24);
                    bar.putLong(TestFunction.IRQ, 23);
                    awaitEvent(msix.event(23));
                    msix.disable();
                    assertThat(bar.getInt(TestFunction.ID)).isEqualTo((int) TestFunction.MAGIC);
                });
    }

    private static void awaitEvent(EventFd event) throws IOException {
        assertThat(new PollSet(SystemCalls.host(), event.fd()).await(10_000)).isEqualTo(1);
        assertThat(event.take()).isEqualTo(1);
    }

    @Test
    void shouldResetAndGoOn() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    DmaMemory pool = device.dma().allocate(8192, 4096);
                    bar.putLong(TestFunction.SCRATCH, 5);
                    device.interrupts(InterruptType.MSIX).enable(1);
                    device.reset();
                    assertThat(device.config().read16(PciConfig.COMMAND)).isEqualTo(6);
                    assertThat(bar.getLong(TestFunction.SCRATCH)).isZero();
                    long status = copy(bar, pool.iova(), pool.iova() + 4096, 4096);
                    assertThat(status).isEqualTo(TestFunction.DONE);
                    assertThatThrownBy(() -> device.interrupts(InterruptType.MSIX).event(0))
                            .isInstanceOf(IllegalStateException.class);
                });
    }

    @Test
    void shouldLoseDeviceWhenTheServerCloses() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    server.close();
                    while (!device.isLost()) {
                        Thread.onSpinWait();
                    }
                    assertThat(bar.getInt(0)).isEqualTo(-1);
                    assertThatThrownBy(() -> device.config().read16(0))
                            .isInstanceOf(VfioException.class)
                            .hasMessageContaining(server.path().toString());
                });
    }

    @Test
    void shouldServeManyThreadsAtATime() throws Exception {
        with(
                TestFunction.trapped(),
                (function, device, server) -> {
                    Mmio bar = device.mmio(Region.BAR0);
                    List<Thread> threads = new ArrayList<>();
                    List<Throwable> failures = new ArrayList<>();
                    for (int t = 0; t < 100; t++) {
                        int slot = 0x48 + t % 4 * 8;
                        Thread thread =
                                new Thread(
                                        () -> {
                                            for (int i = 0; i < 50; i++) {
                                                bar.putLong(slot, slot);
                                                assertThat(bar.getLong(slot)).isEqualTo(slot);
                                            }
                                        });
                        thread.setUncaughtExceptionHandler(
                                (which, failure) -> {
                                    synchronized (failures) {
                                        failures.add(failure);
                                    }
                                });
                        threads.add(thread);
                        thread.start();
                    }
                    for (Thread thread : threads) {
                        thread.join();
                    }
                    assertThat(failures).isEmpty();
                });
    }
}
