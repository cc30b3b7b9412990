package org.ringside.mlx5;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * 4 KiB pages for firmware, cut from blocks of 2 MiB that are mapped once. A block whose pages have
 * all come back is unmapped; the others go with the VFIO device.
 *
 * <p>Not thread safe.
 */
final class PagePool {
    static final int PAGE = 4096;
    private static final int BLOCK = 2 << 20;
    private static final int PAGES = BLOCK / PAGE;

    private final DmaSpace dma;

    /** By the IOVA of the first page. */
    private final TreeMap<Long, Block> blocks = new TreeMap<>();

    private final BitSet empty = new BitSet();
    private int used;

    PagePool(DmaSpace dma) {
        this.dma = dma;
    }

    private record Block(DmaMemory memory, BitSet taken) {}

    /** Pages out. */
    int used() {
        return used;
    }

    /** The IOVA of a page that nobody has. */
    long take() throws VfioException {
        for (Map.Entry<Long, Block> each : blocks.descendingMap().entrySet()) {
            BitSet taken = each.getValue().taken();
            if (taken.cardinality() < PAGES) {
                return take(each.getKey(), taken);
            }
        }
        DmaMemory memory = dma.allocate(BLOCK, PAGE);
        Block block = new Block(memory, new BitSet(PAGES));
        blocks.put(memory.iova(), block);
        return take(memory.iova(), block.taken());
    }

    private long take(long base, BitSet taken) {
        int page = taken.nextClearBit(0);
        taken.set(page);
        used++;
        return base + (long) page * PAGE;
    }

    /**
     * A page comes back.
     *
     * @return whether it was out; firmware may be wrong
     */
    boolean giveBack(long iova) {
        Map.@Nullable Entry<Long, Block> at = blocks.floorEntry(iova);
        if (at == null || iova - at.getKey() >= BLOCK || iova % PAGE != 0) {
            return false;
        }
        int page = (int) ((iova - at.getKey()) / PAGE);
        BitSet taken = at.getValue().taken();
        if (!taken.get(page)) {
            return false;
        }
        taken.clear(page);
        used--;
        if (taken.equals(empty)) {
            blocks.remove(at.getKey());
            at.getValue().memory().close();
        }
        return true;
    }
}
