package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.emulator.mlx5.FaultSpec;
import org.ringside.emulator.mlx5.Finding;
import org.ringside.mlx5.ConnectX;
import org.ringside.mlx5.layout.HealthSyndrome;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.verbs.Access;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.user.VfioUserDevice;

/** What the driver does when the device dies under it, in each way, and how it recovers. */
@Timeout(120)
class DriverFaultTest {
    private static final String[] FAST = {
        "ringside.mlx5.healthPeriodMillis", "100", "ringside.mlx5.healthMisses", "20"
    };

    @TempDir Path directory;

    @BeforeAll
    static void hurry() {
        for (int i = 0; i < FAST.length; i += 2) {
            System.setProperty(FAST[i], FAST[i + 1]);
        }
    }

    @AfterAll
    static void takeTime() {
        for (int i = 0; i < FAST.length; i += 2) {
            System.clearProperty(FAST[i]);
        }
    }

    private Emulator emulator(DeviceOptions options) throws IOException {
        return Emulator.start(directory.resolve("s"), options);
    }

    private static String name(Emulator emulator) {
        return "vfio-user/" + emulator.socket();
    }

    /** Two connected QPs with two receives outstanding, and the device dying. */
    private void shouldFailObjects(Consumer<Emulator> fault, String reason) throws Exception {
        try (Emulator emulator = emulator(DeviceOptions.named("dying").build())) {
            Context context = Verbs.open(name(emulator));
            ProtectionDomain pd = context.createPd();
            CompletionChannel channel = context.createCompletionChannel(0);
            CompletionQueue cq = context.createCq(16, channel);
            DeviceBuffer buffer = context.allocate(4096);
            MemoryRegion region = pd.register(buffer, EnumSet.allOf(Access.class));
            QueuePair a = pd.createQp(new QpOptions(cq));
            QueuePair b = pd.createQp(new QpOptions(cq));
            a.connect(b.endpoint());
            b.connect(a.endpoint());
            b.postRecv(1, region.lkey(), region.address(), 64);
            b.postRecv(2, region.lkey(), region.address(), 64);

            fault.accept(emulator);

            assertThat(channel.await(Duration.ofSeconds(60))).as("waiters wake").isNull();
            AsyncEvent event = context.awaitEvent(Duration.ofSeconds(60));
            assertThat(event).isNotNull();
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
            assertThat(event.detail()).contains(reason);
            assertThat(context.isLost()).isTrue();
            assertThat(a.postSend(3, 0, region.lkey(), region.address(), 8))
                    .isEqualTo(PostResult.DEVICE_LOST);
            assertThat(b.postRecv(3, region.lkey(), region.address(), 8))
                    .isEqualTo(PostResult.DEVICE_LOST);
            WorkCompletions flushed = new WorkCompletions(4);
            assertThat(cq.poll(flushed)).isEqualTo(2);
            assertThat(flushed.wrId(0)).isEqualTo(1);
            assertThat(flushed.wrId(1)).isEqualTo(2);
            assertThat(flushed.status(1)).isEqualTo(WcStatus.WR_FLUSH_ERR);
            assertThat(flushed.qpNumber(1)).isEqualTo(b.number());
            assertThatThrownBy(context::createPd)
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.ENODEV))
                    .hasMessageContaining("ALLOC_PD cannot be done");

