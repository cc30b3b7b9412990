package org.ringside.cli.compare;

import org.jspecify.annotations.Nullable;

/**
 * Something that two drivers say differently.
 *
 * @param purpose of the step
 * @param key of the step
 * @param field path; {@code *} when only one driver has the step at all
 * @param valueA what one says, {@link Argument#ABSENT} for zero or not there
 * @param valueB what the other says
 * @param argument the row of the table that holds; null when there is none
 */
record Difference(
        Purpose purpose,
        String key,
        String field,
        String valueA,
        String valueB,
        @Nullable Argument argument) {}
