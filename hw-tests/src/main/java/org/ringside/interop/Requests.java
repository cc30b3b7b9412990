package org.ringside.interop;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.ringside.verbs.WcStatus;

/**
 * The requester's part of a {@link Plan}: posts its messages, a window at a time, and verifies each
 * when it has completed.
 */
final class Requests {
    private final End end;
    private final long remote;
    private final int rkey;
    private final int messages;
    private final Stalls stalls;
    private final long[] originals = new long[Plan.WINDOW];
    private long counter;
    private long chain;
    private int posted;
    private int done;

    /**
     * @param remote address of the peer's memory
     * @param now on the clock of all later calls
     */
    Requests(End end, long remote, int rkey, int messages, long now) {
        this.end = end;
        this.remote = remote;
        this.rkey = rkey;
        this.messages = messages;
        this.stalls = new Stalls(messages, now);
    }

    boolean isDone() {
        return done == messages;
    }

    int done() {
        return done;
    }

    Stalls stalls() {
        return stalls;
    }

    /** What the peer's counter must be. */
    long counter() {
        return counter;
    }

    /** What the last word of the chain must be. */
    long chain() {
        return chain;
    }

    /** Posts as many as the window takes. */
    void post() {
        while (posted < messages && posted - done < Plan.WINDOW) {
            end.request(next(posted++));
        }
    }

    private End.Request next(int i) {
        long pattern = Plan.pattern(i);
        return switch (Plan.kind(i)) {
            case SEND_IMMEDIATE -> message(i, pattern, Plan.size(i), 0);
            case WRITE -> message(i, pattern, Plan.size(i), Plan.written(i));
            case READ_BACK -> message(i, Plan.landing(i), Plan.size(i - 1), Plan.written(i));
            case WRITE_IMMEDIATE ->
                    message(i, pattern, Plan.size(i), Plan.notified(Plan.notifications(i)));
            case READ -> message(i, Plan.landing(i), Plan.size(i), pattern);
            case FETCH_ADD -> {
                originals[i % Plan.WINDOW] = counter;
                long add = i + 1L;
                counter += add;
                yield atomic(i, Plan.COUNTER, 0, add);
            }
            case COMPARE_SWAP -> {
                originals[i % Plan.WINDOW] = chain;
                long guess = chain;
                if (i / Plan.KINDS % Plan.GUESSES == Plan.GUESSES - 1) {
                    guess++;
                } else {
                    chain = Plan.swapped(i);
                }
                yield atomic(i, Plan.CHAIN, guess, Plan.swapped(i));
            }
        };
    }

    private End.Request message(int i, long offset, int length, long at) {
        return new End.Request(i, Plan.kind(i), offset, length, remote + at, rkey, 0, 0);
    }

    private End.Request atomic(int i, long at, long compare, long swapOrAdd) {
        return new End.Request(
                i,
                Plan.kind(i),
                Plan.landing(i),
                Long.BYTES,
                remote + at,
                rkey,
                compare,
                swapOrAdd);
    }

    /** The oldest request has completed. */
    void completed(int id, WcStatus status, long now) {
        if (status != WcStatus.SUCCESS || id != done) {
            throw new IllegalStateException(
                    "request %d completed as %d with %s".formatted(done, id, status));
        }
        stalls.completion(now);
        switch (Plan.kind(id)) {
            case READ_BACK ->
                    Plan.verify("READ of what was written", id - 1, end.memory(), Plan.landing(id));
            case READ -> Plan.verify("READ", id, end.memory(), Plan.landing(id));
            case FETCH_ADD, COMPARE_SWAP -> verifyOriginal(id);
            default -> {} // The peer verifies it.
        }
        done++;
    }

    private void verifyOriginal(int id) {
        long found = end.memory().get(JAVA_LONG, Plan.landing(id));
        long wanted = originals[id % Plan.WINDOW];
        if (found != wanted) {
            throw new IllegalStateException(
                    "%s %d found 0x%x, expected 0x%x".formatted(Plan.kind(id), id, found, wanted));
        }
    }
}
