package org.ringside.cli;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Context;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "Latency of SEND is half a round trip, of the others the time from post to completion.",
            "With HOST or --listen the other QP is that of another program, which may be rdma-core's",
            "ibv_rc_pingpong, ibv_uc_pingpong or ibv_ud_pingpong."
        })
final class PingPongCommand implements Callable<Integer> {
    private static final Logger LOG = System.getLogger(PingPongCommand.class.getName());
    private static final int USUAL_SIZE = 64;
    private static final int USUAL_ITERATIONS = 10_000;
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
            description =
                    "Bytes of a message, 1 to 1073741824 (default: 64; atomics: 8; HOST or --listen:"
                            + " 4096, UD 1024).")
    private @Nullable Long size;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Measured operations (default: 10000; HOST or --listen: 1000).")
    private @Nullable Integer iterations;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest wait for one completion (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 10;

    @Mixin private RemoteOptions remote = new RemoteOptions();

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
        if (timeoutSeconds < 1) {
            throw wrong("--timeout is " + timeoutSeconds + ", expected at least 1");
        }
        if (iterations != null && iterations < 1) {
            throw wrong("--iterations is " + iterations + ", expected at least 1");
        }
        if (device.equals(peer)) {
            throw wrong("--peer is the same as --device; leave it out for two QPs of one device");
        }
        Duration timeout = Duration.ofSeconds(timeoutSeconds);
        Report report = remote.isRemote() ? withOtherProgram(timeout) : byOurselves(timeout);
        spec.commandLine().getOut().println(json ? report.json() : report.text());
        spec.commandLine().getOut().flush();
        return 0;
    }

    private Report byOurselves(Duration timeout) throws VerbsException, InterruptedException {
        long bytes = checkedSize(USUAL_SIZE);
        int count = iterations == null ? USUAL_ITERATIONS : iterations;
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
                measured = run.measure(count);
            }
        }
        String name = peer == null ? device : device + "~" + peer;
        double after = json ? 0 : CacheLine.crossingNanos();
        return new Report(name, operation, bytes, count, true, bringUp, measured, before, after);
    }

    private Report withOtherProgram(Duration timeout)
            throws IOException, VerbsException, InterruptedException {
        if (peer != null) {
            throw wrong("--peer is a device of ours; leave it out with HOST or --listen");
        }
        if (operation != Operation.SEND) {
            throw wrong("ibv_rc_pingpong sends; leave --operation out with HOST or --listen");
        }
        long bytes = checkedSize(remote.usualSize());
        int count = iterations == null ? RemoteOptions.USUAL_ITERATIONS : iterations;
        String host = remote.host();
        double before = json ? 0 : CacheLine.crossingNanos();
        long start = System.nanoTime();
        long bringUp;
        Measurement measured;
        String where;
        try (ServerSocket listener = host == null ? listen() : null;
                Context context = Verbs.open(device);
                RemotePingPong run =
                        new RemotePingPong(
                                context,
                                remote.type(),
                                bytes,
                                remote.gidIndex(),
                                remote.mtu(),
                                timeout)) {
            bringUp = System.nanoTime() - start;
            if (host != null) {
                where = host + ":" + remote.port();
                run.call(host, remote.port());
                measured = run.send(count);
            } else {
                where = run.answer(Objects.requireNonNull(listener));
                measured = run.echo(count);
            }
        } catch (CommandFailedException e) {
            throw new CommandFailedException(
                    e.getMessage() + "; the other end must have the same size and number");
        }
        double after = json ? 0 : CacheLine.crossingNanos();
        return new Report(
                device + "~" + where,
                operation,
                bytes,
                count,
                host != null,
                bringUp,
                measured,
                before,
                after);
    }

    private ServerSocket listen() throws IOException {
        try {
            return new ServerSocket(remote.port(), 1);
        } catch (BindException e) {
            throw new IOException(
                    "TCP port %d cannot be listened on: %s; give another --port"
                            .formatted(remote.port(), Failures.text(e)),
                    e);
        }
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

    private long checkedSize(long usual) {
        if (operation.isAtomic()) {
            if (size != null && size != Long.BYTES) {
                throw wrong("--size is " + size + ", atomics are of 8 bytes; leave it out");
            }
            return Long.BYTES;
        }
        if (size == null) {
            return usual;
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
