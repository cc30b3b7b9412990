package org.ringside.softroce;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Numbers of the QPs that were posted to, from any thread to the agent. A QP is in it once at most,
 * so it never runs over.
 */
final class Doorbells {
    private static final VarHandle TAIL;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(Doorbells.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** No QP has it. */
    static final int NONE = 0;

    private final int[] slots;
    private final int mask;

    @SuppressWarnings("unused")
    private int tail;

    private int head;

    /**
     * @param qps that there can be at once, a power of two
     */
    Doorbells(int qps) {
        slots = new int[qps];
        mask = qps - 1;
    }

    /** On any thread; the number is not 0 and not in it. */
    void ring(int qpNumber) {
        int at = (int) TAIL.getAndAdd(this, 1);
        SLOT.setRelease(slots, at & mask, qpNumber);
    }

    /** The next number, or {@link #NONE}. On the agent's thread. */
    int take() {
        int slot = head & mask;
        int number = (int) SLOT.getAcquire(slots, slot);
        if (number != NONE) {
            SLOT.setOpaque(slots, slot, NONE);
            head++;
        }
        return number;
    }
}
