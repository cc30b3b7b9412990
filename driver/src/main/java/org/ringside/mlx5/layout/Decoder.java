package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/**
 * Turns a structure in memory into a line for a log: only what is not zero, since most of each
 * structure is.
 */
final class Decoder {
    /** Elements of an open list that are printed before the count replaces the rest. */
    private static final int LIST_SHOWN = 4;

    /** Byte arrays up to this size (a GID, an inline message) are printed whole. */
    private static final int BYTES_SHOWN = 16;

    private Decoder() {}

    static String decode(Layout layout, MemorySegment segment, long base, long length) {
        StringBuilder text = new StringBuilder(layout.name()).append('{');
        append(text, layout, segment, base, length);
        if (length >= layout.byteSize()) {
            long stray = layout.firstReservedBit(segment, base);
            if (stray >= 0) {
                separate(text).append("RESERVED ").append(Layout.place(stray));
            }
        }
        return text.append('}').toString();
    }

    private static void append(
            StringBuilder text, Layout layout, MemorySegment segment, long base, long length) {
        for (Member member : layout.members()) {
            switch (member) {
                case Field field -> {
                    boolean whole = field.bitOffset() + field.bitWidth() <= length * Byte.SIZE;
                    long value = whole ? field.get(segment, base) : 0;
                    if (value != 0) {
                        separate(text).append(field.name()).append('=').append(field.format(value));
                    }
                }
                case ArrayField array -> appendArray(text, array, segment, base, length);
                case StructField struct -> {
                    for (int i = 0; i < struct.count(length); i++) {
                        appendStruct(text, struct, i, segment, base + struct.offset(i));
                    }
                }
            }
        }
    }

    private static void appendStruct(
            StringBuilder text, StructField struct, int index, MemorySegment segment, long at) {
        StringBuilder inner = new StringBuilder("{");
        append(inner, struct.layout(), segment, at, struct.layout().byteSize());
        if (inner.length() > 1) {
            separate(text).append(struct.name());
            if (struct.count() != 1) {
                text.append('[').append(index).append(']');
            }
            text.append('=').append(inner).append('}');
        }
    }

    private static void appendArray(
            StringBuilder text, ArrayField array, MemorySegment segment, long base, long length) {
        int count = array.count(length);
        int used = count;
        while (used > 0 && array.get(segment, base, used - 1) == 0) {
            used--;
        }
        if (used == 0) {
            return;
        }
        separate(text).append(array.name());
        if (array.elementBytes() == 1 && count <= BYTES_SHOWN) {
            text.append('=').append(hex(segment, base + array.offset(), count));
        } else if (array.elementBytes() == 1) {
            text.append("=<").append(count).append(" bytes>");
        } else {
            int total = array.count() == ArrayField.OPEN ? count : used;
            text.append('[').append(total).append("]=");
            for (int i = 0; i < Math.min(total, LIST_SHOWN); i++) {
                text.append(i == 0 ? "0x" : ",0x");
                text.append(Long.toHexString(array.get(segment, base, i)));
            }
            text.append(total > LIST_SHOWN ? ",..." : "");
        }
    }

    static String hex(MemorySegment segment, long at, int count) {
        byte[] bytes = new byte[count];
        MemorySegment.copy(segment, JAVA_BYTE, at, bytes, 0, count);
        return HexFormat.of().formatHex(bytes);
    }

    private static StringBuilder separate(StringBuilder text) {
        return text.charAt(text.length() - 1) == '{' ? text : text.append(' ');
    }
}
