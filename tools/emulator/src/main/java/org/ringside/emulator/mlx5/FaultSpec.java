package org.ringside.emulator.mlx5;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.ringside.mlx5.layout.HealthSyndrome;

/**
 * A trouble to cause, as text: {@code KIND}, {@code KIND=VALUE}, {@code KIND=VALUE@N}.
 *
 * @param kind what happens
 * @param value how many, how long, or which, by kind
 * @param after so many more commands pass first; 0: at once
 */
public record FaultSpec(Kind kind, int value, int after) {
    /** What can happen. */
    public enum Kind {
        /** So many commands get no answer, until {@link #CLEAR}. */
        DROP_COMMAND(1, "commands that are not answered before clear"),
        /** Commands are answered so many milliseconds later. */
        DELAY_COMMAND(1000, "milliseconds before each command is answered"),
        /**
         * So many command completions are in the queue entry, but no EQE tells of them, until
         * {@link #CLEAR}.
         */
        DROP_EVENT(1, "commands that are answered without an EQE before clear"),
        /** So many CQEs are lost. */
        DROP_CQE(1, "CQEs that are lost"),
        /** The data path, and each CQE with it, stands still for so many milliseconds. */
        DELAY_CQE(1000, "milliseconds for which the data path stands still"),
        /** So many answers to commands are random bytes. */
        GARBAGE(1, "answers that are random bytes"),
        /** So many commands that make objects ask for pages in the middle. */
        ASK_PAGES(1, "object-making commands that ask for pages in the middle"),
        /** The health counter stands still. */
        STOP_HEALTH(1, "1 to stop the health counter, 0 to let it go on"),
        /** Firmware dies with this syndrome. */
        FAIL_FIRMWARE(HealthSyndrome.FW_INTERNAL_ERR, "health syndrome, 0 to start firmware anew"),
        /**
         * Another function has had firmware reset: all state is lost, the interface reads disabled
         * until a driver takes it into use.
         */
        DISABLE_NIC(1, "1 to reset firmware as another function would, 0 to enable the interface"),
        /** Registers read all ones, stores vanish. */
        ALL_ONES(1, "1 to fall off the bus, 0 to come back without state"),
        /** All state is lost at once, as by an FLR, with whatever is in flight. */
        RESET(1, "1"),
        /** Firmware starts anew by itself: all state is lost, its counter begins at 0. */
        RESTART(500, "milliseconds for which firmware, which restarts, initializes"),
        /** None of the above any more; answers and events of commands that were dropped come. */
        CLEAR(0, "0");

        private final int byDefault;
        private final String meaning;

        Kind(int byDefault, String meaning) {
            this.byDefault = byDefault;
            this.meaning = meaning;
        }

        /** As it is written on a command line. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** What the value is, and its default. */
        public String meaning() {
            return "%s (%d)".formatted(meaning, byDefault);
        }
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException with what is right
     */
    public static FaultSpec parse(String text) {
        String[] parts = text.split("@", 2);
        String[] pair = parts[0].split("=", 2);
        Kind kind =
                Arrays.stream(Kind.values())
                        .filter(each -> each.text().equals(pair[0]))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "there is no fault \"%s\"; there are %s"
                                                        .formatted(pair[0], kinds())));
        int value = pair.length == 1 ? kind.byDefault : number(text, pair[1]);
        return new FaultSpec(kind, value, parts.length == 1 ? 0 : number(text, parts[1]));
    }

    private static String kinds() {
        return Arrays.stream(Kind.values()).map(Kind::text).collect(Collectors.joining(", "));
    }

    private static int number(String text, String digits) {
        try {
            int number = Integer.decode(digits);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(text, digits);
        }
        throw wrong(text, digits);
    }

    private static IllegalArgumentException wrong(String text, String digits) {
        return new IllegalArgumentException(
                "fault \"%s\": %s is no number; write KIND, KIND=VALUE or KIND=VALUE@N, to wait for N commands"
                        .formatted(text, digits));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return kind.text() + '=' + value + (after == 0 ? "" : "@" + after);
    }
}
