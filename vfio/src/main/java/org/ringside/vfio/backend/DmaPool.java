package org.ringside.vfio.backend;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.VfioException;

/**
 * Memory shared with the device, in blocks that are mapped once each. A piece of up to half a block
 * comes from a block of 2 MiB with others; a larger one has a block of its own.
 *
 * <pre>
 *   block (memfd, 2 MiB, one DMA mapping)
 *   | QP ring 16 KiB | CQ ring | doorbell records | free ......  | mailbox 4 KiB | free |
 * </pre>
 */
final class DmaPool {
    private static final Logger LOGGER = System.getLogger(DmaPool.class.getName());

    /** Pieces share no cache line, so that no two rings slow each other down. */
    private static final long UNIT = 64;

    private final SystemCalls calls;
    private final IovaSpace space;
    private final DeviceState state;
    private final List<MappedBlock> blocks = new ArrayList<>();
    private boolean hugePages = true;

    DmaPool(SystemCalls calls, IovaSpace space, DeviceState state) {
        this.calls = calls;
        this.space = space;
        this.state = state;
    }

    /** A block with its mapping and what of it is free. */
    private static final class MappedBlock {
        final DmaBlock block;
        final IovaSpace.Live mapping;
        final RangeAllocator offsets = new RangeAllocator();
        final boolean shared;

        MappedBlock(DmaBlock block, IovaSpace.Live mapping, boolean shared) {
            this.block = block;
            this.mapping = mapping;
            this.shared = shared;
            offsets.release(0, size());
        }

        long size() {
            return block.memory().byteSize();
        }

        boolean isEmpty() {
            return offsets.available() == size();
        }
    }

    synchronized PooledMemory allocate(long size, long alignment) throws VfioException {
        if (size < 1) {
            throw new IllegalArgumentException("size " + size);
        }
        if (Long.bitCount(alignment) != 1 || alignment < 0) {
            throw new IllegalArgumentException("alignment " + alignment + " is no power of two");
        }
        state.checkOpen();
        long rounded = Math.addExact(size, UNIT - 1) & -UNIT;
        boolean shared = rounded <= DmaBlock.HUGE_PAGE / 2 && alignment <= DmaBlock.HUGE_PAGE;
        if (shared) {
            for (MappedBlock block : blocks) {
                long offset = block.shared ? block.offsets.allocate(rounded, alignment, 0) : -1;
                if (offset >= 0) {
                    return piece(block, offset, size, rounded);
                }
            }
        }
        MappedBlock block = addBlock(shared ? DmaBlock.HUGE_PAGE : rounded, alignment, shared);
        block.offsets.allocateAt(0, rounded);
        return piece(block, 0, size, rounded);
    }

    private PooledMemory piece(MappedBlock block, long offset, long size, long rounded) {
        var memory = block.block.memory().asSlice(offset, size);
        // A piece may have been somebody else's before.
        memory.fill((byte) 0);
        return new PooledMemory(
                memory,
                () -> block.block.enduring().asSlice(offset, size),
                block.mapping.iova() + offset,
                state,
                () -> release(block, offset, rounded));
    }

    private MappedBlock addBlock(long size, long alignment, boolean shared) throws VfioException {
        DmaBlock block = createBlock(size, alignment);
        try {
            MappedBlock mapped =
                    new MappedBlock(
                            block,
                            space.map(block.memory(), true, alignment, block.fd(), 0),
                            shared);
            blocks.add(mapped);
            return mapped;
        } catch (VfioException | RuntimeException e) {
            block.close();
            throw e;
        }
    }

    private DmaBlock createBlock(long size, long alignment) throws VfioException {
        long aligned = Math.max(alignment, DmaBlock.HUGE_PAGE);
        if (hugePages && size >= DmaBlock.HUGE_PAGE) {
            try {
                long whole = Math.addExact(size, DmaBlock.HUGE_PAGE - 1) & -DmaBlock.HUGE_PAGE;
                return DmaBlock.create(calls, whole, aligned, true);
            } catch (LinuxException e) {
                hugePages = false;
                LOGGER.log(
                        Level.DEBUG,
                        "{0}: no huge pages ({1}); raise /proc/sys/vm/nr_hugepages to have them",
                        state.name(),
                        e.getMessage());
            }
        }
        long page = Math.max(space.limits().granule(), calls.pageSize());
        try {
            return DmaBlock.create(calls, Math.addExact(size, page - 1) & -page, aligned, false);
        } catch (LinuxException e) {
            throw new VfioException(
                    e.errno(),
                    "%s: no memory of %d bytes for the device: %s"
                            .formatted(state.name(), size, e.getMessage()),
                    e);
        }
    }

    private synchronized void release(MappedBlock block, long offset, long size) {
        if (!blocks.contains(block)) {
            return;
        }
        block.offsets.release(offset, size);
        if (block.isEmpty() && (!block.shared || hasOtherEmptyBlock(block))) {
            blocks.remove(block);
            space.unmap(block.mapping);
            block.block.close();
        }
    }

    /**
     * One empty block is kept, so that a single piece that comes and goes does not map and unmap
     * each time.
     */
    private boolean hasOtherEmptyBlock(MappedBlock block) {
        return blocks.stream().anyMatch(b -> b != block && b.shared && b.isEmpty());
    }

    /** Gives all memory back; the mappings must have gone. */
    synchronized void close() {
        for (MappedBlock block : blocks) {
            block.block.close();
        }
        blocks.clear();
    }
}
