package org.ringside.conformance;

import java.util.function.BooleanSupplier;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.WorkCompletions;

/** Waiting with a bound: a test fails with words, it never hangs. */
final class Wait {
    /** Seconds; generous, since the kit also runs in emulated machines. */
    private static final int SECONDS = Integer.getInteger("ringside.kit.waitSeconds", 20);

    private Wait() {}

    /** The next completion of a CQ. */
    static WorkCompletions forCompletion(CompletionQueue cq) {
        WorkCompletions one = new WorkCompletions(1);
        until("a completion on " + cq, () -> cq.poll(one) == 1);
        return one;
    }

    /** Spins until a condition holds. */
    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + SECONDS * 1_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited " + SECONDS + " s in vain for " + what);
            }
            Thread.onSpinWait();
        }
    }
}
