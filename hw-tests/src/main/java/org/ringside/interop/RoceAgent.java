package org.ringside.interop;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.Transport;
import org.ringside.roce.TransportOptions;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.port.Port;
import org.ringside.roce.port.PortAddresses;
import org.ringside.roce.wire.StreamLink;

/** The one thread that owns a port and all behind it. Others hand it tasks. */
final class RoceAgent implements AutoCloseable {
    private static final int SPINS = 2000;
    private static final long PARK_NANOS = 20_000;

    private final StreamLink link;
    private final MemoryTable memory = new MemoryTable();
    private final Port port;
    private final Queue<Consumer<RoceAgent>> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closing;
    private volatile @Nullable IOException failure;

    RoceAgent(StreamLink link, PortAddresses addresses) {
        this.link = link;
        Transport transport =
                new Transport(link, memory, TransportOptions.DEFAULT, System.nanoTime());
        port = new Port(addresses, link, transport);
        thread = new Thread(this::run, "roce-agent");
        thread.setDaemon(true);
        thread.start();
    }

    /** The port; on the agent's thread. */
    Port port() {
        return port;
    }

    /** The keys; on the agent's thread. */
    MemoryTable memory() {
        return memory;
    }

    /** Runs on the agent's thread, soon. */
    void execute(Consumer<RoceAgent> task) {
        tasks.add(task);
    }

    /** Asks something on the agent's thread and waits for the answer. */
    <T> T ask(Function<RoceAgent, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(
                agent -> {
                    try {
                        answer.complete(question.apply(agent));
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
        return answer.join();
    }

    /** Why the wire ended; null while it works. */
    @Nullable IOException failure() {
        return failure;
    }

    private void run() {
        int idle = 0;
        try {
            while (!closing) {
                if (turn() > 0) {
                    idle = 0;
                } else if (++idle > SPINS) {
                    LockSupport.parkNanos(PARK_NANOS);
                } else {
                    Thread.onSpinWait();
                }
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    private int turn() throws IOException {
        int work = 0;
        for (Consumer<RoceAgent> task; (task = tasks.poll()) != null; work++) {
            task.accept(this);
        }
        long now = System.nanoTime();
        return work + link.poll(port::receive, now) + port.poll(now);
    }

    @Override
    public void close() throws IOException {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        link.close();
    }
}
