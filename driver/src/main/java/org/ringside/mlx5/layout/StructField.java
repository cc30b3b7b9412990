package org.ringside.mlx5.layout;

/**
 * A structure inside another, once or several times in a row. Its fields are read with the base
 * moved: {@code Qpc.STATE.get(segment, base + CreateQpIn.QPC.offset())}.
 */
public final class StructField implements Member {
    /** {@link #count()} of an open list. */
    public static final int OPEN = ArrayField.OPEN;

    private final String name;
    private final int offset;
    private final Layout layout;
    private final int count;

    StructField(String name, int offset, Layout layout, int count) {
        this.name = name;
        this.offset = offset;
        this.layout = layout;
        this.count = count;
    }

    @Override
    public String name() {
        return name;
    }

    /** Bytes from the start of the outer structure to the (first) inner one. */
    public int offset() {
        return offset;
    }

    /** Bytes from the start of the outer structure to inner structure {@code index}. */
    public long offset(int index) {
        if (index < 0 || (count != OPEN && index >= count)) {
            throw new IndexOutOfBoundsException(name + "[" + index + "] of " + count);
        }
        return offset + (long) index * layout.byteSize();
    }

    public Layout layout() {
        return layout;
    }

    /** How many in a row, or {@link #OPEN}. */
    public int count() {
        return count;
    }

    /** Whole inner structures in an outer one of so many bytes. */
    public int count(long structBytes) {
        int room = (int) Math.max(0, (structBytes - offset) / layout.byteSize());
        return count == OPEN ? room : Math.min(room, count);
    }

    @Override
    public long bitOffset() {
        return offset * 8L;
    }

    @Override
    public long bitWidth() {
        return count == OPEN ? 0 : layout.byteSize() * 8L * count;
    }

    @Override
    public String toString() {
        return "%s: %s at 0x%x".formatted(name, layout.name(), offset);
    }
}
