package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command's input or output as {@link FieldMap} takes it apart, with the register or capability
 * group inside of it. What no table covers is not lost: then {@link #RAW} has all bytes.
 *
 * @param values what is not zero, by path and place
 * @param count fields that the tables have for it, zero or not
 */
public record CommandFields(Map<String, String> values, int count) {
    /** Path of all bytes as hexadecimal digits, when the tables do not cover them all. */
    public static final String RAW = "raw";

    /** Of ACCESS_REG, QUERY_HCA_CAP and SET_HCA_CAP: bytes before the structure inside. */
    private static final int HEADER = AccessRegisterIn.LAYOUT.byteSize();

    public CommandFields {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The input, gathered from inline part and mailboxes. */
    public static CommandFields in(MemorySegment in) {
        if (in.byteSize() < CommandIn.LAYOUT.byteSize()) {
            return of(null, null, in);
        }
        int opcode = (int) CommandIn.OPCODE.get(in, 0);
        Layout layout = CommandLayouts.in(opcode);
        return of(layout == null ? CommandIn.LAYOUT : layout, CommandLayouts.inner(in, true), in);
    }

    /**
     * The output.
     *
     * @param in the input that it answers
     */
    public static CommandFields out(MemorySegment in, MemorySegment out) {
        if (in.byteSize() < CommandIn.LAYOUT.byteSize()
                || out.byteSize() < CommandOut.LAYOUT.byteSize()) {
            return of(null, null, out);
        }
        Layout layout = CommandLayouts.out((int) CommandIn.OPCODE.get(in, 0));
        return layout == null || CommandOut.STATUS.isSet(out, 0)
                ? of(CommandOut.LAYOUT, null, out)
                : of(layout, CommandLayouts.inner(in, false), out);
    }

    private static CommandFields of(
            @Nullable Layout layout, @Nullable Layout inner, MemorySegment segment) {
        Map<String, String> values = new LinkedHashMap<>();
        long length = segment.byteSize();
        int count = 0;
        boolean whole = false;
        if (layout != null) {
            long outer = inner == null ? length : Math.min(length, HEADER);
            FieldMap.collect(values, "", layout, segment, 0, outer);
            count = FieldMap.count(layout, outer);
            whole = covers(layout, inner != null, segment, length);
        }
        if (inner != null && length > HEADER) {
            long rest = length - HEADER;
            FieldMap.collect(values, inner.name() + '.', inner, segment, HEADER, rest);
            count += FieldMap.count(inner, rest);
            whole &= isClear(inner, segment, HEADER, rest);
        }
        if (!whole) {
            values.put(RAW, Decoder.hex(segment, 0, (int) length));
        }
        return new CommandFields(values, count);
    }

    private static boolean covers(
            Layout layout, boolean hasInner, MemorySegment segment, long length) {
        boolean open =
                layout.members().stream()
                        .anyMatch(
                                member ->
                                        member instanceof ArrayField list
                                                && list.count() == ArrayField.OPEN);
        long end = hasInner || open ? Math.min(length, layout.byteSize()) : length;
        return isClear(layout, segment, 0, end);
    }

    /** Whether no bit is set that the table lacks, up to its end and beyond. */
    private static boolean isClear(Layout layout, MemorySegment segment, long base, long length) {
        if (length < layout.byteSize()) {
            MemorySegment padded = MemorySegment.ofArray(new byte[layout.byteSize()]);
            MemorySegment.copy(segment, base, padded, 0, length);
            return layout.firstReservedBit(padded, 0) < 0;
        }
        if (layout.firstReservedBit(segment, base) >= 0) {
            return false;
        }
        for (long at = base + layout.byteSize(); at < base + length; at++) {
            if (segment.get(JAVA_BYTE, at) != 0) {
                return false;
            }
        }
        return true;
    }
}
