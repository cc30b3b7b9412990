package org.ringside.mlx5.layout;

import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * Takes a structure apart into text by path, such as {@code qpc.primary_address_path.rlid=0x2}, for
 * recordings: everything that is not zero, with nothing shortened.
 *
 * <p>Numbers are as logs show them, with the manual's name where it gives one: {@code 7}, {@code
 * 0x1f}, {@code RTS(3)}. Bytes are hexadecimal digits in the order of memory; rows of numbers have
 * commas between them.
 */
public final class FieldMap {
    private FieldMap() {}

    /**
     * Adds the fields of a structure that are not zero.
     *
     * @param into gets path and value, by place
     * @param prefix of each path; empty or with a dot at its end
     * @param length bytes that there are; nothing beyond is read
     */
    public static void collect(
            Map<String, String> into,
            String prefix,
            Layout layout,
            MemorySegment segment,
            long base,
            long length) {
        for (Member member : layout.members()) {
            String path = prefix + member.name();
            switch (member) {
                case Field field -> {
                    if (isWithin(field, length) && field.isSet(segment, base)) {
                        into.put(path, field.format(field.get(segment, base)));
                    }
                }
                case ArrayField array -> {
                    String text = text(array, segment, base, array.count(length));
                    if (!text.isEmpty()) {
                        into.put(path, text);
                    }
                }
                case StructField struct -> {
                    for (int i = 0; i < struct.count(length); i++) {
                        String inner = struct.count() == 1 ? path : path + '[' + i + ']';
                        Layout layoutOfInner = struct.layout();
                        collect(
                                into,
                                inner + '.',
                                layoutOfInner,
                                segment,
                                base + struct.offset(i),
                                layoutOfInner.byteSize());
                    }
                }
            }
        }
    }

    /** How many fields a structure of so many bytes has; a row of numbers is one. */
    public static int count(Layout layout, long length) {
        int count = 0;
        for (Member member : layout.members()) {
            count +=
                    switch (member) {
                        case Field field -> isWithin(field, length) ? 1 : 0;
                        case ArrayField array -> array.count(length) > 0 ? 1 : 0;
                        case StructField struct ->
                                struct.count(length)
                                        * count(struct.layout(), struct.layout().byteSize());
                    };
        }
        return count;
    }

    private static boolean isWithin(Field field, long length) {
        return field.bitOffset() + field.bitWidth() <= length * Byte.SIZE;
    }

    /** Empty when all elements are zero. */
    private static String text(ArrayField array, MemorySegment segment, long base, int count) {
        int used = count;
        while (used > 0 && array.get(segment, base, used - 1) == 0) {
            used--;
        }
        if (used == 0) {
            return "";
        }
        if (array.elementBytes() == 1) {
            return Decoder.hex(segment, base + array.offset(), count);
        }
        int shown = array.count() == ArrayField.OPEN ? count : used;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < shown; i++) {
            text.append(i == 0 ? "0x" : ",0x");
            text.append(Long.toHexString(array.get(segment, base, i)));
        }
        return text.toString();
    }
}
