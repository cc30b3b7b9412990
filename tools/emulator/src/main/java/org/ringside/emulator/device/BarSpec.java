package org.ringside.emulator.device;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.vfio.Region;

/**
 * A base address register and the region behind it.
 *
 * @param index 0 to 5; a 64-bit one uses the next index too
 * @param size bytes, a power of two, at least 4096
 * @param is64Bit whether it may lie above 4 GiB
 * @param prefetchable whether reads have no side effects and writes may merge
 * @param shared pages that clients may map, or null when every access traps
 */
public record BarSpec(
        int index, long size, boolean is64Bit, boolean prefetchable, @Nullable SharedPages shared) {
    private static final int PAGE = 4096;

    public BarSpec {
        if (index < 0 || index > (is64Bit ? 4 : 5)) {
            throw new IllegalArgumentException("no BAR has index " + index);
        }
        if (size < PAGE || Long.bitCount(size) != 1) {
            throw new IllegalArgumentException(
                    "BAR%d: size 0x%x is not a power of two of at least a page"
                            .formatted(index, size));
        }
        if (!is64Bit && size > 1L << 31) {
            throw new IllegalArgumentException(
                    "BAR%d: size 0x%x needs a 64-bit BAR".formatted(index, size));
        }
        if (shared != null) {
            shared.check(size);
        }
    }

    /**
     * Parts of a BAR that are plain memory, shared with the client by a file descriptor. Offset 0
     * of the file is offset 0 of the BAR; pages outside of the areas still trap although the file
     * has them. Accesses by message to a shared page trap too: the model decides what they mean.
     *
     * @param fd a memfd of at least the BAR's size; the model's, open as long as the function is
     *     attached
     * @param areas page aligned, ascending, without overlap
     */
    public record SharedPages(int fd, List<Region.Area> areas) {
        public SharedPages {
            areas = List.copyOf(areas);
        }

        private void check(long size) {
            long end = 0;
            for (Region.Area area : areas) {
                if (((area.offset() | area.size()) & (PAGE - 1)) != 0
                        || area.offset() < end
                        || area.size() <= 0
                        || area.size() > size - area.offset()) {
                    throw new IllegalArgumentException(
                            "shared areas are page aligned, ascending, and inside of 0x%x bytes: %s"
                                    .formatted(size, areas));
                }
                end = area.end();
            }
        }
    }
}
