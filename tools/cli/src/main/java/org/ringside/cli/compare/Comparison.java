package org.ringside.cli.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Two drivers' steps side by side: equal keys are paired in order, equal paths are compared. */
final class Comparison {
    /** Whether a step is there, or how many. */
    static final String WHOLE = "*";

    /** Where among the commands of both a command comes. */
    static final String ORDER = "order";

    private static final String PRESENT = "present";

    /** What was compared for a purpose. */
    static final class Count {
        int steps;
        int commands;
        int fields;
        int equal;
    }

    private final String driverA;
    private final String driverB;
    private final Arguments arguments;
    private final List<Difference> differences = new ArrayList<>();
    private final Set<Argument> used = new LinkedHashSet<>();
    private final Map<Purpose, Count> counts = new EnumMap<>(Purpose.class);

    private Comparison(String driverA, String driverB, Arguments arguments) {
        this.driverA = driverA;
        this.driverB = driverB;
        this.arguments = arguments;
    }

    static Comparison of(
            String driverA,
            Map<String, List<Step>> a,
            String driverB,
            Map<String, List<Step>> b,
            Arguments arguments) {
        Comparison comparison = new Comparison(driverA, driverB, arguments);
        Set<String> keys = new LinkedHashSet<>(a.keySet());
        keys.addAll(b.keySet());
        for (String key : keys) {
            comparison.pair(a.getOrDefault(key, List.of()), b.getOrDefault(key, List.of()));
        }
        comparison.order(a, b);
        return comparison;
    }

    /** The n-th of one with the n-th of the other; what is left over is a difference of its own. */
    private void pair(List<Step> a, List<Step> b) {
        Step first = a.isEmpty() ? b.getFirst() : a.getFirst();
        Count count = counts.computeIfAbsent(first.purpose(), purpose -> new Count());
        int both = Math.min(a.size(), b.size());
        for (int i = 0; i < both; i++) {
            count.steps++;
            count.commands += a.get(i).isOrdered() ? 1 : 0;
            fields(count, a.get(i), b.get(i));
        }
        if (a.size() != b.size()) {
            count.fields++;
            differ(first, WHOLE, times(a.size()), times(b.size()));
        }
    }

    /** Where a command of both first comes. */
    private void order(Map<String, List<Step>> a, Map<String, List<Step>> b) {
        Order.differences(ordered(a), ordered(b))
                .forEach(
                        (key, places) ->
                                differ(
                                        a.getOrDefault(key, List.of()).getFirst(),
                                        ORDER,
                                        places.getFirst(),
                                        places.getLast()));
    }

    private static Set<String> ordered(Map<String, List<Step>> steps) {
        Set<String> keys = new LinkedHashSet<>();
        steps.forEach(
                (key, each) -> {
                    if (each.getFirst().isOrdered()) {
                        keys.add(key);
                    }
                });
        return keys;
    }

    private static String times(int number) {
        return number == 0 ? Argument.ABSENT : number == 1 ? PRESENT : number + "x";
    }

    private void fields(Count count, Step a, Step b) {
        Set<String> paths = new LinkedHashSet<>(a.fields().keySet());
        paths.addAll(b.fields().keySet());
        int different = 0;
        for (String path : paths) {
            String valueA = a.fields().get(path);
            String valueB = b.fields().get(path);
            if (!Objects.equals(valueA, valueB)) {
                different++;
                differ(a, path, orAbsent(valueA), orAbsent(valueB));
            }
        }
        int all = Math.max(paths.size(), Math.max(a.count(), b.count()));
        count.fields += all;
        count.equal += all - different;
    }

    private static String orAbsent(@Nullable String value) {
        return value == null ? Argument.ABSENT : value;
    }

    private void differ(Step step, String path, String valueA, String valueB) {
        Argument found = null;
        for (Argument row : arguments.rows()) {
            if (found == null
                    && row.isAbout(step.key(), path)
                    && row.holds(driverA, valueA, driverB, valueB)) {
                found = row;
                used.add(row);
            }
        }
        differences.add(new Difference(step.purpose(), step.key(), path, valueA, valueB, found));
    }

    List<Difference> differences() {
        return differences;
    }

    List<Difference> unargued() {
        return differences.stream().filter(each -> each.argument() == null).toList();
    }

    Map<Purpose, Count> counts() {
        return counts;
    }

    /** Whether some difference needed a row. */
    boolean used(Argument row) {
        return used.contains(row);
    }

    /** Whether a row, did it hold, would be about these two drivers. */
    boolean concerns(Argument row) {
        return row.isFor(driverA, driverB);
    }

    String driverA() {
        return driverA;
    }

    String driverB() {
        return driverB;
    }
}
