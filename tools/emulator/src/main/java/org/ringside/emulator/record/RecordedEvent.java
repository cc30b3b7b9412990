package org.ringside.emulator.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One line of a recording.
 *
 * @param line its number in the file, from 1
 * @param values what is text, such as kind and name
 * @param parts what is made of fields, such as in and out
 */
public record RecordedEvent(
        int line, Map<String, String> values, Map<String, Map<String, String>> parts) {
    /** A file's events, in order. */
    public static List<RecordedEvent> read(Path file) throws IOException {
        List<RecordedEvent> events = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String text = reader.readLine();
            for (int number = 1; text != null; number++) {
                try {
                    events.add(new JsonReader(text).event(number));
                } catch (IllegalArgumentException e) {
                    throw new IOException(
                            "%s:%d is no line of a recording: %s"
                                    .formatted(file, number, e.getMessage()),
                            e);
                }
                text = reader.readLine();
            }
        }
        return events;
    }

    /** Function that it belongs to. */
    public String function() {
        return value("fn");
    }

    /** Such as command, write, doorbell, eqe. */
    public String kind() {
        return value("kind");
    }

    /** Of the command, register, doorbell or event. */
    public String name() {
        return value("name");
    }

    /** A value; empty when there is none. */
    public String value(String key) {
        return values.getOrDefault(key, "");
    }

    /** The fields of a part that are not zero; none when there is no such part. */
    public Map<String, String> part(String key) {
        return parts.getOrDefault(key, Map.of());
    }
}
