package org.ringside.emulator;

import java.io.IOException;
import java.nio.file.Path;
import org.ringside.emulator.mlx5.ConnectX;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.emulator.mlx5.Faults;
import org.ringside.emulator.mlx5.Findings;
import org.ringside.emulator.server.VfioUserServer;

/**
 * An emulated device that serves vfio-user clients on a socket, one after the other, until it is
 * closed. A client that goes, however it goes, leaves a device that is ready for the next.
 *
 * <p>Devices of one process that name the same wire reach each other by their GIDs; their models
 * share one thread.
 *
 * <p>Threading: all methods from any thread but a model's.
 */
public final class Emulator implements AutoCloseable {
    /** The wire of devices that name none. */
    public static final String DEFAULT_WIRE = "default";

    private final ConnectX function;
    private final SharedWire wire;
    private final VfioUserServer server;
    private boolean closed;

    private Emulator(ConnectX function, SharedWire wire, VfioUserServer server) {
        this.function = function;
        this.wire = wire;
        this.server = server;
    }

    /** Starts a device on the default wire. Clients can connect when this returns. */
    public static Emulator start(Path socket, DeviceOptions options) throws IOException {
        return start(socket, options, DEFAULT_WIRE);
    }

    /**
     * Starts a device. Clients can connect when this returns.
     *
     * @param socket path of at most 107 bytes; made for its owner alone, in place of a stale one
     * @param wire name of the wire in this process, or a {@link org.ringside.ethernet.Cable} as
     *     text
     * @throws IOException when the socket or its memory cannot be made; the message says why
     */
    public static Emulator start(Path socket, DeviceOptions options, String wire)
            throws IOException {
        if (SharedWire.isCable(wire) && options.profile().isInfiniBand()) {
            throw new IOException(
                    "the wire %s is Ethernet, and profile %s has an InfiniBand port; take vf or pf"
                            .formatted(wire, options.profile()));
        }
        SharedWire shared = SharedWire.acquire(wire, options.mac());
        boolean good = false;
        try {
            ConnectX function = new ConnectX(options, shared.wire());
            try {
                Emulator emulator =
                        new Emulator(
                                function,
                                shared,
                                VfioUserServer.listen(socket, function, shared.agent()));
                good = true;
                return emulator;
            } finally {
                if (!good) {
                    shared.agent().run(function::detach);
                }
            }
        } finally {
            if (!good) {
                shared.release();
            }
        }
    }

    /** Where clients connect. */
    public Path socket() {
        return server.path();
    }

    public DeviceOptions options() {
        return function.options();
    }

    /** What drivers did wrong, since the start. */
    public Findings findings() {
        return function.findings();
    }

    /** Troubles to cause. */
    public Faults faults() {
        return function.faults();
    }

    /** Ends the session, removes the socket. Closing twice is harmless. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            server.close();
            wire.release();
        }
    }
}
