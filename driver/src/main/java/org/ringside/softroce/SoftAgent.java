package org.ringside.softroce;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.ringside.ethernet.EthernetPort;
import org.ringside.roce.Transport;
import org.ringside.roce.TransportOptions;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.port.Loopback;
import org.ringside.roce.port.Port;
import org.ringside.roce.port.PortAddresses;
import org.ringside.roce.wire.FrameReceiver;
import org.ringside.verbs.VerbsException;

/**
 * The thread that is the device: takes frames from the wire, hears doorbells, does slow calls as
 * tasks, gives the transport its turns. With nothing to do it spins, then yields, then sleeps for
 * short times; a doorbell wakes it, a frame is found when it wakes.
 */
final class SoftAgent implements AutoCloseable {
    private static final Logger LOG = System.getLogger(SoftAgent.class.getName());
    private static final int LOOPBACK_FRAMES = 256;
    private static final long SPIN_NANOS = 50_000;
    private static final long YIELD_NANOS = 1_000_000;
    private static final long SLEEP_NANOS = 50_000;

    private final EthernetPort nic;
    private final Loopback link;
    private final Transport transport;
    private final Port port;
    private final FrameReceiver receiver;
    private final Doorbells doorbells;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private final Client client;
    private volatile boolean sleeping;
    private volatile boolean stopping;
    private volatile boolean lost;

    /** Whom the agent works for; called on its thread. */
    interface Client {
        /** A QP was posted to. */
        void doorbell(int qpNumber);

        /** The port died, once. */
        void died(String why);
    }

    /**
     * @param maxQps power of two
     */
    SoftAgent(
            EthernetPort nic,
            PortAddresses addresses,
            MemoryTable memory,
            int maxQps,
            Client client) {
        this.nic = nic;
        this.client = client;
        link = new Loopback(nic, nic.mac(), LOOPBACK_FRAMES);
        transport = new Transport(link, memory, TransportOptions.DEFAULT, System.nanoTime());
        port = new Port(addresses, link, transport);
        receiver = port::receive; // Made once: a new one each turn would be garbage.
        doorbells = new Doorbells(maxQps);
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("soft-roce " + nic.description())
                        .unstarted(this::work);
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    /** For tasks only. */
    Transport transport() {
        return transport;
    }

    /** For tasks only. */
    Port port() {
        return port;
    }

    boolean isLost() {
        return lost;
    }

    // ---- from other threads

    /** Rings the doorbell of a QP. */
    void ring(int qpNumber) {
        doorbells.ring(qpNumber);
        if (sleeping) {
            LockSupport.unpark(thread);
        }
    }

    /** Has the agent do something and waits for its result. */
    <T> T call(Callable<T> work) throws VerbsException {
        FutureTask<T> task = new FutureTask<>(work);
        tasks.add(task);
        LockSupport.unpark(thread);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true; // The agent answers soon, and half done is worse.
                } catch (ExecutionException e) {
                    throw failure(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Has the agent do something and waits until it is done. */
    void run(Runnable work) throws VerbsException {
        Boolean done =
                call(
                        () -> {
                            work.run();
                            return true;
                        });
        assert done;
    }

    private static VerbsException failure(ExecutionException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof VerbsException e) {
            return new VerbsException(e.errno(), String.valueOf(e.getMessage()), e);
        }
        String why = cause == null ? "the agent failed" : String.valueOf(cause.getMessage());
        return new VerbsException(VerbsException.EINVAL, why, failed);
    }

    // ---- the thread

    /** Does something at the end of the turn, outside of the transport. On its thread. */
    void later(Runnable work) {
        tasks.add(work);
    }

    private void work() {
        long idleSince = System.nanoTime();
        while (!stopping) {
            long now = System.nanoTime();
            int done = 0;
            try {
                done = turn(now);
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, nic.description() + ": the agent failed", e);
                lose("the agent failed: " + e);
            }
            if (done > 0) {
                idleSince = now;
            } else {
                idle(now - idleSince);
            }
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private int turn(long now) {
        int done = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            done++;
        }
        for (int qp = doorbells.take(); qp != Doorbells.NONE; qp = doorbells.take()) {
            client.doorbell(qp);
            done++;
        }
        if (lost) {
            return done;
        }
        if (nic.isLost()) {
            lose(nic.description() + " does not answer any more");
            return done;
        }
        done += nic.poll(receiver, now);
        done += link.poll(receiver, now);
        return done + port.poll(now);
    }

    private void lose(String why) {
        if (!lost) {
            lost = true;
            client.died(why);
        }
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // Correct without; lets the application run where cores are few.
    private void idle(long idleNanos) {
        if (idleNanos < SPIN_NANOS) {
            Thread.onSpinWait();
        } else if (idleNanos < YIELD_NANOS) {
            Thread.yield();
        } else {
            sleeping = true;
            // A doorbell rung before the flag was seen is found in the next turn, soon enough.
            LockSupport.parkNanos(this, SLEEP_NANOS);
            sleeping = false;
        }
    }

    /** Ends the thread and the port. */
    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        nic.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
