package org.ringside.mlx5;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * QP number to rings, in two steps of 12 bits: no boxing, no hashing.
 *
 * <p>Threading: looked up by any thread; changed by one at a time.
 */
public final class QpTable {
    private static final int SHIFT = 12;
    private static final int SIZE = 1 << SHIFT;
    private static final int MASK = SIZE - 1;
    private static final VarHandle ROW = MethodHandles.arrayElementVarHandle(WorkQueues[].class);

    private final @Nullable WorkQueues[] @Nullable [] rows = new WorkQueues[SIZE][];

    /** Enters rings under their QP number. */
    public synchronized void put(WorkQueues queues) {
        int row = queues.qpNumber >>> SHIFT;
        @Nullable WorkQueues @Nullable [] found = rows[row];
        if (found == null) {
            found = new WorkQueues[SIZE];
            rows[row] = found;
        }
        ROW.setRelease(found, queues.qpNumber & MASK, queues);
    }

    /** Forgets a QP number. */
    public synchronized void remove(int qpNumber) {
        @Nullable WorkQueues @Nullable [] row = rows[qpNumber >>> SHIFT];
        if (row != null) {
            ROW.setRelease(row, qpNumber & MASK, (WorkQueues) null);
        }
    }

    /** The rings of a QP number, null when there is no such QP. */
    public @Nullable WorkQueues get(int qpNumber) {
        @Nullable WorkQueues @Nullable [] row = rows[qpNumber >>> SHIFT];
        return row == null ? null : row[qpNumber & MASK];
    }

    /** All rings that are entered now. */
    synchronized void forEach(Consumer<WorkQueues> action) {
        for (@Nullable WorkQueues @Nullable [] row : rows) {
            if (row != null) {
                for (WorkQueues queues : row) {
                    if (queues != null) {
                        action.accept(queues);
                    }
                }
            }
        }
    }
}
