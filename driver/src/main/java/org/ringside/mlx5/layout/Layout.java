package org.ringside.mlx5.layout;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The table of one device structure: what the driver fills in, what the emulator reads, what a log
 * shows. Each subclass is one table of the manual, with its fields as constants in the manual's
 * order. A place is a dword's byte offset and its bits, most significant first, as in {@code
 * 0x08:31-29}; memory is big endian.
 *
 * <p>Two fields cannot share a bit: that, and a field outside the structure, fails when the class
 * is loaded. Immutable once its class is initialized, so any thread may use it.
 */
public abstract class Layout {
    private static final int FULL = -1;

    private final String name;
    private final int byteSize;
    private final List<Member> members = new ArrayList<>();

    /** Per dword, the bits that some member covers. */
    private final int[] covered;

    /**
     * @param name the manual's name, in lower case
     * @param byteSize of the fixed part; a multiple of 4
     */
    protected Layout(String name, int byteSize) {
        if (byteSize <= 0 || byteSize % Integer.BYTES != 0) {
            throw new IllegalArgumentException(name + ": " + byteSize + " bytes");
        }
        this.name = name;
        this.byteSize = byteSize;
        this.covered = new int[byteSize / Integer.BYTES];
    }

    /** The manual's name, in lower case. */
    public final String name() {
        return name;
    }

    /** Bytes of the fixed part: without what open lists hold. */
    public final int byteSize() {
        return byteSize;
    }

    /** Everything that has a name, by place. */
    public final List<Member> members() {
        List<Member> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.comparingLong(Member::bitOffset));
        return sorted;
    }

    /** The plain numbers among {@link #members()}, by place. */
    public final List<Field> fields() {
        return members().stream().filter(Field.class::isInstance).map(Field.class::cast).toList();
    }

    /** Zeroes the fixed part. */
    public final void clear(MemorySegment segment, long base) {
        segment.asSlice(base, byteSize).fill((byte) 0);
    }

    /**
     * The first set bit that belongs to no field, neither here nor in an inner structure; −1 when
     * there is none. Open lists are not looked at. Devices refuse such bits (delivery status 9)
     * because they may get a meaning later.
     *
     * @return counted from 0x00:31; {@link #place} prints it
     */
    public final long firstReservedBit(MemorySegment segment, long base) {
        for (int i = 0; i < covered.length; i++) {
            int stray = segment.get(Field.BE32, base + (long) i * Integer.BYTES) & ~covered[i];
            if (stray != 0) {
                return (long) i * Integer.SIZE + Integer.numberOfLeadingZeros(stray);
            }
        }
        return -1;
    }

    /** A bit number of {@link #firstReservedBit} as the manual writes it: {@code 0x4c:31}. */
    public static String place(long bit) {
        return "0x%x:%d".formatted(bit / Integer.SIZE * Integer.BYTES, 31 - bit % Integer.SIZE);
    }

    /**
     * Name and value of each member that is not zero, by place, on one line: {@code qpc{st=3
     * pd=0x15}}.
     */
    public final String decode(MemorySegment segment, long base) {
        return decode(segment, base, byteSize);
    }

    /**
     * As {@link #decode(MemorySegment, long)} with the elements of open lists.
     *
     * @param length bytes that there are, with the list; fewer than {@link #byteSize()} is fine, as
     *     when a command fails and only the start of its answer is written. Nothing beyond is read
     */
    public final String decode(MemorySegment segment, long base, long length) {
        return Decoder.decode(this, segment, base, length);
    }

    /** A number of {@code msb - lsb + 1} bits in one dword. */
    final Field field(String field, int dword, int msb, int lsb) {
        return add(dword, msb, lsb, field, null);
    }

    /** A number whose values have names. */
    final Field field(String field, int dword, int msb, int lsb, IntFunction<String> names) {
        return add(dword, msb, lsb, field, names);
    }

    /** A flag. */
    final Field bit(String field, int dword, int bit) {
        return add(dword, bit, bit, field, null);
    }

    /** A number of 32 bits. */
    final Field dword(String field, int dword) {
        return add(dword, 31, 0, field, null);
    }

    /** A number of 64 bits: high dword first. */
    final Field qword(String field, int dword) {
        cover(field, dword, FULL);
        cover(field, dword + Integer.BYTES, FULL);
        return add(new Field(field, dword, 0, Long.SIZE, null));
    }

    /** Bytes whose meaning depends on something else, or that are no number. */
    final ArrayField bytes(String field, int offset, int count) {
        return array(field, offset, Byte.SIZE, count);
    }

    /** A row of numbers. */
    final ArrayField array(String field, int offset, int elementBits, int count) {
        coverBytes(field, offset, elementBits / Byte.SIZE * count);
        return add(new ArrayField(field, offset, elementBits, count));
    }

    /** Numbers to the end of the command. */
    final ArrayField list(String field, int offset, int elementBits) {
        return add(new ArrayField(field, offset, elementBits, ArrayField.OPEN));
    }

    /** An inner structure. */
    final StructField struct(String field, int offset, Layout inner) {
        return structs(field, offset, inner, 1);
    }

    /** Inner structures in a row. */
    final StructField structs(String field, int offset, Layout inner, int count) {
        for (int n = 0; n < count; n++) {
            for (int i = 0; i < inner.covered.length; i++) {
                cover(field, offset + n * inner.byteSize + i * Integer.BYTES, inner.covered[i]);
            }
        }
        return add(new StructField(field, offset, inner, count));
    }

    /** Inner structures to the end of the command. */
    final StructField structList(String field, int offset, Layout inner) {
        return add(new StructField(field, offset, inner, StructField.OPEN));
    }

    private Field add(
            int dword, int msb, int lsb, String field, @Nullable IntFunction<String> names) {
        if (lsb < 0 || msb < lsb || msb > 31) {
            throw new IllegalArgumentException(name + "." + field + ": bits " + msb + "-" + lsb);
        }
        int width = msb - lsb + 1;
        cover(field, dword, (int) (((1L << width) - 1) << lsb));
        return add(new Field(field, dword, lsb, width, names));
    }

    private <M extends Member> M add(M member) {
        members.add(member);
        return member;
    }

    private void coverBytes(String field, int offset, int bytes) {
        for (int i = offset; i < offset + bytes; i++) {
            cover(field, i & ~3, 0xff << (24 - i % Integer.BYTES * Byte.SIZE));
        }
    }

    private void cover(String field, int dword, int bits) {
        if (dword < 0 || dword % Integer.BYTES != 0 || dword >= byteSize) {
            throw new IllegalArgumentException(
                    "%s.%s: no dword at 0x%x in %d bytes".formatted(name, field, dword, byteSize));
        }
        if ((covered[dword / Integer.BYTES] & bits) != 0) {
            throw new IllegalArgumentException(
                    "%s.%s overlaps another field at 0x%x".formatted(name, field, dword));
        }
        covered[dword / Integer.BYTES] |= bits;
    }

    /** The table, one member a line. */
    @Override
    public final String toString() {
        StringBuilder table =
                new StringBuilder(name).append(" (").append(byteSize).append(" bytes)");
        for (Member member : members()) {
            table.append("\n  ").append(member);
        }
        return table.toString();
    }
}
