package org.ringside.cli.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.record.RecordedEvent;

/** Compares what two recordings have of one connection each. */
public final class RecordingComparison {
    /**
     * Whose recording it is.
     *
     * @param driver its name in the table of arguments
     * @param file the recording
     * @param function which one of the file; empty when it has only one
     */
    public record Side(String driver, Path file, String function) {
        /**
         * Reads {@code DRIVER=FILE} or {@code DRIVER=FILE#FUNCTION}.
         *
         * @throws IllegalArgumentException when it is neither
         */
        public static Side parse(String text) {
            int equals = text.indexOf('=');
            int hash = text.lastIndexOf('#');
            int end = hash < 0 ? text.length() : hash;
            if (equals < 1 || end <= equals + 1) {
                throw new IllegalArgumentException(
                        "\"%s\" is no recording; write DRIVER=FILE or DRIVER=FILE#FUNCTION"
                                .formatted(text));
            }
            return new Side(
                    text.substring(0, equals),
                    Path.of(text.substring(equals + 1, end)),
                    hash < 0 ? "" : text.substring(hash + 1));
        }
    }

    private RecordingComparison() {}

    /**
     * Compares pairs and prints.
     *
     * @param sides two for each pair
     * @param table of arguments; null for the one that comes with this program
     * @param all whether differences of numbers and addresses are listed too
     * @return differences that nobody argued for
     * @throws IOException when a file cannot be read, or has no connection to compare
     */
    public static int run(List<Side> sides, @Nullable Path table, boolean all, PrintWriter out)
            throws IOException {
        Arguments arguments = table == null ? Arguments.builtIn() : Arguments.of(table);
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < sides.size(); i += 2) {
            Side a = sides.get(i);
            Side b = sides.get(i + 1);
            comparisons.add(Comparison.of(a.driver(), steps(a), b.driver(), steps(b), arguments));
        }
        new Report(out, all).print(comparisons, arguments);
        return comparisons.stream().mapToInt(each -> each.unargued().size()).sum();
    }

    private static Map<String, List<Step>> steps(Side side) throws IOException {
        List<RecordedEvent> events = RecordedEvent.read(side.file());
        List<String> functions = events.stream().map(RecordedEvent::function).distinct().toList();
        if (functions.isEmpty()) {
            throw new IOException("%s: nothing is recorded there".formatted(side.file()));
        }
        String function = side.function();
        if (function.isEmpty() && functions.size() == 1) {
            function = functions.getFirst();
        } else if (!functions.contains(function)) {
            throw new IOException(
                    "%s has the functions %s; name one: %s=%s#FUNCTION"
                            .formatted(
                                    side.file(),
                                    functions.stream().collect(Collectors.joining(", ")),
                                    side.driver(),
                                    side.file()));
        }
        for (Life life : Life.of(events, function)) {
            Optional<Subject> subject = Subject.in(life);
            if (subject.isPresent()) {
                return Steps.of(life, subject.get());
            }
        }
        throw new IOException(
                "%s: no RC QP of function %s reached RTS; record a driver that connects one"
                        .formatted(side.file(), function));
    }
}
