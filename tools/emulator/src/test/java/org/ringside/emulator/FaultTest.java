package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.emulator.mlx5.FaultSpec;
import org.ringside.verbs.Access;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** Each fault that can be commanded, and what the driver makes of it. */
@Timeout(120)
class FaultTest {
    private static final String COMMAND_MILLIS = "ringside.mlx5.commandMillis";

    @TempDir Path directory;

    /** Two connected QPs on one function, and what they need. */
    private static final class Pair {
        final MemoryRegion region;
        final CompletionQueue cq;
        final QueuePair a;
        final QueuePair b;
        final WorkCompletions done = new WorkCompletions(1);

        Pair(Context context) throws VerbsException {
            ProtectionDomain pd = context.createPd();
            DeviceBuffer buffer = context.allocate(1 << 20);
            region = pd.register(buffer, EnumSet.allOf(Access.class));
            cq = context.createCq(64);
            a = pd.createQp(new QpOptions(cq));
            b = pd.createQp(new QpOptions(cq));
            a.connect(b.endpoint());
            b.connect(a.endpoint());
        }

        void write(long id, int bytes) {
            a.postWrite(
                    id,
                    SendFlags.SIGNALED,
                    region.lkey(),
                    region.address(),
                    bytes,
                    region.rkey(),
                    region.address() + bytes);
        }

        /** Waits for one completion and returns its id. */
        long await() {
            while (cq.poll(done) == 0) {
                Thread.onSpinWait();
            }
            assertThat(done.status(0)).isEqualTo(WcStatus.SUCCESS);
            return done.wrId(0);
        }
    }

    private Emulator emulator(String... faults) throws IOException {
        DeviceOptions.Builder options = DeviceOptions.named("faulty");
        for (String fault : faults) {
            options.set("fault", fault);
        }
        return Emulator.start(directory.resolve("s"), options.build());
    }

    private static void cause(Emulator emulator, String fault) {
        emulator.faults().cause(FaultSpec.parse(fault));
    }

    private static Context open(Emulator emulator) throws VerbsException {
        return Verbs.open("vfio-user/" + emulator.socket());
    }

    @Test
    void shouldSayThatACommandWasNotAnswered() throws Exception {
        System.setProperty(COMMAND_MILLIS, "500");
        try (Emulator emulator = emulator();
                Context context = open(emulator)) {
            cause(emulator, "drop-command");
            assertThatThrownBy(context::createPd)
                    .hasMessageContaining("no answer to ALLOC_PD (0x800) in 500 ms")
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.ETIMEDOUT));
            try (ProtectionDomain pd = context.createPd()) {
                assertThat(pd.isClosed()).as("the next one goes by another slot").isFalse();
            }
        } finally {
            System.clearProperty(COMMAND_MILLIS);
        }
    }

    @Test
    void shouldAnswerLateWhatWasDropped() throws Exception {
        System.setProperty(COMMAND_MILLIS, "500");
        try (Emulator emulator = emulator()) {
            try (Context context = open(emulator)) {
                cause(emulator, "drop-command");
                assertThatThrownBy(context::createPd).hasMessageContaining("no answer to ALLOC_PD");
                cause(emulator, "clear");
                context.createPd().close();
                assertThat(emulator.findings().list()).isEmpty();
            }
            assertThat(emulator.findings().list())
                    .as("the PD of the late answer, of which the driver does not know")
                    .singleElement()
                    .satisfies(
                            finding ->
                                    assertThat(finding.toString())
                                            .contains("function stopped with 1 PD"));
        } finally {
            System.clearProperty(COMMAND_MILLIS);
        }
    }

    @Test
    void shouldFindTheAnswerOfACommandWhoseEventWasLost() throws Exception {
        System.setProperty(COMMAND_MILLIS, "500");
        try (Emulator emulator = emulator();
                Context context = open(emulator)) {
            cause(emulator, "drop-event");
            try (ProtectionDomain pd = context.createPd()) {
                assertThat(pd.isClosed()).isFalse();
            }
        } finally {
            System.clearProperty(COMMAND_MILLIS);
        }
    }

    @Test
    void shouldWaitForASlowAnswer() throws Exception {
        try (Emulator emulator = emulator();
                Context context = open(emulator)) {
            cause(emulator, "delay-command=200");
            long start = System.nanoTime();
            context.createPd().close();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(Duration.ofMillis(400));
            cause(emulator, "clear");
        }
    }

    /** One garbage answer at each of the first steps of bring-up, and some later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void shouldRefuseGarbageAndOpenAgain(int after) throws Exception {
        try (Emulator emulator = emulator(after == 0 ? "garbage" : "garbage=1@" + after)) {
            assertThatThrownBy(
                            () -> {
                                try (Context context = open(emulator)) {
                                    new Pair(context);
                                }
                            })
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("(0x");
            try (Context context = open(emulator)) {
                assertThat(context.port(1).active()).isTrue();
            }
        }
    }

    @Test
    void shouldReportLaterCompletionsWhenOneIsLost() throws Exception {
        try (Emulator emulator = emulator();
                Context context = open(emulator)) {
            Pair pair = new Pair(context);
            cause(emulator, "drop-cqe");
            pair.write(1, 64);
            pair.write(2, 64);
            pair.write(3, 64);
            assertThat(pair.await()).isEqualTo(2);
            assertThat(pair.await()).isEqualTo(3);
        }
    }

    @Test
    void shouldReportALateCompletion() throws Exception {
        try (Emulator emulator = emulator();
                Context context = open(emulator)) {
            Pair pair = new Pair(context);
            cause(emulator, "delay-cqe=300");
            long start = System.nanoTime();
            pair.write(1, 64);
            assertThat(pair.await()).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(Duration.ofMillis(250));
        }
    }

    @Test
    void shouldGivePagesInTheMiddleOfOneCommand() throws Exception {
        try (Emulator emulator = emulator();
                Context context = open(emulator)) {
            cause(emulator, "ask-pages=3");
            Pair pair = new Pair(context);
            pair.write(1, 64);
            assertThat(pair.await()).isEqualTo(1);
            assertThat(emulator.findings().list()).isEmpty();
        }
    }

    @Test
    void shouldFallOffTheBusAfterCommands() throws Exception {
        System.setProperty("ringside.mlx5.healthPeriodMillis", "100");
        try (Emulator emulator = emulator();
                Context context = open(emulator)) {
            cause(emulator, "all-ones@3");
            for (int i = 0; i < 3; i++) {
                context.createPd();
            }
            assertThatThrownBy(context::createPd).isInstanceOf(VerbsException.class);
            AsyncEvent event = context.awaitEvent(Duration.ofSeconds(60));
            assertThat(event).isNotNull();
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
            assertThat(event.detail()).contains("registers read all ones");
        } finally {
            System.clearProperty("ringside.mlx5.healthPeriodMillis");
        }
    }
}
