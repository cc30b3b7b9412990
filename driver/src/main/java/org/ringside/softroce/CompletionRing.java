package org.ringside.softroce;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.Received;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/**
 * Completions from the agent to the polling thread, in arrays by field.
 *
 * <pre>
 *       consumer       position        producer
 *   -------|== seen =====|== waiting ====|-------   positions run freely
 *           free at endPoll
 * </pre>
 */
final class CompletionRing {
    /** A QP whose requests completed. */
    interface Owner {
        /** This request, and all before it, was polled. On the polling thread. */
        void polled(boolean send, int position);

        /** QP number. */
        int number();
    }

    private static final VarHandle PRODUCER;
    private static final VarHandle CONSUMER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PRODUCER = lookup.findVarHandle(CompletionRing.class, "producer", int.class);
            CONSUMER = lookup.findVarHandle(CompletionRing.class, "consumer", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int mask;
    private final @Nullable Owner[] owners;
    private final boolean[] sends;
    private final int[] positions;
    private final long[] wrIds;
    private final WcStatus[] statuses;
    private final WcOpcode[] opcodes;
    private final long[] byteLengths;
    private final boolean[] withImmediate;
    private final int[] immediates;
    private final int[] qpNumbers;
    private final int[] sourceQps;
    private final boolean[] withGrh;

    @SuppressWarnings("unused")
    private int producer;

    @SuppressWarnings("unused")
    private int consumer;

    /** Where the cursor stands. */
    private int position;

    /**
     * @param slots a power of two
     */
    CompletionRing(int slots) {
        mask = slots - 1;
        owners = new @Nullable Owner[slots];
        sends = new boolean[slots];
        positions = new int[slots];
        wrIds = new long[slots];
        statuses = new WcStatus[slots];
        opcodes = new WcOpcode[slots];
        byteLengths = new long[slots];
        withImmediate = new boolean[slots];
        immediates = new int[slots];
        qpNumbers = new int[slots];
        sourceQps = new int[slots];
        withGrh = new boolean[slots];
    }

    int capacity() {
        return mask + 1;
    }

    // ---- agent

    /**
     * Appends a completion.
     *
     * @param received what a receive brought; null for a send, and when it failed
     * @return false when the ring is full: the completion is lost
     */
    boolean add(
            Owner owner,
            boolean send,
            int requestPosition,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            long byteLength,
            @Nullable Received received) {
        int at = producer;
        if (at - (int) CONSUMER.getAcquire(this) > mask) {
            return false;
        }
        int slot = at & mask;
        owners[slot] = owner;
        sends[slot] = send;
        positions[slot] = requestPosition;
        wrIds[slot] = wrId;
        statuses[slot] = status;
        opcodes[slot] = opcode;
        byteLengths[slot] = byteLength;
        withImmediate[slot] = received != null && received.hasImmediate;
        immediates[slot] = received == null ? 0 : received.immediate;
        sourceQps[slot] = received == null ? 0 : received.sourceQp;
        withGrh[slot] = received != null && received.hasGrh;
        qpNumbers[slot] = owner.number();
        PRODUCER.setRelease(this, at + 1);
        return true;
    }

    /** Makes the cursor pass over what a QP has left; nobody polls meanwhile. */
    void forget(Owner owner) {
        int end = producer;
        for (int at = (int) CONSUMER.getAcquire(this); at != end; at++) {
            if (owner.equals(owners[at & mask])) {
                owners[at & mask] = null;
            }
        }
    }

    /**
     * Between {@link #add} and the look whether the CQ is armed: who arms and then polls either
     * finds the completion or is seen to have armed.
     */
    static void publishedBeforeArmed() {
        VarHandle.fullFence();
    }

    // ---- polling thread

    boolean startPoll() {
        return stop((int) CONSUMER.getOpaque(this));
    }

    boolean nextPoll() {
        return stop(position + 1);
    }

    /** Stands at the first completion from there on; false when there is none. */
    private boolean stop(int from) {
        int end = (int) PRODUCER.getAcquire(this);
        for (int at = from; at != end; at++) {
            int slot = at & mask;
            Owner owner = owners[slot];
            if (owner != null) {
                position = at;
                owner.polled(sends[slot], positions[slot]);
                return true;
            }
            if (at == (int) CONSUMER.getOpaque(this)) {
                CONSUMER.setRelease(this, at + 1); // Nothing before it is in use.
            }
        }
        return false;
    }

    void endPoll() {
        CONSUMER.setRelease(this, position + 1);
    }

    int poll(WorkCompletions into) {
        into.clear();
        int room = into.capacity();
        if (!startPoll()) {
            return 0;
        }
        do {
            into.append(
                    wrId(),
                    status(),
                    opcode(),
                    byteLength(),
                    hasImmediate(),
                    immediate(),
                    qpNumber(),
                    status().ordinal());
            into.datagram(sourceQp(), hasGrh());
        } while (into.size() < room && nextPoll());
        endPoll();
        return into.size();
    }

    long wrId() {
        return wrIds[position & mask];
    }

    WcStatus status() {
        return statuses[position & mask];
    }

    WcOpcode opcode() {
        return opcodes[position & mask];
    }

    long byteLength() {
        return byteLengths[position & mask];
    }

    boolean hasImmediate() {
        return withImmediate[position & mask];
    }

    int immediate() {
        return immediates[position & mask];
    }

    int sourceQp() {
        return sourceQps[position & mask];
    }

    boolean hasGrh() {
        return withGrh[position & mask];
    }

    int qpNumber() {
        return qpNumbers[position & mask];
    }
}
