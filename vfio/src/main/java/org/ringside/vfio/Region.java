package org.ringside.vfio;

import java.util.List;

/**
 * What a device says of one region.
 *
 * @param index region index
 * @param size bytes; 0 when the device has no such region
 * @param readable whether it can be read
 * @param writable whether it can be written
 * @param mappable areas that may be mapped, ascending, page aligned, without overlap; empty when
 *     none may
 * @param msixTableMappable whether the page of the MSI-X table may be mapped with the rest
 *     (capability 3); the table itself is the kernel's all the same
 */
public record Region(
        int index,
        long size,
        boolean readable,
        boolean writable,
        List<Area> mappable,
        boolean msixTableMappable) {
    public static final int BAR0 = 0;
    public static final int BAR1 = 1;
    public static final int BAR2 = 2;
    public static final int BAR3 = 3;
    public static final int BAR4 = 4;
    public static final int BAR5 = 5;
    public static final int ROM = 6;
    public static final int CONFIG = 7;
    public static final int VGA = 8;

    public Region {
        mappable = List.copyOf(mappable);
    }

    /**
     * Part of a region.
     *
     * @param offset bytes from the start of the region
     * @param size bytes
     */
    public record Area(long offset, long size) {
        /** First byte behind the area. */
        public long end() {
            return offset + size;
        }

        /** Whether the area holds all of {@code [from, from + length)}. */
        public boolean contains(long from, long length) {
            return from >= offset && length >= 0 && length <= end() - from;
        }
    }
}
