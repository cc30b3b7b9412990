package org.ringside.emulator.transport;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Objects by a small number. Device numbers are dense, so this is an array. */
final class NumberedTable<T> {
    private static final int MAX = 1 << 24;

    private @Nullable Object[] objects = new @Nullable Object[64];

    /** Null when there is none, whatever the number. */
    @SuppressWarnings("unchecked") // Only put() stores.
    @Nullable T get(int number) {
        @Nullable Object[] all = objects;
        return number >= 0 && number < all.length ? (T) all[number] : null;
    }

    /**
     * @throws IllegalArgumentException when the number has more than 24 bits or is taken
     */
    void put(int number, T object) {
        if (number < 0 || number >= MAX) {
            throw new IllegalArgumentException("0x%x has more than 24 bits".formatted(number));
        }
        if (number >= objects.length) {
            objects = Arrays.copyOf(objects, Integer.highestOneBit(number) * 2);
        }
        if (objects[number] != null) {
            throw new IllegalArgumentException("0x%x is taken: %s".formatted(number, object));
        }
        objects[number] = object;
    }

    void remove(int number) {
        if (number >= 0 && number < objects.length) {
            objects[number] = null;
        }
    }

    @SuppressWarnings("unchecked")
    void forEach(Consumer<T> consumer) {
        for (Object object : objects) {
            if (object != null) {
                consumer.accept((T) object);
            }
        }
    }

    void clear() {
        Arrays.fill(objects, null);
    }
}
