package org.ringside.cli;

import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.QpType;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where the other end of a ping-pong is, when that is a program of its own. */
final class RemoteOptions {
    /** What ibv_rc_pingpong has when it is not told. */
    static final int USUAL_PORT = 18515;

    private static final long USUAL_SIZE = 4096;
    private static final long USUAL_DATAGRAM_SIZE = 1024;
    static final int USUAL_ITERATIONS = 1000;

    private static final int MAX_PORT = 65535;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            description = {
                "Host on which ibv_rc_pingpong (rdma-core) or \"ringside pingpong --listen\" waits; both ends must",
                "have the same size, number and MTU: ibv_rc_pingpong -d DEV -g GID_INDEX -s BYTES -n N"
                        + " -m MTU."
            })
    private @Nullable String host;

    @Option(
            names = "--listen",
            description = "Wait for one such client, and send back what it sends.")
    private boolean listen;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "TCP port for HOST or --listen (default: 18515).")
    private @Nullable Integer port;

    @Option(
            names = "--gid-index",
            paramLabel = "N",
            description = "Own index in the GID table, for HOST or --listen (default: 0).")
    private @Nullable Integer gidIndex;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "Path MTU, 256 to 4096, for HOST or --listen (default: 1024).")
    private @Nullable Integer mtu;

    @Option(
            names = "--service",
            paramLabel = "SERVICE",
            description =
                    "RC, UC or UD, for HOST or --listen: the other end is ibv_rc_pingpong,"
                            + " ibv_uc_pingpong or ibv_ud_pingpong (default: RC).")
    private @Nullable Service service;

    private enum Service {
        RC(QpType.RC),
        UC(QpType.UC),
        UD(QpType.UD);

        private final QpType type;

        Service(QpType type) {
            this.type = type;
        }
    }

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    /** Whether the other end is another program; what is wrong is thrown. */
    boolean isRemote() {
        if (host != null && host.isBlank()) {
            throw wrong("HOST is empty; give the host on which the other end waits");
        }
        if (host != null && listen) {
            throw wrong(
                    "both HOST and --listen; the end with HOST calls, the one with --listen waits");
        }
        boolean remote = host != null || listen;
        if (!remote && (port != null || gidIndex != null || mtu != null || service != null)) {
            throw wrong(
                    "--port, --gid-index, --mtu and --service are for HOST or --listen; add one of"
                            + " them");
        }
        if (port() < 1 || port() > MAX_PORT) {
            throw wrong("--port is %d, expected 1 to %d".formatted(port(), MAX_PORT));
        }
        if (gidIndex() < 0) {
            throw wrong("--gid-index is %d, expected 0 or more".formatted(gidIndex()));
        }
        if (remote) {
            mtu();
        }
        if (mtu != null && type() == QpType.UD) {
            throw wrong("--mtu is for connections; a datagram has the MTU of the port");
        }
        return remote;
    }

    /** The server's host, null for being the server. */
    @Nullable String host() {
        return host;
    }

    int port() {
        return port == null ? USUAL_PORT : port;
    }

    int gidIndex() {
        return gidIndex == null ? 0 : gidIndex;
    }

    QpType type() {
        return service == null ? QpType.RC : service.type;
    }

    /** Bytes of a message when it is not said, as the stock programs have them. */
    long usualSize() {
        return type() == QpType.UD ? USUAL_DATAGRAM_SIZE : USUAL_SIZE;
    }

    Mtu mtu() {
        if (mtu == null) {
            return Mtu.MTU_1024;
        }
        for (Mtu each : Mtu.values()) {
            if (each.bytes() == mtu) {
                return each;
            }
        }
        throw wrong("--mtu is %d, expected 256, 512, 1024, 2048 or 4096".formatted(mtu));
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
