package org.ringside.emulator.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DeviceAgent;
import org.ringside.emulator.device.EmulatedFunction;
import org.ringside.linux.LinuxException;
import org.ringside.linux.PeerCredentials;
import org.ringside.linux.SystemCalls;

/**
 * Serves one function on one socket, to one client after the other.
 *
 * <p>Ownership: the function is attached until {@link #close()}; agent and function are the
 * caller's.
 *
 * <p>Threading: all methods from any thread but the agent's.
 */
public final class VfioUserServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(VfioUserServer.class.getName());
    private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SystemCalls calls;
    private final Path path;
    private final DeviceAgent agent;
    private final BusFunction bus;
    private final ServerSocket listener;
    private final int sendMillis;
    private final Thread thread;
    private final Object lock = new Object();
    private @Nullable Session session; // guarded by lock
    private volatile boolean closed; // written under lock

    private VfioUserServer(
            SystemCalls calls,
            Path path,
            DeviceAgent agent,
            BusFunction bus,
            ServerSocket listener,
            int sendMillis) {
        this.sendMillis = sendMillis;
        this.calls = calls;
        this.path = path;
        this.agent = agent;
        this.bus = bus;
        this.listener = listener;
        this.thread = new Thread(this::acceptAll, "vfio-user " + bus.function().roleName());
        thread.setDaemon(true);
    }

    /**
     * Starts to serve a function. Clients can connect when this returns.
     *
     * @param path of the socket, at most 107 bytes; made for its owner alone, in place of a stale
     *     one
     * @throws IOException when the socket cannot be made; the message says why
     */
    public static VfioUserServer listen(Path path, EmulatedFunction function, DeviceAgent agent)
            throws IOException {
        return listen(SystemCalls.host(), path, function, agent, Session.SEND_MILLIS);
    }

    static VfioUserServer listen(
            SystemCalls calls,
            Path path,
            EmulatedFunction function,
            DeviceAgent agent,
            int sendMillis)
            throws IOException {
        BusFunction bus = new BusFunction(function, agent, calls);
        VfioUserServer server =
                new VfioUserServer(
                        calls, path, agent, bus, ServerSocket.listen(calls, path), sendMillis);
        boolean good = false;
        try {
            agent.run(() -> function.attach(bus));
            agent.add(function);
            server.thread.start();
            good = true;
            return server;
        } finally {
            if (!good) {
                server.listener.close();
            }
        }
    }

    /** Where clients connect. */
    public Path path() {
        return path;
    }

    private void acceptAll() {
        try {
            while (!closed) {
                try {
                    serve(listener.accept());
                } catch (LinuxException e) {
                    pause(e);
                }
            }
        } finally {
            listener.close();
        }
    }

    /** After a failure that may pass, such as EMFILE. */
    private void pause(LinuxException e) {
        if (!closed) {
            LOG.log(Level.WARNING, "cannot accept a client on " + path, e);
            LockSupport.parkNanos(this, ACCEPT_PAUSE_NANOS);
        }
    }

    private void serve(int fd) throws LinuxException {
        if (!isOwner(fd)) {
            calls.close(fd);
            return;
        }
        Session next;
        try {
            next = new Session(calls, fd, bus, agent, sendMillis);
        } catch (LinuxException e) {
            calls.close(fd);
            throw e;
        }
        synchronized (lock) {
            session = next;
            if (closed) {
                next.shutdown();
            }
        }
        next.run();
        synchronized (lock) {
            session = null;
        }
    }

    private boolean isOwner(int fd) throws LinuxException {
        PeerCredentials peer = calls.peerCredentials(fd);
        if (peer.uid() == calls.geteuid() || peer.uid() == 0) {
            return true;
        }
        LOG.log(
                Level.WARNING,
                () -> path + ": client refused, it belongs to another user: " + peer);
        return false;
    }

    /**
     * Ends the session, removes the socket, takes the function off the bus. Closing twice is
     * harmless.
     */
    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            if (session != null) {
                session.shutdown();
            }
        }
        listener.shutdown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        agent.remove(bus.function());
        agent.run(bus.function()::detach);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
