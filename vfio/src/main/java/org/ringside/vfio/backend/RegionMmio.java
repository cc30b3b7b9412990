package org.ringside.vfio.backend;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ringside.linux.Abi;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.Region;
import org.ringside.vfio.Region.Area;

/** Opens the registers of a region: maps what may be mapped, leaves the rest to calls. */
public final class RegionMmio {
    private static final Logger LOGGER = System.getLogger(RegionMmio.class.getName());

    private RegionMmio() {}

    /**
     * Opens a region.
     *
     * <p>An area that does not start on a page cannot be mapped and goes by call; so does one that
     * the kernel refuses to map, which is logged.
     *
     * @param arena shared arena of the device; closing it unmaps
     * @param fd what to map: the device's descriptor, or the one that came with the region
     * @param fileOffset where the region starts in that file
     * @param access the way by call
     */
    public static Mmio open(
            SystemCalls calls,
            Arena arena,
            Region region,
            int fd,
            long fileOffset,
            RegionAccess access,
            DeviceState state) {
        Mmio unmapped = new UnmappedMmio(access, region.size(), state);
        // Holes are usual; a region with nothing to map makes every doorbell a call.
        Level level = region.mappable().isEmpty() ? Level.INFO : Level.DEBUG;
        region.mappingNote(calls.pageSize())
                .ifPresent(note -> LOGGER.log(level, "{0}: {1}", state.name(), note));
        List<Area> areas =
                region.mappable().stream()
                        .filter(area -> area.offset() % calls.pageSize() == 0 && area.size() > 0)
                        .toList();
        Area[] mappedAreas = new Area[areas.size()];
        Mmio[] mapped = new Mmio[areas.size()];
        for (int i = 0; i < mapped.length; i++) {
            Area area = areas.get(i);
            int protection =
                    (region.readable() ? Abi.PROT_READ : 0)
                            | (region.writable() ? Abi.PROT_WRITE : 0);
            try {
                MemorySegment memory =
                        calls.mmap(
                                arena,
                                area.size(),
                                protection,
                                Abi.MAP_SHARED,
                                fd,
                                fileOffset + area.offset());
                mappedAreas[i] = area;
                mapped[i] = new MappedMmio(memory, state);
            } catch (LinuxException e) {
                LOGGER.log(
                        Level.WARNING,
                        "{0}: region {1} goes by calls: {2}",
                        state.name(),
                        region.index(),
                        e.getMessage());
                return unmapped;
            }
        }
        if (mapped.length == 1 && areas.getFirst().contains(0, region.size())) {
            return mapped[0].size() == region.size()
                    ? mapped[0]
                    : mapped[0].slice(0, region.size());
        }
        return mapped.length == 0 ? unmapped : new SparseMmio(mappedAreas, mapped, unmapped);
    }
}
