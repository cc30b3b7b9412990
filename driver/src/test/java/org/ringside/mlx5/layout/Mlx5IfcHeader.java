package org.ringside.mlx5.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Linux's mlx5_ifc.h, in which a structure's members have a byte per bit of the device's
 * structure, and works out where each named field lies. Independent of the tables that it is to
 * judge.
 */
final class Mlx5IfcHeader {
    /**
     * A named field: bits from the structure's start; all elements together, 0 for an open array.
     */
    record Place(long bitOffset, long bitWidth) {}

    private record Type(boolean union, String body) {}

    private static final Pattern TYPE =
            Pattern.compile(
                    "^(struct|union)\\s+mlx5_ifc_(\\w+)_bits\\s*\\{(.*?)^\\};",
                    Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern TOKEN = Pattern.compile("[{};]|[^{};]+");
    private static final Pattern ARRAY =
            Pattern.compile("u8\\s+(\\w+)\\s*((?:\\[[^\\]]*\\]\\s*)+)");
    private static final Pattern NESTED =
            Pattern.compile(
                    "(?:struct|union)\\s+mlx5_ifc_(\\w+)_bits\\s+(\\w+)\\s*(?:\\[(.*)\\])?");
    private static final Pattern DIMENSION = Pattern.compile("\\[([^\\]]*)\\]");

    private static final Pattern ENUMERATOR =
            Pattern.compile("\\b(\\w+)\\s*=\\s*(0x[0-9a-fA-F]+)\\s*,");

    private final Map<String, Type> types = new HashMap<>();
    private final Map<String, Integer> enumerators = new LinkedHashMap<>();
    private final Map<String, Long> sizes = new HashMap<>();

    Mlx5IfcHeader(Path file) throws IOException {
        String text =
                Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL)
                        .matcher(Files.readString(file))
                        .replaceAll("")
                        .replaceAll("//[^\\n]*", "");
        Matcher matcher = TYPE.matcher(text);
        while (matcher.find()) {
            types.put(
                    matcher.group(2), new Type(matcher.group(1).equals("union"), matcher.group(3)));
        }
        Matcher enumerator = ENUMERATOR.matcher(text);
        while (enumerator.find()) {
            enumerators.put(enumerator.group(1), Integer.decode(enumerator.group(2)));
        }
    }

    /** Enumerators with a hexadecimal value whose name starts so, without that start. */
    Map<String, Integer> enumerators(String prefix) {
        Map<String, Integer> found = new LinkedHashMap<>();
        enumerators.forEach(
                (name, value) -> {
                    if (name.startsWith(prefix)) {
                        found.put(name.substring(prefix.length()), value);
                    }
                });
        return found;
    }

    boolean has(String type) {
        return types.containsKey(type);
    }

    int count() {
        return types.size();
    }

    /** Bits; 0 for types of other headers, which only unions with a larger member use. */
    long size(String type) {
        Long known = sizes.get(type);
        if (known == null) {
            known = types.containsKey(type) ? parse(type, new LinkedHashMap<>()) : 0;
            sizes.put(type, known);
        }
        return known;
    }

    /** The named fields in order; reserved ones have none. */
    Map<String, Place> fields(String type) {
        Map<String, Place> fields = new LinkedHashMap<>();
        parse(type, fields);
        return fields;
    }

    private long parse(String name, Map<String, Place> fields) {
        Type type = types.get(name);
        Deque<String> tokens = new ArrayDeque<>();
        Matcher matcher = TOKEN.matcher(type.body());
        while (matcher.find()) {
            String token = matcher.group().strip();
            if (!token.isEmpty() && !token.equals(";")) {
                tokens.add(token);
            }
        }
        return block(tokens, type.union(), 0, fields);
    }

    /** Members up to the closing brace; where the block ends. */
    private long block(Deque<String> tokens, boolean union, long start, Map<String, Place> fields) {
        long next = start;
        long end = start;
        while (!tokens.isEmpty()) {
            String token = tokens.remove();
            if (token.equals("}")) {
                break;
            }
            long at = union ? start : next;
            if ("{".equals(tokens.peek())) {
                tokens.remove();
                next = block(tokens, token.startsWith("union"), at, fields);
            } else {
                next = at + member(token, at, fields);
            }
            end = Math.max(end, next);
        }
        return end;
    }

    private long member(String declaration, long at, Map<String, Place> fields) {
        Matcher array = ARRAY.matcher(declaration);
        if (array.matches()) {
            long bits = 1;
            Matcher dimension = DIMENSION.matcher(array.group(2));
            while (dimension.find()) {
                bits *= number(dimension.group(1));
            }
            return named(array.group(1), at, bits, fields);
        }
        Matcher nested = NESTED.matcher(declaration);
        if (nested.matches()) {
            String count = nested.group(3);
            long bits = size(nested.group(1)) * (count == null ? 1 : number(count));
            return named(nested.group(2), at, bits, fields);
        }
        throw new IllegalStateException("not understood in mlx5_ifc.h: " + declaration);
    }

    private static long named(String name, long at, long bits, Map<String, Place> fields) {
        if (!name.startsWith("reserved")) {
            fields.put(name, new Place(at, bits));
        }
        return bits;
    }

    private static long number(String text) {
        String digits = text.strip();
        return digits.isEmpty() ? 0 : Long.decode(digits);
    }
}
