package org.ringside.vfio.backend;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.VfioException;

/**
 * The mappings of one device: picks IOVAs, keeps to the limits, and remembers what is where. Limits
 * are checked before the back end is asked, so that a refusal can say which one it was.
 *
 * <p>Threading: {@link #find} never waits, so that a peer may be served while a mapping is under
 * way; the rest is serialised.
 */
final class IovaSpace {
    private static final Logger LOGGER = System.getLogger(IovaSpace.class.getName());

    /**
     * No device describes memory in larger pages (log_entity_size of an mlx5 MKEY has 31 as its
     * end).
     */
    private static final long MAX_MODULUS = 1L << 31;

    private final DmaLimits limits;
    private final DmaMapper mapper;
    private final DeviceState state;
    private final RangeAllocator iovas = new RangeAllocator();
    private final ConcurrentSkipListMap<Long, Live> live = new ConcurrentSkipListMap<>();
    private int mappings;
    private boolean closed;

    /**
     * One mapping, with the memory that was asked for; the reference also keeps that memory from
     * being collected.
     */
    record Live(DmaRange range, MemorySegment memory) {
        /** Where the device sees the first byte that was asked for. */
        long iova() {
            return range.iova() + (memory.address() - range.address());
        }
    }

    IovaSpace(DmaLimits limits, DmaMapper mapper, DeviceState state) {
        this.limits = limits;
        this.mapper = mapper;
        this.state = state;
        for (IovaRange range : limits.usable()) {
            iovas.release(range.first(), range.last() - range.first() + 1);
        }
    }

    DmaLimits limits() {
        return limits;
    }

    synchronized int mappingsAvailable() {
        return limits.maxMappings() - mappings;
    }

    /**
     * Maps memory at an IOVA that is congruent to its address, modulo the largest power of two that
     * helps and is to be had.
     *
     * @param alignment the modulus is at least this
     * @param fd file that holds the memory, which must then be whole pages; or {@link
     *     DmaRange#NO_FD}
     */
    synchronized Live map(
            MemorySegment memory, boolean writable, long alignment, int fd, long fileOffset)
            throws VfioException {
        checkOpen();
        checkMappings();
        long start = pageStart(memory);
        long size = pageEnd(memory) - start;
        long least = Math.max(alignment, limits.granule());
        long modulus = Math.max(least, Math.min(MAX_MODULUS, powerOfTwoAbove(size)));
        long iova = iovas.allocate(size, modulus, start);
        while (iova < 0 && modulus > least) {
            modulus >>>= 1;
            iova = iovas.allocate(size, modulus, start);
        }
        if (iova < 0) {
            throw new VfioException(
                    0,
                    ("%s: no free IOVA range for %d bytes: the device reaches %s (%d bits), %d"
                                    + " bytes of that are free in %d pieces, %d mappings are in"
                                    + " use. %s")
                            .formatted(
                                    state.name(),
                                    size,
                                    limits.usable(),
                                    limits.width(),
                                    iovas.available(),
                                    iovas.fragments(),
                                    mappings,
                                    limits.rangeAdvice()));
        }
        return mapAllocated(
                new DmaRange(iova, start, size, writable, fd, fileOffset, memory), memory);
    }

    /** Maps memory so that the device sees its first byte at {@code iova}. */
    synchronized Live mapAt(long iova, MemorySegment memory, boolean writable)
            throws VfioException {
        checkOpen();
        checkMappings();
        long start = pageStart(memory);
        long size = pageEnd(memory) - start;
        long first = iova - (memory.address() - start);
        checkPlace(first, size, iova, memory.address());
        if (!iovas.allocateAt(first, size)) {
            throw new VfioException(
                    0,
                    "%s: IOVA 0x%x, %d bytes: part of it is mapped already (%s). Close that mapping or choose another IOVA"
                            .formatted(state.name(), iova, size, neighbour(first, size)));
        }
        return mapAllocated(
                new DmaRange(first, start, size, writable, DmaRange.NO_FD, 0, memory), memory);
    }

