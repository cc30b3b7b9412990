package org.ringside.vfio.backend;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.vfio.VfioException;

/** Remembers what is mapped, refuses overlaps as an IOMMU does, and fails on demand. */
final class FakeMapper implements DmaMapper {
    final List<DmaRange> mapped = new ArrayList<>();
    @Nullable VfioException nextMapFailure;
    @Nullable VfioException nextUnmapFailure;
    int maps;

    @Override
    public void map(DmaRange range) throws VfioException {
        if (nextMapFailure != null) {
            VfioException e = nextMapFailure;
            nextMapFailure = null;
            throw e;
        }
        for (DmaRange other : mapped) {
            if (range.iova() < other.iova() + other.size()
                    && other.iova() < range.iova() + range.size()) {
                throw new VfioException(17, "overlap of " + range + " and " + other);
            }
        }
        maps++;
        mapped.add(range);
    }

    @Override
    public void unmap(DmaRange range) throws VfioException {
        if (nextUnmapFailure != null) {
            VfioException e = nextUnmapFailure;
            nextUnmapFailure = null;
            throw e;
        }
        if (!mapped.remove(range)) {
            throw new VfioException(22, "not mapped: " + range);
        }
    }
}
