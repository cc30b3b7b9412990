package org.ringside.cli.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.ringside.cli.compare.Argument.Kind;

/** Prints a comparison: what was compared for each purpose, each difference, the sum. */
final class Report {
    private static final int LONGEST = 60;

    private final PrintWriter out;
    private final String driverA;
    private final String driverB;

    Report(PrintWriter out, String driverA, String driverB) {
        this.out = out;
        this.driverA = driverA;
        this.driverB = driverB;
    }

    /**
     * @param all whether differences that are numbers and addresses are listed too
     */
    void print(Comparison comparison, boolean all) {
        for (Map.Entry<Purpose, Comparison.Count> entry : comparison.counts().entrySet()) {
            Comparison.Count count = entry.getValue();
            out.printf(
                    "== %s: %d steps, %d fields, %d equal%n",
                    entry.getKey(), count.steps, count.fields, count.equal);
            for (Difference each : comparison.differences()) {
                if (each.purpose() == entry.getKey() && (all || isWorthALine(each))) {
                    print(each);
                }
            }
        }
        idle(comparison.idle());
        unargued(comparison.unargued());
        sum(comparison);
        out.flush();
    }

    private static boolean isWorthALine(Difference difference) {
        Argument argument = difference.argument();
        return argument == null || argument.kind() == Kind.CHOICE;
    }

    private void print(Difference each) {
        Argument argument = each.argument();
        out.printf(
                "  %s %s: %s %s, %s %s%n      %s%n",
                each.key(),
                each.field(),
                driverA,
                shortened(each.valueA()),
                driverB,
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
    private void unargued(List<Difference> differences) {
        if (!differences.isEmpty()) {
            out.println("== mend the driver, or argue in the table:");
            differences.forEach(
                    each ->
                            out.printf(
                                    "%s | %s | %s %s, %s %s | %n",
                                    each.key(),
                                    each.field(),
                                    driverA,
                                    each.valueA(),
                                    driverB,
                                    each.valueB()));
        }
    }

    private void sum(Comparison comparison) {
        int steps = 0;
        int fields = 0;
        int equal = 0;
        for (Comparison.Count count : comparison.counts().values()) {
            steps += count.steps;
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
                "%s and %s: %d fields compared in %d steps: %d equal, %d numbers, %d addresses,"
                        + " %d argued, %d unargued%n",
                driverA,
                driverB,
                fields,
                steps,
                equal,
                kinds[Kind.NUMBER.ordinal()],
                kinds[Kind.ADDRESS.ordinal()],
                kinds[Kind.CHOICE.ordinal()],
                comparison.unargued().size());
    }
}
