package org.ringside.vfio.backend;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.Region.Area;

/**
 * Registers of which some pages are mapped and some are not; each access takes the way that its
 * place has. Code that knows its pages takes a {@link #slice} and saves the search.
 */
public final class SparseMmio extends Mmio {
    private final Area[] areas;
    private final Mmio[] mapped;
    private final Mmio unmapped;

    /**
     * A region.
     *
     * @param areas mapped parts, ascending
     * @param mapped what serves each of them
     * @param unmapped what serves all the rest, over the whole region
     */
    SparseMmio(Area[] areas, Mmio[] mapped, Mmio unmapped) {
        this.areas = areas.clone();
        this.mapped = mapped.clone();
        this.unmapped = unmapped;
    }

    /** Index of the mapped area that holds the access, or -1. */
    private int areaOf(long offset, int width) {
        for (int i = 0; i < areas.length; i++) {
            if (areas[i].contains(offset, width)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public long size() {
        return unmapped.size();
    }

    @Override
    public byte getByte(long offset) {
        int i = areaOf(offset, Byte.BYTES);
        return i < 0 ? unmapped.getByte(offset) : mapped[i].getByte(offset - areas[i].offset());
    }

    @Override
    public short getShort(long offset) {
        int i = areaOf(offset, Short.BYTES);
        return i < 0 ? unmapped.getShort(offset) : mapped[i].getShort(offset - areas[i].offset());
    }

    @Override
    public int getInt(long offset) {
        int i = areaOf(offset, Integer.BYTES);
        return i < 0 ? unmapped.getInt(offset) : mapped[i].getInt(offset - areas[i].offset());
    }

    @Override
    public long getLong(long offset) {
        int i = areaOf(offset, Long.BYTES);
        return i < 0 ? unmapped.getLong(offset) : mapped[i].getLong(offset - areas[i].offset());
    }

    @Override
    public void putByte(long offset, byte value) {
        int i = areaOf(offset, Byte.BYTES);
        if (i < 0) {
            unmapped.putByte(offset, value);
        } else {
            mapped[i].putByte(offset - areas[i].offset(), value);
        }
    }

    @Override
    public void putShort(long offset, short value) {
        int i = areaOf(offset, Short.BYTES);
        if (i < 0) {
            unmapped.putShort(offset, value);
        } else {
            mapped[i].putShort(offset - areas[i].offset(), value);
        }
    }

    @Override
    public void putInt(long offset, int value) {
        int i = areaOf(offset, Integer.BYTES);
        if (i < 0) {
            unmapped.putInt(offset, value);
        } else {
            mapped[i].putInt(offset - areas[i].offset(), value);
        }
    }

    @Override
    public void putLong(long offset, long value) {
        int i = areaOf(offset, Long.BYTES);
        if (i < 0) {
            unmapped.putLong(offset, value);
        } else {
            mapped[i].putLong(offset - areas[i].offset(), value);
        }
    }

    @Override
    public Mmio slice(long offset, long size) {
        Objects.checkFromIndexSize(offset, size, size());
        int kept = 0;
        Area[] keptAreas = new Area[areas.length];
        Mmio[] keptMapped = new Mmio[areas.length];
        for (int i = 0; i < areas.length; i++) {
            Area area = areas[i];
            if (area.contains(offset, size)) {
                return mapped[i].slice(offset - area.offset(), size);
            }
            long from = Math.max(offset, area.offset());
            long end = Math.min(offset + size, area.end());
            if (from < end) {
                keptAreas[kept] = new Area(from - offset, end - from);
                keptMapped[kept++] = mapped[i].slice(from - area.offset(), end - from);
            }
        }
        Mmio rest = unmapped.slice(offset, size);
        if (kept == 0) {
            return rest;
        }
        return new SparseMmio(
                Arrays.copyOf(keptAreas, kept), Arrays.copyOf(keptMapped, kept), rest);
    }

    @Override
    public Optional<MemorySegment> mapped() {
        return Optional.empty();
    }
}