            context.close();
            context.close();
            assertThat(cq.poll(flushed)).as("after close").isZero();
            assertThat(a.postSend(4, 0, 0, 0, 8)).isEqualTo(PostResult.WRONG_STATE);
        }
    }

    private static void shouldOpenAgain(Emulator emulator) {
        try (Context context = Verbs.open(name(emulator))) {
            assertThat(context.port(1).active()).isTrue();
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldDeclareAStoppedHealthCounterDead() throws Exception {
        shouldFailObjects(
                emulator -> emulator.faults().stopHealthCounter(true),
                "the health counter has stood still");
    }

    @Test
    void shouldReportTheHealthBufferOfFailedFirmware() throws Exception {
        shouldFailObjects(
                emulator -> emulator.faults().failFirmware(HealthSyndrome.HW_FATAL_ERR),
                "health syndrome 0x8 (HW_FATAL_ERR)");
    }

    @Test
    void shouldNoticeADeviceThatFellOffTheBus() throws Exception {
        shouldFailObjects(emulator -> emulator.faults().remove(true), "registers read all ones");
    }

    private static void cause(Emulator emulator, String fault) {
        emulator.faults().cause(FaultSpec.parse(fault));
    }

    @Test
    void shouldNoticeADeviceThatInitializesAgain() throws Exception {
        shouldFailObjects(
                emulator -> cause(emulator, "restart=60000"),
                "the device has reset itself: firmware is initializing again");
    }

    @Test
    void shouldNoticeADeviceThatHasBeenReset() throws Exception {
        shouldFailObjects(
                emulator -> cause(emulator, "reset"),
                "the device has been reset: it does not know its command queue any more");
    }

    @Test
    void shouldNoticeAnInterfaceThatIsDisabled() throws Exception {
        shouldFailObjects(
                emulator -> cause(emulator, "disable-nic"), "firmware has disabled the interface");
    }

    @Test
    void shouldNoticeASocketThatCloses() throws Exception {
        shouldFailObjects(Emulator::close, "its socket was closed");
    }

    /** The host's own signal, by way of VFIO's loop from trigger to eventfd. */
    private void shouldEndVerbsOn(InterruptType signal, String reason) throws Exception {
        try (Emulator emulator = emulator(DeviceOptions.named("wanted").build())) {
            VfioDevice vfio = VfioUserDevice.open(emulator.socket());
            try (Context context = ConnectX.open("wanted", vfio)) {
                vfio.interrupts(signal).trigger(0);
                AsyncEvent event = context.awaitEvent(Duration.ofSeconds(60));
                assertThat(event).isNotNull();
                assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
                assertThat(event.detail()).contains(reason);
                assertThat(context.isLost()).isTrue();
            }
            shouldOpenAgain(emulator);
        }
    }

    @Test
    void shouldGiveTheDeviceBackWhenTheHostAsksForIt() throws Exception {
        shouldEndVerbsOn(InterruptType.REQ, "the host wants the function back");
    }

    @Test
    void shouldReportAnErrorOfTheBus() throws Exception {
        shouldEndVerbsOn(InterruptType.ERR, "the bus reported an uncorrectable error");
    }

    @Test
    void shouldStartAgainOnADeviceThatCameBack() throws Exception {
        try (Emulator emulator = emulator(DeviceOptions.named("back").build())) {
            Context context = Verbs.open(name(emulator));
            emulator.faults().remove(true);
            assertThat(context.awaitEvent(Duration.ofSeconds(60))).isNotNull();
            context.close();
            emulator.faults().remove(false);
            shouldOpenAgain(emulator);
        }
    }

    @Test
    void shouldAnswerPageRequestsInTheMiddleOfCommands() throws Exception {
        DeviceOptions.Builder options = DeviceOptions.named("greedy");
        options.set("profile", "pf");
        options.set("bootPages", "700");
        options.set("initPages", "1500");
        options.set("pageRequestEvery", "2");
        try (Emulator emulator = emulator(options.build())) {
            Context context = Verbs.open(name(emulator));
            for (int i = 0; i < 20; i++) {
                context.createPd();
            }
            context.close();
            assertThat(emulator.findings().list()).isEmpty();
            shouldOpenAgain(emulator);
        }
    }

    @Test
    void shouldNotLoseACommandToAnInterrupt() throws Exception {
        try (Emulator emulator = emulator(DeviceOptions.named("slow").build());
                Context context = Verbs.open(name(emulator))) {
            emulator.faults().hold(Opcode.ALLOC_PD);
            CompletableFuture<ProtectionDomain> hanging = new CompletableFuture<>();
            Thread caller =
                    new Thread(
                            () -> {
                                try {
                                    hanging.complete(context.createPd());
                                } catch (VerbsException e) {
                                    hanging.completeExceptionally(e);
                                }
                            });
            caller.start();
            caller.interrupt();
            assertThatThrownBy(() -> hanging.get(300, TimeUnit.MILLISECONDS))
                    .as("an interrupt does not lose the command")
                    .isInstanceOf(TimeoutException.class);
            emulator.faults().release();
            assertThat(get(hanging).isClosed()).isFalse();
        }
    }

    private static ProtectionDomain get(CompletableFuture<ProtectionDomain> future)
            throws InterruptedException {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldNotReuseTheSlotOfATimedOutCommand() throws Exception {
        System.setProperty("ringside.mlx5.commandMillis", "1500");
        try (Emulator emulator = emulator(DeviceOptions.named("late").build());
                Context context = Verbs.open(name(emulator))) {
            emulator.faults().hold(Opcode.ALLOC_PD);
            assertThatThrownBy(context::createPd)
                    .hasMessageContaining("no answer to ALLOC_PD (0x800) in 1500 ms")
                    .hasMessageContaining("stays unused until it answers")
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.ETIMEDOUT));
            CompletionQueue cq = context.createCq(16);
            emulator.faults().release();
            cq.close();
            try (ProtectionDomain pd = context.createPd()) {
                assertThat(pd.isClosed()).isFalse();
            }
            assertThat(emulator.findings().list(Finding.Kind.COMMAND)).isEmpty();
        } finally {
            System.clearProperty("ringside.mlx5.commandMillis");
        }
    }

    @Test
    void shouldSayThatFirmwareNeverLeavesPreInit() throws Exception {
        System.setProperty("ringside.mlx5.preInitMillis", "300");
        DeviceOptions.Builder options = DeviceOptions.named("asleep");
        options.set("initMillis", "never");
        try (Emulator emulator = emulator(options.build())) {
            assertThatThrownBy(() -> Verbs.open(name(emulator)))
                    .hasMessageContaining("firmware is still initializing after 300 ms");
        } finally {
            System.clearProperty("ringside.mlx5.preInitMillis");
        }
    }

    @Test
    void shouldVerifySignaturesWhenAsked() throws Exception {
        System.setProperty("ringside.mlx5.checksum", "true");
        try (Emulator emulator = emulator(DeviceOptions.named("signed").build())) {
            try (Context context = Verbs.open(name(emulator))) {
                assertThat(context.createPd().isClosed()).isFalse();
            }
            assertThat(emulator.findings().list()).isEmpty();
        } finally {
            System.clearProperty("ringside.mlx5.checksum");
        }
    }
}
