package org.ringside.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.ringside.verbs.Context;
import org.ringside.verbs.Verbs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ringside echo}: exchanges verified messages with rdma-core's {@code ibv_rc_pingpong}. */
@Command(
        name = "echo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Connects to a server of rdma-core's ibv_rc_pingpong, over whatever driver it runs,",
            "sends it messages and verifies every byte of what comes back. The server must have"
                    + " the",
            "same size and number: ibv_rc_pingpong -s BYTES -n N."
        })
final class EchoCommand implements Callable<Integer> {
    private static final int MAX_SIZE = 1 << 24;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "Device, as \"ringside devices\" lists it (default: ${DEFAULT-VALUE}).")
    private String device = "emulated";

    @Option(
            names = "--server",
            required = true,
            paramLabel = "HOST",
            description = "Where ibv_rc_pingpong listens.")
    private String server = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "TCP port of the server (default: ${DEFAULT-VALUE}).")
    private int port = 18515;

    @Option(
            names = "--gid-index",
            paramLabel = "N",
            description = "Index in the port's GID table (default: ${DEFAULT-VALUE}).")
    private int gidIndex = 0;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "Bytes of a message, 1 to 16777216 (default: ${DEFAULT-VALUE}).")
    private int size = 4096;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Messages (default: ${DEFAULT-VALUE}).")
    private int iterations = 1000;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest wait for one completion (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 10;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (server.isBlank()) {
            throw new ParameterException(
                    spec.commandLine(), "--server is empty; give the host of ibv_rc_pingpong");
        }
        within("--port", port, 65535);
        if (gidIndex < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--gid-index is %d, expected 0 or more".formatted(gidIndex));
        }
        within("--size", size, MAX_SIZE);
        within("--iterations", iterations, Integer.MAX_VALUE);
        within("--timeout", timeoutSeconds, Integer.MAX_VALUE);
        try (Context context = Verbs.open(device);
                EchoClient client =
                        new EchoClient(context, size, Duration.ofSeconds(timeoutSeconds))) {
            client.meet(server, port, gidIndex);
            double micros = client.run(iterations) / 1000.0 / iterations;
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s and %s:%d: %d messages of %d bytes there and back, all verified;"
                                    + " %.1f us a round trip%n",
                            device, server, port, iterations, size, micros);
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    private void within(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new ParameterException(
                    spec.commandLine(), "%s is %d, expected 1 to %d".formatted(option, value, max));
        }
    }
}