    private void checkPlace(long first, long size, long iova, long address) throws VfioException {
        String what = "%s: IOVA 0x%x, %d bytes: ".formatted(state.name(), iova, size);
        long granule = limits.granule();
        if ((first & granule - 1) != 0) {
            throw new VfioException(
                    0,
                    what
                            + "it and the address 0x%x have to agree modulo the page size %d"
                                    .formatted(address, granule));
        }
        if (first == 0) {
            throw new VfioException(
                    0, what + "IOVA 0 is never used: firmware and drivers take it for \"none\"");
        }
        for (IovaRange range : limits.usable()) {
            if (first >= range.first()
                    && first <= range.last()
                    && size - 1 <= range.last() - first) {
                return;
            }
        }
        long end = limits.usable().isEmpty() ? -1 : limits.usable().getLast().last();
        if (first < 0 || end - first < size - 1) {
            throw new VfioException(
                    0,
                    what
                            + ("beyond the %d bits that the IOMMU translates (last address 0x%x)."
                                            + " %s")
                                    .formatted(limits.width(), end, limits.rangeAdvice()));
        }
        throw new VfioException(
                0,
                what
                        + "in a reserved window; the device reaches %s (on x86 0xfee00000 to 0xfeefffff is for interrupts)"
                                .formatted(limits.usable()));
    }

    private String neighbour(long first, long size) {
        Map.Entry<Long, Live> below = live.lowerEntry(first + size);
        return below == null ? "none" : below.getValue().range().toString();
    }

    /** The space closes a little after the device: nothing may come in between. */
    private void checkOpen() {
        state.checkOpen();
        if (closed) {
            throw new IllegalStateException(state.name() + ": its DMA is closed");
        }
    }

    private void checkMappings() throws VfioException {
        if (mappings >= limits.maxMappings()) {
            throw new VfioException(
                    0,
                    "%s: all %d mappings are in use. %s"
                            .formatted(
                                    state.name(), limits.maxMappings(), limits.mappingsAdvice()));
        }
    }

    private Live mapAllocated(DmaRange range, MemorySegment memory) throws VfioException {
        Live mapping = new Live(range, memory);
        // First, because a peer may reach for it before its reply to us.
        live.put(range.iova(), mapping);
        try {
            mapper.map(range);
        } catch (VfioException | RuntimeException e) {
            live.remove(range.iova());
            iovas.release(range.iova(), range.size());
            throw e;
        }
        mappings++;
        return mapping;
    }

    /**
     * Takes a mapping back. One that the back end does not give back keeps its IOVA, so that
     * nothing else lands there.
     */
    synchronized void unmap(Live mapping) {
        DmaRange range = mapping.range();
        if (!live.remove(range.iova(), mapping)) {
            return;
        }
        mappings--;
        try {
            mapper.unmap(range);
            iovas.release(range.iova(), range.size());
        } catch (VfioException e) {
            if (!state.isLost()) {
                LOGGER.log(Level.WARNING, e.getMessage());
            }
        }
    }

    /** Takes all mappings back and lets no new one in. */
    synchronized void close() {
        closed = true;
        for (Live mapping : live.values()) {
            unmap(mapping);
        }
    }

    /** The mapping that holds all of a range, or null. */
    @Nullable Live find(long iova, long length) {
        Map.Entry<Long, Live> entry = live.floorEntry(iova);
        if (entry == null || length < 0) {
            return null;
        }
        long into = iova - entry.getValue().iova();
        long size = entry.getValue().memory().byteSize();
        return into >= 0 && into <= size && length <= size - into ? entry.getValue() : null;
    }

    private long pageStart(MemorySegment memory) {
        return memory.address() & -limits.granule();
    }

    private long pageEnd(MemorySegment memory) {
        return memory.address() + memory.byteSize() + limits.granule() - 1 & -limits.granule();
    }

    static long powerOfTwoAbove(long size) {
        return size <= 1 ? 1 : Long.highestOneBit(size - 1) << 1;
    }
}
