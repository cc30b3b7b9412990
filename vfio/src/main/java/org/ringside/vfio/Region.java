package org.ringside.vfio;

import java.util.List;
import java.util.Optional;

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
     * Why accesses to this region, or to some of it, are calls and not machine loads and stores;
     * empty when all of it can be mapped. The kernel maps whole pages only, so a region smaller
     * than a page is mapped only where it has the page to itself.
     *
     * @param pageSize bytes of a page
     */
    public Optional<String> mappingNote(long pageSize) {
        if (size == 0 || mappable.size() == 1 && mappable.getFirst().contains(0, size)) {
            return Optional.empty();
        }
        if (size < pageSize) {
            return Optional.of(
                    ("region %d has %d bytes, less than a page (%d): it cannot be mapped, and every"
                                    + " access to it is a read or write call")
                            .formatted(index, size, pageSize));
        }
        if (mappable.isEmpty()) {
            return Optional.of(
                    ("region %d (%d bytes) may not be mapped: every access to it is a read or write"
                                    + " call")
                            .formatted(index, size));
        }
        return Optional.of(
                "region %d (%d bytes) may be mapped at %s only: other accesses are calls"
                        .formatted(index, size, mappable));
    }

    /**
     * Part of a region.
     *
     * @param offset bytes from the start of the region
     * @param size bytes
     */
    public record Area(long offset, long size) {
        @Override
        public String toString() {
            return "[0x%x, 0x%x)".formatted(offset, end());
        }

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
