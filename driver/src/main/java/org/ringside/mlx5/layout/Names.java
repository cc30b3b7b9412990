package org.ringside.mlx5.layout;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;

/** The int constants of a class by value, so that logs can show names without a second table. */
final class Names {
    private final Map<Integer, String> byValue;

    private Names(Map<Integer, String> byValue) {
        this.byValue = byValue;
    }

    static Names of(Class<?> constants) {
        Map<Integer, String> byValue = new HashMap<>();
        for (Field field : constants.getDeclaredFields()) {
            if (field.getType() == int.class && Modifier.isPublic(field.getModifiers())) {
                try {
                    String previous = byValue.put(field.getInt(null), field.getName());
                    if (previous != null) {
                        throw new IllegalStateException(
                                previous + " and " + field.getName() + " have one value");
                    }
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(field + " is public but cannot be read", e);
                }
            }
        }
        return new Names(Map.copyOf(byValue));
    }

    String name(int value) {
        return byValue.getOrDefault(value, "?");
    }
}
