package org.ringside.roce;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Syndrome;

/**
 * The answers that a responder owes, in the order of the requests. An ACK that has not gone yet is
 * replaced by the next, which says as much and more: so ACKs coalesce while answers wait.
 */
final class AnswerQueue {
    private final Answer[] slots;
    private final int mask;
    private long head;
    private long tail;
    private int newReads;

    /**
     * @param reads READs that may wait at once, without repetitions
     */
    AnswerQueue(int reads) {
        // Each READ with an ACK behind it, as many repetitions, and room for what comes between.
        int size = Integer.highestOneBit(4 * reads + 8) * 2;
        slots = new Answer[size];
        mask = size - 1;
        for (int i = 0; i < size; i++) {
            slots[i] = new Answer();
        }
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** READs that wait, without repetitions. */
    int newReads() {
        return newReads;
    }

    Answer oldest() {
        return slots[(int) head & mask];
    }

    void removeOldest() {
        Answer answer = oldest();
        if (answer.kind == Answer.Kind.READ && !answer.repeated) {
            newReads--;
        }
        head++;
    }

    void clear() {
        head = tail;
        newReads = 0;
    }

    /** An ACK or NAK; true unless there was no room. */
    boolean acknowledge(long psn, int syndrome, int msn) {
        Answer answer = isEmpty() ? null : slots[(int) (tail - 1) & mask];
        if (answer == null
                || answer.kind != Answer.Kind.ACK
                || !Syndrome.isAck(answer.syndrome)
                || psn < answer.psn) {
            answer = add(Answer.Kind.ACK);
        }
        if (answer == null) {
            return false;
        }
        answer.psn = psn;
        answer.syndrome = syndrome;
        answer.msn = msn;
        return true;
    }

    /** A READ response; true unless there was no room. */
    boolean read(
            long psn,
            long lastPsn,
            int msn,
            long address,
            int rkey,
            long length,
            boolean repeated) {
        Answer answer = add(Answer.Kind.READ);
        if (answer == null) {
            return false;
        }
        answer.psn = psn;
        answer.lastPsn = lastPsn;
        answer.syndrome = Syndrome.ACK;
        answer.msn = msn;
        answer.address = address;
        answer.rkey = rkey;
        answer.left = length;
        answer.fresh = true;
        answer.repeated = repeated;
        newReads += repeated ? 0 : 1;
        return true;
    }

    /** The result of an atomic; true unless there was no room. */
    boolean atomic(long psn, int msn, long value) {
        Answer answer = add(Answer.Kind.ATOMIC);
        if (answer == null) {
            return false;
        }
        answer.psn = psn;
        answer.syndrome = Syndrome.ACK;
        answer.msn = msn;
        answer.value = value;
        return true;
    }

    boolean hasRoom() {
        return tail - head <= mask;
    }

    private @Nullable Answer add(Answer.Kind kind) {
        if (!hasRoom()) {
            return null;
        }
        Answer answer = slots[(int) tail & mask];
        answer.kind = kind;
        tail++;
        return answer;
    }
}
