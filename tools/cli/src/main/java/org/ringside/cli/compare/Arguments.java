package org.ringside.cli.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ringside.cli.compare.Argument.Kind;

/**
 * The table of arguments. A row has four columns, with {@code |} between them: key, field, {@code
 * number}, {@code derived} or {@code address}, or each driver with its value, reason. {@code #}
 * starts a comment.
 *
 * <pre>
 *   *         | entry.token     | number                 | handed out anew for each command
 *   CREATE_CQ | cq_context.oi   | ringside -, linux 1    | ...
 * </pre>
 */
final class Arguments {
    private static final String RESOURCE = "arguments.txt";
    private static final int COLUMNS = 4;

    private final List<Argument> rows = new ArrayList<>();

    private Arguments(BufferedReader reader, String name) throws IOException {
        String line = reader.readLine();
        for (int number = 1; line != null; number++) {
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                try {
                    rows.add(row(text, number));
                } catch (IllegalArgumentException e) {
                    throw new IOException(name + ":" + number + ": " + e.getMessage(), e);
                }
            }
            line = reader.readLine();
        }
    }

    /** The project's own. */
    static Arguments builtIn() throws IOException {
        InputStream resource = Arguments.class.getResourceAsStream(RESOURCE);
        if (resource == null) {
            throw new IOException("the jar lacks " + RESOURCE + "; build it anew");
        }
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            return new Arguments(reader, RESOURCE);
        }
    }

    static Arguments of(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return new Arguments(reader, file.toString());
        }
    }

    List<Argument> rows() {
        return rows;
    }

    private static Argument row(String text, int line) {
        String[] columns = text.split("\\|", COLUMNS);
        if (columns.length != COLUMNS || columns[COLUMNS - 1].isBlank()) {
            throw new IllegalArgumentException(
                    "a row is KEY | FIELD | WHAT | REASON, not \"" + text + '"');
        }
        String what = columns[2].strip();
        Kind kind =
                Arrays.stream(Kind.values())
                        .filter(each -> each != Kind.CHOICE && each.text().equals(what))
                        .findFirst()
                        .orElse(Kind.CHOICE);
        return new Argument(
                columns[0].strip(),
                columns[1].strip(),
                kind,
                kind == Kind.CHOICE ? values(what) : Map.of(),
                columns[COLUMNS - 1].strip(),
                line);
    }

    private static Map<String, String> values(String what) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String each : what.split(", ", -1)) {
            String[] words = each.strip().split(" +", 2);
            if (words.length != 2) {
                throw new IllegalArgumentException(
                        "\"%s\" is neither number nor derived nor address nor DRIVER VALUE, DRIVER VALUE"
                                .formatted(what));
            }
            values.put(words[0], words[1]);
        }
        return values;
    }
}
