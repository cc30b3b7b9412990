package org.ringside.cli;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Context;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code ringside pingpong}: brings a device up, moves verified data between two QPs, prints how
 * long it took.
 */
@Command(
        name = "pingpong",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Brings a device up, moves data between two of its QPs and verifies every byte.",
            "Latency of SEND is half a round trip, of the others the time from post to completion."
        })
final class PingPongCommand implements Callable<Integer> {
    private static final Logger LOG = System.getLogger(PingPongCommand.class.getName());
    private static final int USUAL_SIZE = 64;
    private static final long MAX_SIZE = 1L << 30;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "Device, as \"ringside devices\" lists it (default: ${DEFAULT-VALUE}).")
    private String device = "emulated";

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "Second device for the other QP (default: the same device).")
    private @Nullable String peer;

    @Option(
            names = "--operation",
            paramLabel = "OP",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Operation operation = Operation.SEND;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "Bytes of a message, 1 to 1073741824 (default: 64; atomics: 8).")
    private @Nullable Long size;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Measured operations (default: ${DEFAULT-VALUE}).")
    private int iterations = 10_000;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest wait for one completion (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 10;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--verbose",
            description = "Log what the driver does, down to each DMA map, to standard error.")
    private boolean verbose;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (verbose) {
            LogSetup.apply(true);
        }
        long bytes = checkedSize();
        if (iterations < 1) {
            throw wrong("--iterations is " + iterations + ", expected at least 1");
        }
        if (timeoutSeconds < 1) {
            throw wrong("--timeout is " + timeoutSeconds + ", expected at least 1");
        }
        if (device.equals(peer)) {
            throw wrong("--peer is the same as --device; leave it out for two QPs of one device");
        }
        Duration timeout = Duration.ofSeconds(timeoutSeconds);
        double before = json ? 0 : CacheLine.crossingNanos();
        long start = System.nanoTime();
        long bringUp;
        Measurement measured;
        try (Context left = Verbs.open(device);
                Context second = peer == null ? null : Verbs.open(peer)) {
            Context right = second == null ? left : second;
            try (PingPong run = new PingPong(left, right, operation, bytes, timeout)) {
                bringUp = System.nanoTime() - start;
                warmUp(run, left, right, bytes, timeout);
                LOG.log(Level.DEBUG, "warm; {0} of {1} bytes follow", operation, bytes);
                measured = run.measure(iterations);
            }
        }
        String name = peer == null ? device : device + "~" + peer;
        double after = json ? 0 : CacheLine.crossingNanos();
        Report report =
                new Report(name, operation, bytes, iterations, bringUp, measured, before, after);
        spec.commandLine().getOut().println(json ? report.json() : report.text());
        spec.commandLine().getOut().flush();
        return 0;
    }

    private void warmUp(PingPong run, Context left, Context right, long bytes, Duration timeout)
            throws VerbsException, InterruptedException {
        JitThreads jit = new JitThreads();
        if (bytes > USUAL_SIZE) {
            // The code is the same, so the JIT learns it soonest from small messages.
            try (PingPong small = new PingPong(left, right, operation, USUAL_SIZE, timeout)) {
                small.warmUp(jit);
            }
        }
        run.warmUp(jit);
    }

    private long checkedSize() {
        if (operation.isAtomic()) {
            if (size != null && size != Long.BYTES) {
                throw wrong("--size is " + size + ", atomics are of 8 bytes; leave it out");
            }
            return Long.BYTES;
        }
        if (size == null) {
            return USUAL_SIZE;
        }
        if (size < 1 || size > MAX_SIZE) {
            throw wrong("--size is " + size + ", expected 1 to " + MAX_SIZE);
        }
        return size;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
