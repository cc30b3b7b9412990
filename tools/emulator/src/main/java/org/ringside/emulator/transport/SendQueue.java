package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;

/**
 * Requester side of a QP.
 *
 * <pre>
 *        in flight (READ answers are not here yet)
 *        |        head: next block to fetch
 *        v        v           producer: doorbell record
 *   +---+---+---+---+---+---+---+---+
 *   |   |WQE|WQE|WQE|WQE|WQE|   |   |
 *   +---+---+---+---+---+---+---+---+
 * </pre>
 *
 * <p>A READ or atomic that was sent stays in flight until its answer is scattered at the end of the
 * batch, and what follows completes after it. So a WQE without fence that depends on the answer
 * finds the old data, as it may on a card.
 */
final class SendQueue {
    static final int MAX_IN_FLIGHT = 128;
    static final long FOREVER = Long.MAX_VALUE;

    /** Kinds of WQEs in flight. */
    static final int DONE = 0;

    static final int READ = 1;
    static final int ATOMIC = 2;

    private final HostRing ring;
    private final long start;
    private final int mask;

    /** Next block to fetch, 16 bits. */
    int head;

    /** Send counter of the doorbell record, as last read, 16 bits. */
    int producer;

    /** The doorbell record could not be true when it was last read; that was told. */
    boolean recordDoubted;

    /** Bytes of the message at the head that have moved. */
    long sent;

    /** Bytes of the answer to the oldest READ in flight that have moved. */
    long landed;

    /** Syndrome that the WQE at the head ends with as soon as nothing is in flight. */
    int verdict;

    int retriesLeft;
    int rnrRetriesLeft;

    /** When to try again; 0 when nothing waits. */
    long wakeAt;

    /** Whether the wait ends in a time-out: no answer came. */
    boolean unanswered;

    final int[] indexes = new int[MAX_IN_FLIGHT];
    final int[] opcodes = new int[MAX_IN_FLIGHT];
    final int[] kinds = new int[MAX_IN_FLIGHT];
    final int[] signals = new int[MAX_IN_FLIGHT];
    final long[] lengths = new long[MAX_IN_FLIGHT];
    final long[] values = new long[MAX_IN_FLIGHT];
    private int first;
    private int count;
    private int reads;

    /**
     * @param start offset of the first block in the ring's memory
     */
    SendQueue(HostRing ring, long start, int logSize) {
        this.ring = ring;
        this.start = start;
        this.mask = (1 << logSize) - 1;
    }

    /** Blocks of the queue. */
    int size() {
        return mask + 1;
    }

    /** Reads the block that a counter names. */
    void readBlock(int counter, MemorySegment into, long at) {
        ring.read(start + (long) (counter & mask) * WorkQueues.BLOCK, into, at, WorkQueues.BLOCK);
    }

    void reset() {
        head = 0;
        producer = 0;
        sent = 0;
        landed = 0;
        verdict = 0;
        wakeAt = 0;
        unanswered = false;
        first = 0;
        count = 0;
        reads = 0;
    }

    boolean isEmpty() {
        return head == producer && count == 0;
    }

    int inFlight() {
        return count;
    }

    int readsInFlight() {
        return reads;
    }

    boolean isFull() {
        return count == MAX_IN_FLIGHT;
    }

    /** Slot of the oldest WQE in flight. */
    int first() {
        return first;
    }

    void push(int kind, int index, int opcode, int signal, long length, long value) {
        int slot = (first + count) & (MAX_IN_FLIGHT - 1);
        kinds[slot] = kind;
        indexes[slot] = index;
        opcodes[slot] = opcode;
        signals[slot] = signal;
        lengths[slot] = length;
        values[slot] = value;
        count++;
        reads += kind == DONE ? 0 : 1;
    }

    void pop() {
        reads -= kinds[first] == DONE ? 0 : 1;
        first = (first + 1) & (MAX_IN_FLIGHT - 1);
        count--;
    }
}
