package org.ringside.emulator.device;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The one thread that owns the state of all functions on a wire. It runs tasks (messages from the
 * sockets) in the order of their submission and gives each {@link Agent} its duty cycle in between.
 *
 * <p>With nothing to do it spins, as a doorbell is likely soon after the last; later it lets other
 * threads go first; then it parks. A task wakes it at once; a doorbell in shared memory, or a
 * timer, is seen within {@link Agent#maxParkNanos()}.
 *
 * <p>An exception of a task or a duty cycle is a fault of the model: it is logged and the thread
 * goes on.
 *
 * <p>Threading: all methods from any thread.
 */
public final class DeviceAgent implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DeviceAgent.class.getName());

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Idle idle = new Idle();
    private final Thread thread;
    private final List<Agent> members = new ArrayList<>();
    private Agent[] agents = {};
    private long failures;
    private volatile boolean running = true;

    /** Starts the thread, a daemon. */
    public DeviceAgent(String name) {
        this.thread = new Thread(this::work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** From its return on the agent has duty cycles. */
    public void add(Agent agent) {
        run(
                () -> {
                    members.add(agent);
                    agents = members.toArray(Agent[]::new);
                });
    }

    /** From its return on the agent has no duty cycle any more. Unknown ones are ignored. */
    public void remove(Agent agent) {
        run(
                () -> {
                    members.remove(agent);
                    agents = members.toArray(Agent[]::new);
                });
    }

    /**
     * Runs a task on the agent's thread, soon.
     *
     * @throws RejectedExecutionException when the agent is closed
     */
    public void submit(Runnable task) {
        if (!running) {
            throw new RejectedExecutionException(thread.getName() + " is closed");
        }
        tasks.add(task);
        idle.wake(thread);
        if (!running && tasks.remove(task)) {
            throw new RejectedExecutionException(thread.getName() + " is closed");
        }
    }

    /**
     * Runs a task on the agent's thread and waits for its result; at once when called there.
     * Exceptions come back as they are.
     */
    public <T> T call(Supplier<T> task) {
        if (isAgentThread()) {
            return task.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        submit(
                () -> {
                    try {
                        result.complete(task.get());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                });
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** As {@link #call}, without a result. */
    public void run(Runnable task) {
        var _ =
                call(
                        () -> {
                            task.run();
                            return task;
                        });
    }

    /** Whether the caller is the agent's thread. */
    public boolean isAgentThread() {
        return Thread.currentThread() == thread;
    }

    /** Ends the thread after the tasks that were submitted; waits for it, unless called on it. */
    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (!isAgentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        while (running) {
            int done = runTasks();
            Agent[] all = agents;
            for (Agent agent : all) {
                try {
                    done += agent.poll();
                } catch (RuntimeException | Error e) {
                    failed(agent.roleName() + ": duty cycle failed", e);
                }
            }
            if (done > 0) {
                idle.reset();
            } else {
                idle.idle(all, tasks);
            }
        }
        runTasks();
    }

    private int runTasks() {
        int n = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            n++;
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                failed("task failed", e);
            }
        }
        return n;
    }

    /**
     * Logs the 1st, 2nd, 4th, 8th … failure: one in each duty cycle would drown everything else.
     */
    private void failed(String what, Throwable e) {
        failures++;
        if (Long.bitCount(failures) == 1) {
            LOG.log(Level.ERROR, () -> thread.getName() + ": " + what + " (" + failures + ")", e);
        }
    }
}
