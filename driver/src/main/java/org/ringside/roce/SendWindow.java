package org.ringside.roce;

/**
 * The requests of a send queue that were loaded and have not completed, in order.
 *
 * <pre>
 *   head           cursor          tail
 *    v               v              v
 *   | sent, waits   | being sent ... | free
 * </pre>
 *
 * <p>Positions only grow; a slot is its position modulo the size.
 */
final class SendWindow {
    private final SendRequest[] slots;
    private final int mask;
    private long head;
    private long tail;

    SendWindow(QpOptions options) {
        int size = options.sendDepth();
        if (Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("send depth " + size + " is no power of two");
        }
        slots = new SendRequest[size];
        mask = size - 1;
        for (int i = 0; i < size; i++) {
            slots[i] = new SendRequest(options.maxSges(), options.maxInline());
        }
    }

    long head() {
        return head;
    }

    long tail() {
        return tail;
    }

    boolean isEmpty() {
        return head == tail;
    }

    boolean isFull() {
        return tail - head > mask;
    }

    SendRequest at(long position) {
        return slots[(int) position & mask];
    }

    SendRequest oldest() {
        return slots[(int) head & mask];
    }

    /** The slot that the next request is loaded into. */
    SendRequest free() {
        return slots[(int) tail & mask];
    }

    void append() {
        tail++;
    }

    void removeOldest() {
        head++;
    }

    void clear() {
        head = tail;
    }
}
