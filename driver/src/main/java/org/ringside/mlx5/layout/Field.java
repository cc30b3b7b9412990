package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A number of 1 to 32 bits inside one big-endian dword, or one of 64 bits over two. Immutable;
 * accesses are plain, so a word that the device writes at the same time (an ownership bit) wants
 * {@link #extract} over a read with acquire semantics.
 */
public final class Field implements Member {
    static final ValueLayout.OfInt BE32 = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfLong BE64 = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final String name;
    private final int dword;
    private final int lsb;
    private final int width;
    private final long mask;
    private final @Nullable IntFunction<String> names;

    Field(String name, int dword, int lsb, int width, @Nullable IntFunction<String> names) {
        this.name = name;
        this.dword = dword;
        this.lsb = lsb;
        this.width = width;
        this.mask = width == Long.SIZE ? -1L : (1L << width) - 1;
        this.names = names;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Byte offset, from the start of the structure, of the dword that holds it, or of the first of
     * two.
     */
    public int dword() {
        return dword;
    }

    /** Lowest bit in its dword; 0 for 64 bits. */
    public int lsb() {
        return lsb;
    }

    /** Bits: 1 to 32, or 64. */
    public int width() {
        return width;
    }

    /** The greatest value that fits, as an unsigned number; all ones for 64 bits. */
    public long maxValue() {
        return mask;
    }

    @Override
    public long bitOffset() {
        return width == Long.SIZE ? dword * 8L : dword * 8L + Integer.SIZE - lsb - width;
    }

    @Override
    public long bitWidth() {
        return width;
    }

    /**
     * The value, zero-extended.
     *
     * @param base byte offset of the structure in the segment
     */
    public long get(MemorySegment struct, long base) {
        return width == Long.SIZE
                ? struct.get(BE64, base + dword)
                : extract(struct.get(BE32, base + dword));
    }

    /** The value as a two's complement number of this width, for the few fields that are signed. */
    public long getSigned(MemorySegment struct, long base) {
        int unused = Long.SIZE - width;
        return get(struct, base) << unused >> unused;
    }

    /** Whether any bit of it is set. */
    public boolean isSet(MemorySegment struct, long base) {
        return get(struct, base) != 0;
    }

    /**
     * Stores the value and leaves its neighbours in the dword as they are.
     *
     * @param base byte offset of the structure in the segment
     * @param value unsigned
     * @throws IllegalArgumentException when the value has more bits than the field; nothing is
     *     written
     */
    public void set(MemorySegment struct, long base, long value) {
        if (width == Long.SIZE) {
            struct.set(BE64, base + dword, value);
        } else {
            long at = base + dword;
            struct.set(BE32, at, insert(struct.get(BE32, at), value));
        }
    }

    /** Stores 1 or 0. */
    public void set(MemorySegment struct, long base, boolean value) {
        set(struct, base, value ? 1 : 0);
    }

    /**
     * The value out of its dword in CPU byte order, for registers read one dword at a time. Not for
     * 64 bits.
     */
    public long extract(int dwordValue) {
        requireOneDword();
        return ((dwordValue & 0xffff_ffffL) >>> lsb) & mask;
    }

    /** The dword, in CPU byte order, with this field replaced. Not for 64 bits. */
    public int insert(int dwordValue, long value) {
        requireOneDword();
        if ((value & ~mask) != 0) {
            throw new IllegalArgumentException(
                    "%s is %d bits wide at 0x%x:%d-%d; 0x%x does not fit"
                            .formatted(name, width, dword, lsb + width - 1, lsb, value));
        }
        return (int) ((dwordValue & ~(mask << lsb)) | (value << lsb));
    }

    /** A value as logs show it: its name when the manual gives one, and the number. */
    public String format(long value) {
        String number =
                value >= 0 && value < 10 ? Long.toString(value) : "0x" + Long.toHexString(value);
        String meaning = names == null ? number : names.apply((int) value);
        return meaning.equals(number) ? number : meaning + "(" + number + ")";
    }

    private void requireOneDword() {
        if (width == Long.SIZE) {
            throw new UnsupportedOperationException(
                    name + " is 64 bits wide: it has no single dword");
        }
    }

    /** Name and place as the manual writes them, such as {@code state 0x0:31-28}. */
    @Override
    public String toString() {
        return width == Long.SIZE
                ? "%s 0x%x..0x%x".formatted(name, dword, dword + Long.BYTES - 1)
                : "%s 0x%x:%d-%d".formatted(name, dword, lsb + width - 1, lsb);
    }
}
