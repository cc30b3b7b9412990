package org.ringside.verbs;

/** Argument checks of the slow path, one wording for all. */
final class Checks {
    private Checks() {}

    static void bits(String what, long value, int width) {
        if (value >>> width != 0) {
            throw new IllegalArgumentException(
                    "%s 0x%x does not fit in %d bits".formatted(what, value, width));
        }
    }

    static void range(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s is %d, expected %d to %d".formatted(what, value, least, most));
        }
    }

    static void limit(String what, long value, long least, long most) throws VerbsException {
        if (value < least || value > most) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s is %d, this device takes %d to %d".formatted(what, value, least, most));
        }
    }
}
