package org.ringside.verbs.cm.ib;

import org.jspecify.annotations.Nullable;

/** A message that is sent again until it is answered (IBTA 12.9.6). Under the manager's monitor. */
final class Resend {
    /** What we tell others how long to wait for our answers, 4.096 us times 2 to this: 537 ms. */
    static final int TIMEOUT_CODE = 17;

    /** How late our acknowledgements may be, coded likewise: 134 ms. */
    static final int ACK_DELAY_CODE = 15;

    /** How often a message goes out again. */
    static final int TIMES = 15;

    static final long NEVER = Long.MAX_VALUE;

    private static final long UNIT_NANOS = 4096;
    private static final int LONGEST_CODE = 31;

    private @Nullable Mad message;
    private int left;
    private long due = NEVER;

    /** Begins with a message that goes out now. */
    void start(Mad what, long now) {
        message = what;
        left = TIMES;
        due = now + nanos(TIMEOUT_CODE);
    }

    /** It was answered, or is given up. */
    void stop() {
        due = NEVER;
    }

    /** The other side has it, and asks for time (MRA, IBTA 12.6.6). */
    void delay(int timeoutCode, long now) {
        if (due != NEVER) {
            due = now + nanos(timeoutCode) + nanos(TIMEOUT_CODE);
        }
    }

    /** When {@link #next} is to be asked; {@link #NEVER} while nothing waits for an answer. */
    long due() {
        return due;
    }

    /** The message once more, because it is due; null when it went out often enough. */
    @Nullable Mad next(long now) {
        if (left == 0) {
            due = NEVER;
            return null;
        }
        left--;
        due = now + nanos(TIMEOUT_CODE);
        return message;
    }

    /** The message, to be sent because the other side asked again; null before {@link #start}. */
    @Nullable Mad message() {
        return message;
    }

    private static long nanos(int code) {
        return UNIT_NANOS << Math.min(code, LONGEST_CODE);
    }
}
