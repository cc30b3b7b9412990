package org.ringside.emulator.mlx5;

import java.util.Locale;

/**
 * Ends a command with a status. Without a stack trace: it is an answer, not a fault of the model.
 */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String text;

    public Refusal(Reason reason, String text) {
        super(text, null, false, false);
        this.reason = reason;
        this.text = text;
    }

    /** As {@link String#format}. */
    public static Refusal of(Reason reason, String format, Object... arguments) {
        return new Refusal(reason, String.format(Locale.ROOT, format, arguments));
    }

    /** What was wrong with what. */
    public String text() {
        return text;
    }

    public Reason reason() {
        return reason;
    }
}
