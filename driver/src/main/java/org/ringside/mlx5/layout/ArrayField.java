package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Numbers of 8, 32 or 64 bits in a row, big endian each: a GID's bytes, an event bitmap, a page
 * list. A list at the end of a command is open: how many there are follows from the command's
 * length.
 */
public final class ArrayField implements Member {
    /** {@link #count()} of an open list. */
    public static final int OPEN = -1;

    private final String name;
    private final int offset;
    private final int elementBits;
    private final int count;

    ArrayField(String name, int offset, int elementBits, int count) {
        if (elementBits != Byte.SIZE && elementBits != Integer.SIZE && elementBits != Long.SIZE) {
            throw new IllegalArgumentException(name + ": elements of " + elementBits + " bits");
        }
        this.name = name;
        this.offset = offset;
        this.elementBits = elementBits;
        this.count = count;
    }

    @Override
    public String name() {
        return name;
    }

    /** Bytes from the start of the structure to the first element. */
    public int offset() {
        return offset;
    }

    /** Bytes from the start of the structure to element {@code index}. */
    public long offset(int index) {
        if (index < 0 || (count != OPEN && index >= count)) {
            throw new IndexOutOfBoundsException(name + "[" + index + "] of " + count);
        }
        return offset + (long) index * elementBytes();
    }

    public int elementBytes() {
        return elementBits / Byte.SIZE;
    }

    /** Elements, or {@link #OPEN}. */
    public int count() {
        return count;
    }

    /** Whole elements in a structure of so many bytes. */
    public int count(long structBytes) {
        int room = (int) Math.max(0, (structBytes - offset) / elementBytes());
        return count == OPEN ? room : Math.min(room, count);
    }

    /** Bytes of a structure that ends with {@code elements} of this list. */
    public int byteSizeWith(int elements) {
        return Math.addExact(offset, Math.multiplyExact(elements, elementBytes()));
    }

    @Override
    public long bitOffset() {
        return offset * 8L;
    }

    @Override
    public long bitWidth() {
        return count == OPEN ? 0 : (long) elementBits * count;
    }

    /** Element {@code index}, zero-extended. */
    public long get(MemorySegment struct, long base, int index) {
        long at = base + offset(index);
        return switch (elementBits) {
            case Byte.SIZE -> Byte.toUnsignedLong(struct.get(JAVA_BYTE, at));
            case Integer.SIZE -> Integer.toUnsignedLong(struct.get(Field.BE32, at));
            default -> struct.get(Field.BE64, at);
        };
    }

    /**
     * Stores element {@code index}.
     *
     * @throws IllegalArgumentException when the value has more bits than an element
     */
    public void set(MemorySegment struct, long base, int index, long value) {
        if (elementBits != Long.SIZE && value >>> elementBits != 0) {
            throw new IllegalArgumentException(
                    "%s has elements of %d bits; 0x%x does not fit"
                            .formatted(name, elementBits, value));
        }
        long at = base + offset(index);
        switch (elementBits) {
            case Byte.SIZE -> struct.set(JAVA_BYTE, at, (byte) value);
            case Integer.SIZE -> struct.set(Field.BE32, at, (int) value);
            default -> struct.set(Field.BE64, at, value);
        }
    }

    /** All of it, as memory has it. Not for open lists. */
    public byte[] getBytes(MemorySegment struct, long base) {
        byte[] bytes = new byte[closedBytes()];
        MemorySegment.copy(struct, JAVA_BYTE, base + offset, bytes, 0, bytes.length);
        return bytes;
    }

    /** Replaces all of it. Not for open lists. */
    public void setBytes(MemorySegment struct, long base, byte[] bytes) {
        if (bytes.length != closedBytes()) {
            throw new IllegalArgumentException(
                    name + " takes " + closedBytes() + " bytes, not " + bytes.length);
        }
        MemorySegment.copy(bytes, 0, struct, JAVA_BYTE, base + offset, bytes.length);
    }

    private int closedBytes() {
        if (count == OPEN) {
            throw new UnsupportedOperationException(name + " is an open list: take its elements");
        }
        return count * elementBytes();
    }

    @Override
    public String toString() {
        String elements = count == OPEN ? "" : Integer.toString(count);
        return "%s[%s] of %d bits at 0x%x".formatted(name, elements, elementBits, offset);
    }
}
