package org.ringside.vfio.user;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON (RFC 8259) of a VERSION message: objects become maps, arrays lists, numbers {@link
 * BigDecimal}, null {@link #NULL}. Nesting is limited, as the text is a stranger's.
 */
final class Json {
    /** The value null. */
    static final Object NULL = new Object();

    private static final int MAX_DEPTH = 32;
    private static final int MAX_DIGITS = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The one value that the text holds. */
    static Object parse(String text) throws ProtocolException {
        Json json = new Json(text);
        Object value = json.value(0);
        json.blanks();
        if (json.at != text.length()) {
            throw json.error("the end");
        }
        return value;
    }

    private Object value(int depth) throws ProtocolException {
        if (depth > MAX_DEPTH) {
            throw error("at most " + MAX_DEPTH + " levels");
        }
        blanks();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", NULL);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) throws ProtocolException {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        blanks();
        if (skip('}')) {
            return members;
        }
        do {
            blanks();
            String name = string();
            blanks();
            expect(':');
            members.put(name, value(depth + 1));
            blanks();
        } while (skip(','));
        expect('}');
        return members;
    }

    private List<Object> array(int depth) throws ProtocolException {
        List<Object> elements = new ArrayList<>();
        expect('[');
        blanks();
        if (skip(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
            blanks();
        } while (skip(','));
        expect(']');
        return elements;
    }

    private String string() throws ProtocolException {
        StringBuilder string = new StringBuilder();
        expect('"');
        while (!skip('"')) {
            char c = peek();
            if (c < ' ') {
                throw error("no control character");
            }
            at++;
            string.append(c == '\\' ? escape() : c);
        }
        return string.toString();
    }

    private char escape() throws ProtocolException {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw error("an escape");
        };
    }

    private char unicode() throws ProtocolException {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0) {
                throw error("a hexadecimal digit");
            }
            code = code << 4 | digit;
            at++;
        }
        return (char) code;
    }

    private BigDecimal number() throws ProtocolException {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            if (at - from <= MAX_DIGITS) {
                return new BigDecimal(text.substring(from, at));
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number that is too long.
        }
        at = from;
        throw error("a value");
    }

    private Object word(String word, Object meaning) throws ProtocolException {
        if (!text.startsWith(word, at)) {
            throw error("a value");
        }
        at += word.length();
        return meaning;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws ProtocolException {
        if (at == text.length()) {
            throw error("more");
        }
        return text.charAt(at);
    }

    private boolean skip(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) throws ProtocolException {
        if (!skip(c)) {
            throw error("'" + c + "'");
        }
    }

    private ProtocolException error(String expected) {
        return new ProtocolException(
                "JSON of VERSION: %s expected at character %d".formatted(expected, at));
    }

    /** The member of that name when there is one of that type. */
    static <T> @Nullable T member(Map<?, ?> object, String name, Class<T> type)
            throws ProtocolException {
        Object value = object.get(name);
        if (value == null) {
            return null;
        }
        if (!type.isInstance(value)) {
            throw new ProtocolException("JSON of VERSION: %s has the wrong type".formatted(name));
        }
        return type.cast(value);
    }
}
