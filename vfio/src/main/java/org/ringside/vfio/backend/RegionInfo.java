package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ringside.vfio.Region;
import org.ringside.vfio.Region.Area;
import org.ringside.vfio.backend.VfioAbi.CapSparse;
import org.ringside.vfio.backend.VfioAbi.RegionInfoStruct;

/**
 * A region and where it is in its file.
 *
 * @param region what the device says of it
 * @param fileOffset where it starts in the file that is read, written and mapped
 */
public record RegionInfo(Region region, long fileOffset) {
    /**
     * Reads a struct vfio_region_info with its capabilities. Without the sparse capability all of a
     * region that has the mmap flag may be mapped. Areas that leave the region, or are misaligned,
     * are left out: they can still be reached by call.
     *
     * @param info the structure, as long as its argsz says, aligned to 8
     * @param pageSize bytes of a page
     */
    public static RegionInfo parse(MemorySegment info, long pageSize) {
        int flags = info.get(JAVA_INT, VfioAbi.FLAGS);
        int index = info.get(JAVA_INT, RegionInfoStruct.INDEX);
        long size = info.get(JAVA_LONG, RegionInfoStruct.REGION_SIZE);
        int first =
                (flags & RegionInfoStruct.FLAG_CAPS) == 0
                        ? 0
                        : info.get(JAVA_INT, RegionInfoStruct.CAP_OFFSET);
        List<Area> areas = new ArrayList<>();
        if ((flags & RegionInfoStruct.FLAG_MMAP) != 0 && size > 0) {
            int sparse = CapabilityChain.find(info, first, CapSparse.ID);
            if (sparse < 0) {
                areas.add(new Area(0, size));
            } else {
                addAreas(areas, info, sparse, size, pageSize);
            }
        }
        Region region =
                new Region(
                        index,
                        size,
                        (flags & RegionInfoStruct.FLAG_READ) != 0,
                        (flags & RegionInfoStruct.FLAG_WRITE) != 0,
                        areas,
                        CapabilityChain.find(info, first, VfioAbi.CAP_MSIX_MAPPABLE) >= 0);
        return new RegionInfo(region, info.get(JAVA_LONG, RegionInfoStruct.OFFSET));
    }

    private static void addAreas(
            List<Area> areas, MemorySegment info, int sparse, long size, long pageSize) {
        if (sparse + (long) CapSparse.AREAS > info.byteSize()) {
            return;
        }
        long count = Integer.toUnsignedLong(info.get(JAVA_INT, sparse + CapSparse.NR_AREAS));
        long room = (info.byteSize() - sparse - CapSparse.AREAS) / CapSparse.AREA_SIZE;
        for (long i = 0; i < Math.min(count, room); i++) {
            long at = sparse + CapSparse.AREAS + i * CapSparse.AREA_SIZE;
            long offset = info.get(JAVA_LONG, at + CapSparse.AREA_OFFSET);
            long length = info.get(JAVA_LONG, at + CapSparse.AREA_LENGTH);
            boolean inside = offset >= 0 && length > 0 && offset <= size && length <= size - offset;
            if (inside && offset % pageSize == 0) {
                areas.add(new Area(offset, length));
            }
        }
        areas.sort(Comparator.comparingLong(Area::offset));
    }
}
