package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.ringside.linux.EventFd;
import org.ringside.linux.LinuxException;
import org.ringside.linux.PollSet;
import org.ringside.linux.SystemCalls;
import org.ringside.verbs.VerbsException;

/**
 * The one thread of a device that hears its interrupts. It sleeps on the event fds of the vectors
 * in use and of what the host signals, consumes all event queues when one fires, and looks at the
 * device's health by the clock. At each such look it consumes the queues too: an interrupt that got
 * lost costs a period, nothing more.
 *
 * <p>Threading: {@link #add}, {@link #remove} and {@link #close()} from any other thread.
 */
final class EventThread implements AutoCloseable {
    private static final Logger LOG = System.getLogger(EventThread.class.getName());

    /** Longest sleep: nothing fires when the other end of a socket dies. */
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Handler handler;
    private final long periodNanos;
    private final EventFd wake;
    private final List<Source> sources = new CopyOnWriteArrayList<>();
    private final List<Signal> signals = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean running = true;
    private long rounds;

    /**
     * Where events go. One call at a time, mostly on the event thread, also within {@link
     * #hearNow()}; must not block.
     */
    interface Handler {
        /** An entry of an event queue, at byte {@code at} of its ring. */
        void event(EventQueue queue, int at);

        /** A period has passed. */
        void tick();

        /** The thread has woken up: a cheap look at whether the device is still there. */
        void glance();
    }

    /** A queue with the event of the vector that it fires. */
    private record Source(EventQueue queue, EventFd vector) {}

    /** Something else to wait for. */
    private record Signal(EventFd event, Runnable action) {}

    EventThread(String device, SystemCalls calls, Handler handler, Mlx5Options options)
            throws VerbsException {
        this.handler = handler;
        this.periodNanos = options.health().toNanos();
        try {
            this.wake = EventFd.create(calls);
        } catch (LinuxException e) {
            throw new VerbsException(e.errno(), device + ": " + e.getMessage(), e);
        }
        this.thread = new Thread(() -> run(calls), "mlx5-events " + device);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Hears a queue from now on, and arms it. */
    void add(EventQueue queue, EventFd vector) {
        sources.add(new Source(queue, vector));
        wake.signal();
    }

    /** Runs an action on this thread each time that the event fires, until the thread ends. */
    void add(EventFd event, Runnable action) {
        signals.add(new Signal(event, action));
        wake.signal();
    }

    /** From its return on the queue is not touched any more. */
    void remove(EventQueue queue) {
        synchronized (sources) {
            sources.removeIf(source -> source.queue() == queue);
        }
        wake.signal();
    }

    /**
     * Hears, on the caller's thread, all that the queues hold now. When a command has ended that
     * takes an object back, its last events are in the queues already; after this call none of them
     * can be mistaken for one of the object's next life.
     */
    void hearNow() {
        consumeAll();
    }

    /** Whether the caller is this thread. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private void run(SystemCalls calls) {
        long next = System.nanoTime();
        while (running) {
            try {
                List<Source> now = List.copyOf(sources);
                List<Signal> others = List.copyOf(signals);
                handler.glance();
                consumeAll();
                long left = next - System.nanoTime();
                if (left <= 0) {
                    handler.tick();
                    next = System.nanoTime() + periodNanos;
                    continue;
                }
                sleep(calls, now, others, Math.min(left, GLANCE_NANOS));
            } catch (LinuxException | RuntimeException | Error e) {
                rounds++;
                if (Long.bitCount(rounds) == 1) {
                    LOG.log(Level.ERROR, thread.getName() + " failed, going on", e);
                }
            }
        }
    }

    private void sleep(SystemCalls calls, List<Source> now, List<Signal> others, long nanos)
            throws LinuxException {
        int[] fds = new int[1 + now.size() + others.size()];
        int n = 0;
        fds[n++] = wake.fd();
        for (Source source : now) {
            fds[n++] = source.vector().fd();
        }
        for (Signal signal : others) {
            fds[n++] = signal.event().fd();
        }
        PollSet set = new PollSet(calls, fds);
        if (set.await((int) TimeUnit.NANOSECONDS.toMillis(nanos) + 1) == 0) {
            return;
        }
        n = 0;
        if (set.isReadable(n++)) {
            var _ = wake.take();
        }
        for (Source source : now) {
            if (set.isReadable(n++)) {
                var _ = source.vector().take();
            }
        }
        for (Signal signal : others) {
            if (set.isReadable(n++) && signal.event().take() != 0) {
                signal.action().run();
            }
        }
    }

    /**
     * Consumes and arms. The fds were taken before: an event after that makes them readable again,
     * an event before it is consumed here.
     */
    private void consumeAll() {
        synchronized (sources) {
            for (Source source : sources) {
                EventQueue queue = source.queue();
                for (int at = queue.next(); at >= 0; at = queue.next()) {
                    handler.event(queue, at);
                }
                queue.arm();
            }
        }
    }

    /** Ends the thread and waits for it, unless called on it. */
    @Override
    public void close() {
        running = false;
        wake.signal();
        boolean interrupted = false;
        while (!isCurrent() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        wake.close();
    }
}
