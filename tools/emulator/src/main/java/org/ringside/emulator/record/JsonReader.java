package org.ringside.emulator.record;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads what {@link JsonLine} writes: an object of numbers, strings, and objects of strings. */
final class JsonReader {
    private static final int HEX_DIGITS = 4;
    private static final int HEX = 16;

    private final String text;
    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    RecordedEvent event(int line) {
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, Map<String, String>> parts = new LinkedHashMap<>();
        expect('{');
        while (!taken('}')) {
            String key = key();
            if (peek() == '{') {
                parts.put(key, strings());
            } else {
                values.put(key, peek() == '"' ? string() : number());
            }
            separator();
        }
        if (at != text.length()) {
            throw wrong("nothing");
        }
        return new RecordedEvent(line, values, parts);
    }

    private Map<String, String> strings() {
        Map<String, String> strings = new LinkedHashMap<>();
        expect('{');
        while (!taken('}')) {
            strings.put(key(), string());
            separator();
        }
        return strings;
    }

    private String key() {
        String key = string();
        expect(':');
        return key;
    }

    /** A comma, unless the object ends here. */
    private void separator() {
        if (peek() != '}') {
            expect(',');
        }
    }

    private String number() {
        int start = at;
        while ("+-.0123456789eE".indexOf(peek()) >= 0) {
            at++;
        }
        if (start == at) {
            throw wrong("a value");
        }
        return text.substring(start, at);
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c != '\\') {
                string.append(c);
            } else if (peek() != 'u') {
                string.append(text.charAt(at++));
            } else if (at + HEX_DIGITS < text.length()) {
                at++;
                string.append((char) Integer.parseInt(text, at, at + HEX_DIGITS, HEX));
                at += HEX_DIGITS;
            } else {
                throw wrong("4 digits");
            }
        }
        at++;
        return string.toString();
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private boolean taken(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char c) {
        if (!taken(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("column %d wants %s".formatted(at + 1, wanted));
    }
}
