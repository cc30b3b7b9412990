package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.emulator.mlx5.FaultSpec;
import org.ringside.mlx5.ConnectX;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.verbs.Access;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceException;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.user.VfioUserDevice;

/**
 * Each fault under traffic: what the application is told, that nobody waits for ever, that nothing
 * is left behind, and that the device works when it is opened again.
 */
@Timeout(120)
class FaultRecoveryTest {
    private static final String PERIOD = "ringside.mlx5.healthPeriodMillis";
    private static final String MISSES = "ringside.mlx5.healthMisses";
    private static final int WINDOW = 16;
    private static final int BYTES = 256 << 10;

    @TempDir Path directory;
    private Emulator emulator;

    /** Two connected QPs on one function; each write is signalled. */
    private static final class Traffic {
        final CompletionQueue cq;
        final QueuePair a;
        private final MemoryRegion region;
        private final WorkCompletions done = new WorkCompletions(1);

        Traffic(Context context) throws VerbsException {
            ProtectionDomain pd = context.createPd();
            region = pd.register(context.allocate(2L * BYTES), EnumSet.allOf(Access.class));
            cq = context.createCq(2 * WINDOW);
            a = pd.createQp(new QpOptions(cq));
            QueuePair b = pd.createQp(new QpOptions(cq));
            a.connect(b.endpoint());
            b.connect(a.endpoint());
        }

        PostResult write(long id) {
            return a.postWrite(
                    id,
                    SendFlags.SIGNALED,
                    region.lkey(),
                    region.address(),
                    BYTES,
                    region.rkey(),
                    region.address() + BYTES);
        }

        /** The status of the next completion. */
        WcStatus next() {
            while (cq.poll(done) == 0) {
                Thread.onSpinWait();
            }
            return done.status(0);
        }
    }

    @BeforeEach
    void start() throws IOException {
        System.setProperty(PERIOD, "100");
        System.setProperty(MISSES, "20");
        emulator = Emulator.start(directory.resolve("s"), DeviceOptions.named("faulty").build());
    }

    @AfterEach
    void stop() {
        emulator.close();
        System.clearProperty(PERIOD);
        System.clearProperty(MISSES);
    }

    private void cause(String fault) {
        emulator.faults().cause(FaultSpec.parse(fault));
    }

    private static List<String> driverThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("mlx5-") || name.startsWith("vfio-user client"))
                .toList();
    }

    private static int openFiles() {
        return Path.of("/proc/self/fd").toFile().list().length;
    }

    private VfioDevice openVfio() throws IOException {
        return VfioUserDevice.open(emulator.socket());
    }

    private static Context openContext(VfioDevice vfio) throws VerbsException {
        return ConnectX.open("faulty", vfio);
    }

    /** One open, some traffic and a close; afterwards the process has what it had before. */
    private void shouldWork() throws Exception {
        try (Context context = openContext(openVfio())) {
            Traffic traffic = new Traffic(context);
            assertThat(traffic.write(1)).isEqualTo(PostResult.POSTED);
            assertThat(traffic.next()).isEqualTo(WcStatus.SUCCESS);
        }
    }

    private void shouldHaveLeftNothing(int filesBefore) throws Exception {
        shouldWork();
        assertThat(driverThreads()).isEmpty();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        // The emulator's end of the connection is closed by a thread of its own.
        while (openFiles() > filesBefore && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(openFiles()).as("open files").isLessThanOrEqualTo(filesBefore);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    stop-health     | the health counter has stood still
                    fail-firmware=8 | firmware asks for a reset; health syndrome 0x8 (HW_FATAL_ERR)
                    disable-nic     | firmware has disabled the interface
                    all-ones        | registers read all ones
                    reset           | the device has
                    restart=60000   | firmware is initializing again
                    restart=0       | the device has
                    FLR             | the device has
                    """)
    void shouldTellThatTheDeviceIsDead(String fault, String why) throws Exception {
        shouldWork();
        int files = openFiles();
        VfioDevice vfio = openVfio();
        try (Context context = openContext(vfio)) {
            Traffic traffic = new Traffic(context);
            emulator.faults().hold(Opcode.ALLOC_PD);
            CompletableFuture<@Nullable Exception> waiting = callOnAThread(context::createPd);
            for (int i = 0; i < WINDOW; i++) {
                assertThat(traffic.write(i)).isEqualTo(PostResult.POSTED);
            }

            if (fault.equals("FLR")) {
                vfio.reset();
            } else {
                cause(fault);
            }

            AsyncEvent event = context.awaitEvent(Duration.ofSeconds(60));
            assertThat(event).isNotNull();
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
            assertThat(event.detail()).contains(why);
            assertThat(waiting.get(30, TimeUnit.SECONDS))
                    .as("the command that was in flight")
                    .isInstanceOfSatisfying(
                            DeviceException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.ENODEV))
                    .hasMessageContaining("ALLOC_PD cannot be done, the device is lost");
            // What was done before is SUCCESS; all that was posted is reported.
            WcStatus last = WcStatus.SUCCESS;
            for (int i = 0; i < WINDOW; i++) {
                WcStatus status = traffic.next();
                assertThat(status).isIn(last, WcStatus.WR_FLUSH_ERR);
                last = status;
            }
            assertThat(traffic.write(99)).isEqualTo(PostResult.DEVICE_LOST);
        }
        emulator.faults().cause(FaultSpec.parse("clear"));
        shouldHaveLeftNothing(files);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"delay-command=100", "drop-event", "ask-pages=3", "delay-cqe=300"})
    void shouldGoOnWhenTheDeviceIsOnlySlow(String fault) throws Exception {
        shouldWork();
        int files = openFiles();
        try (Context context = openContext(openVfio())) {
            cause(fault);
            Traffic traffic = new Traffic(context);
            cause(fault);
            assertThat(traffic.write(1)).isEqualTo(PostResult.POSTED);
            assertThat(traffic.next()).isEqualTo(WcStatus.SUCCESS);
            assertThat(context.isLost()).isFalse();
            assertThat(context.pollEvent()).isNull();
        }
        cause("clear");
        shouldHaveLeftNothing(files);
        assertThat(emulator.findings().list()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    drop-command | 110 | no answer to ALLOC_PD (0x800) in 500 ms; health syndrome 0x0
                    garbage      | 5   | ALLOC_PD (0x800)
                    """)
    void shouldFailOneCommandOnly(String fault, int errno, String message) throws Exception {
        System.setProperty("ringside.mlx5.commandMillis", "500");
        try {
            shouldWork();
            int files = openFiles();
            try (Context context = openContext(openVfio())) {
                Traffic traffic = new Traffic(context);
                cause(fault);
                assertThat(callOnAThread(context::createPd).get(60, TimeUnit.SECONDS))
                        .isInstanceOfSatisfying(
                                DeviceException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                        .hasMessageContaining(message);
                assertThat(context.createPd().isClosed()).isFalse();
                assertThat(traffic.write(1)).isEqualTo(PostResult.POSTED);
                assertThat(traffic.next()).isEqualTo(WcStatus.SUCCESS);
                assertThat(context.isLost()).isFalse();
            }
            shouldHaveLeftNothing(files);
        } finally {
            System.clearProperty("ringside.mlx5.commandMillis");
        }
    }

    /** A call that fails or not. */
    private interface Call {
        Object make() throws Exception;
    }

    /** Completes with what the call threw, or with null. */
    private static CompletableFuture<@Nullable Exception> callOnAThread(Call call) {
        CompletableFuture<@Nullable Exception> result = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                var _ = call.make();
                                result.complete(null);
                            } catch (Exception e) {
                                result.complete(e);
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
