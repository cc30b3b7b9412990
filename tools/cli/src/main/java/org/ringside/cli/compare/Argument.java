package org.ringside.cli.compare;

import java.util.Locale;
import java.util.Map;

/**
 * Why a field may differ: a row of the table.
 *
 * @param key of the step; {@code *} for any
 * @param field path; {@code *} for the step as a whole, being there on one side only
 * @param kind what sort of value it is
 * @param values of a {@link Kind#CHOICE}: what each driver says, {@link #ABSENT} for zero or not
 *     there, {@link #ANY} for anything
 * @param reason the argument
 * @param line in the table
 */
record Argument(
        String key, String field, Kind kind, Map<String, String> values, String reason, int line) {
    static final String ANY = "*";
    static final String ABSENT = "-";

    /** What sort of value differs. */
    enum Kind {
        /**
         * A number that was handed out, or a counter: which one says nothing, but both have one.
         */
        NUMBER,
        /** What follows from other fields that are compared, zero too. */
        DERIVED,
        /** Addresses that a driver took from its own space; none is zero. */
        ADDRESS,
        /** What each driver decided: both values are in the row. */
        CHOICE;

        /** As the table has it. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the row is about a field. */
    boolean isAbout(String stepKey, String path) {
        return (key.equals(ANY) || key.equals(stepKey)) && field.equals(path);
    }

    /** Whether it holds for what two drivers say. */
    boolean holds(String driverA, String valueA, String driverB, String valueB) {
        return switch (kind) {
            case DERIVED -> true;
            case NUMBER -> !valueA.equals(ABSENT) && !valueB.equals(ABSENT);
            case ADDRESS -> isAddress(valueA) && isAddress(valueB);
            case CHOICE -> allows(driverA, valueA) && allows(driverB, valueB);
        };
    }

    /** Whether it is about a pair of drivers. */
    boolean isFor(String driverA, String driverB) {
        return kind != Kind.CHOICE || values.containsKey(driverA) && values.containsKey(driverB);
    }

    private boolean allows(String driver, String value) {
        String allowed = values.get(driver);
        return allowed != null && (allowed.equals(ANY) || allowed.equals(value));
    }

    private static boolean isAddress(String value) {
        for (String each : value.split(",", -1)) {
            if (each.equals(ABSENT) || each.equals("0x0") || each.equals("0")) {
                return false;
            }
        }
        return true;
    }
}
