package org.ringside.cli.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.ringside.cli.compare.Argument.Kind;

/** Prints a comparison: what was compared for each purpose, each difference, the sum. */
final class Report {
    private static final int LONGEST = 60;

    private final PrintWriter out;
    private final boolean all;

    /**
     * @param all whether differences that are numbers and addresses are listed too
     */
    Report(PrintWriter out, boolean all) {
        this.out = out;
        this.all = all;
    }

    void print(List<Comparison> comparisons, Arguments arguments) {
        comparisons.forEach(this::differences);
        idle(
                arguments.rows().stream()
                        .filter(row -> comparisons.stream().anyMatch(each -> each.concerns(row)))
                        .filter(row -> comparisons.stream().noneMatch(each -> each.used(row)))
                        .toList());
        comparisons.forEach(this::unargued);
        comparisons.forEach(this::sum);
        out.flush();
    }

    private void differences(Comparison comparison) {
        out.printf("== %s and %s%n", comparison.driverA(), comparison.driverB());
        for (Map.Entry<Purpose, Comparison.Count> entry : comparison.counts().entrySet()) {
            Comparison.Count count = entry.getValue();
            out.printf(
                    "== %s: %d steps, %d fields, %d equal%n",
                    entry.getKey(), count.steps, count.fields, count.equal);
            for (Difference each : comparison.differences()) {
                if (each.purpose() == entry.getKey() && (all || isWorthALine(each))) {
                    print(comparison, each);
                }
            }
        }
    }

    private static boolean isWorthALine(Difference difference) {
        Argument argument = difference.argument();
        return argument == null || argument.kind() == Kind.CHOICE;
    }

    private void print(Comparison comparison, Difference each) {
        Argument argument = each.argument();
        out.printf(
                "  %s %s: %s %s, %s %s%n      %s%n",
                each.key(),
                each.field(),
                comparison.driverA(),
                shortened(each.valueA()),
                comparison.driverB(),
                shortened(each.valueB()),
                argument == null ? "UNARGUED" : argument.reason());
    }

    private static String shortened(String value) {
        return value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "...";
    }

    private void idle(List<Argument> rows) {
        if (!rows.isEmpty()) {
            out.println("== rows of the table that nothing needed:");
            rows.forEach(
                    row -> out.printf("  line %d: %s | %s%n", row.line(), row.key(), row.field()));
        }
    }

    /** As rows of the table that lack a reason. */
    private void unargued(Comparison comparison) {
        List<Difference> differences = comparison.unargued();
        if (!differences.isEmpty()) {
            out.println("== mend the driver, or argue in the table:");
            differences.forEach(
                    each ->
                            out.printf(
                                    "%s | %s | %s %s, %s %s | %n",
                                    each.key(),
                                    each.field(),
                                    comparison.driverA(),
                                    each.valueA(),
                                    comparison.driverB(),
                                    each.valueB()));
        }
    }

    private void sum(Comparison comparison) {
        int steps = 0;
        int commands = 0;
        int fields = 0;
        int equal = 0;
        for (Comparison.Count count : comparison.counts().values()) {
            steps += count.steps;
            commands += count.commands;
            fields += count.fields;
            equal += count.equal;
        }
        int[] kinds = new int[Kind.values().length];
        for (Difference each : comparison.differences()) {
            if (each.argument() != null) {
                kinds[each.argument().kind().ordinal()]++;
            }
        }
        out.printf(
                "%s and %s: %d fields compared in %d steps, %d of them commands: %d equal, %d"
                        + " numbers, %d derived, %d addresses, %d argued, %d unargued%n",
                comparison.driverA(),
                comparison.driverB(),
                fields,
                steps,
                commands,
                equal,
                kinds[Kind.NUMBER.ordinal()],
                kinds[Kind.DERIVED.ordinal()],
                kinds[Kind.ADDRESS.ordinal()],
                kinds[Kind.CHOICE.ordinal()],
                comparison.unargued().size());
    }
}
