package org.ringside.emulator.record;

import java.util.Map;

/** One JSON object on one line, made from left to right. */
final class JsonLine {
    private static final int FIRST_PLAIN = 0x20;
    private final StringBuilder text = new StringBuilder("{");

    /** Adds a number as it is. */
    JsonLine number(String key, String value) {
        key(text, key).append(value);
        return this;
    }

    JsonLine put(String key, String value) {
        quote(key(text, key), value);
        return this;
    }

    JsonLine put(String key, long value) {
        return put(key, Long.toString(value));
    }

    JsonLine put(String key, Map<String, String> values) {
        key(text, key).append('{');
        values.forEach((inner, value) -> quote(key(text, inner), value));
        text.append('}');
        return this;
    }

    private static StringBuilder key(StringBuilder to, String key) {
        if (to.charAt(to.length() - 1) != '{') {
            to.append(',');
        }
        return quote(to, key).append(':');
    }

    private static StringBuilder quote(StringBuilder to, String text) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < FIRST_PLAIN) {
                to.append("\\u%04x".formatted((int) c));
            } else {
                to.append(c);
            }
        }
        return to.append('"');
    }

    @Override
    public String toString() {
        return text + "}";
    }
}
