package org.ringside.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * HotSpot's compiler threads as the kernel shows them ({@code proc_pid_task(5)}). They start work
 * when code has become hot and need a core for up to some tenths of a second; a measurement that
 * leaves no core idle is interrupted by them for a time slice of the scheduler at a time.
 */
final class JitThreads {
    private static final Duration STEP = Duration.ofMillis(5);

    /** A thread between two compilations can look idle. */
    private static final int QUIET_STEPS = 2;

    private final List<Path> threads = new ArrayList<>();

    /** Those of this process; none where the kernel or the JVM does not show them. */
    JitThreads() {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                String name = Files.readString(task.resolve("comm"));
                if (name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")) {
                    threads.add(task.resolve("stat"));
                }
            }
        } catch (IOException e) {
            threads.clear();
        }
    }

    int count() {
        return threads.size();
    }

    /** Sleeps until they do, or the time is over. */
    void awaitIdle(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        int quiet = 0;
        while (quiet < QUIET_STEPS && System.nanoTime() - end < 0) {
            Thread.sleep(STEP); // Nothing tells when they stop, so it has to be looked at.
            quiet = isBusy() ? 0 : quiet + 1;
        }
    }

    private boolean isBusy() {
        for (Path thread : threads) {
            try {
                String stat = Files.readString(thread);
                // The name, in parentheses, can hold anything; the state follows it.
                if (stat.startsWith("R", stat.lastIndexOf(')') + 2)) {
                    return true;
                }
            } catch (IOException e) {
                // It has ended.
            }
        }
        return false;
    }
}
