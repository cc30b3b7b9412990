package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.emulator.mlx5.DeviceOptions.Doorbells;
import org.ringside.verbs.Access;
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

/** A client that is killed in the middle of its traffic leaves a device for the next one. */
@Timeout(180)
class KilledClientTest {
    private static final int KILLS = 3;

    @TempDir Path directory;

    /** Program of the client that will be killed: WRITEs for ever, to itself. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws VerbsException {
            try (Context context = Verbs.open(arguments[0])) {
                write(context, Long.MAX_VALUE);
            }
        }
    }

    private static void write(Context context, long times) throws VerbsException {
        ProtectionDomain pd = context.createPd();
        DeviceBuffer buffer = context.allocate(1 << 16);
        MemoryRegion region = pd.register(buffer, EnumSet.allOf(Access.class));
        CompletionQueue cq = context.createCq(16);
        QueuePair qp = pd.createQp(new QpOptions(cq).signalAll(true));
        qp.connect(qp.endpoint());
        for (long i = 0; i < times; i++) {
            qp.postWrite(
                    i,
                    SendFlags.SIGNALED,
                    region.lkey(),
                    region.address(),
                    1 << 15,
                    region.rkey(),
                    region.address() + (1 << 15));
            while (!cq.startPoll()) {
                Thread.onSpinWait();
            }
            cq.endPoll();
            if (i == 10) {
                System.out.println("moving");
            }
        }
    }

    private static Process start(String device) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Client.class.getName(),
                        device)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeTheNextClient(Doorbells doorbells)
            throws IOException, VerbsException, InterruptedException {
        DeviceOptions options = DeviceOptions.named("k").doorbells(doorbells).build();
        try (Emulator emulator = Emulator.start(directory.resolve("s"), options)) {
            String device = "vfio-user/" + emulator.socket();
            for (int i = 0; i < KILLS; i++) {
                Process client = start(device);
                try (BufferedReader output = client.inputReader()) {
                    assertThat(output.readLine()).isEqualTo("moving");
                } finally {
                    client.destroyForcibly().waitFor();
                }
            }
            try (Context context = Verbs.open(device)) {
                write(context, 10);
            }
            assertThat(emulator.findings().list()).isEmpty();
        }
    }

    @Test
    void shouldServeAgainAndAgainAfterACleanClose() throws IOException, VerbsException {
        DeviceOptions options = DeviceOptions.named("c").bootPages(3).initPages(5).build();
        try (Emulator emulator = Emulator.start(directory.resolve("s"), options)) {
            for (int i = 0; i < 5; i++) {
                try (Context context = Verbs.open("vfio-user/" + emulator.socket())) {
                    write(context, 1);
                }
            }
            assertThat(emulator.findings().list()).isEmpty();
        }
    }
}
