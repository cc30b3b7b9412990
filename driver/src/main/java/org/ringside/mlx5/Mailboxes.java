package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ringside.mlx5.layout.CmdMailbox;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * A pool of mailbox blocks, cut from larger pieces of DMA memory. It grows when needed and keeps
 * what it has.
 *
 * <pre>
 *   entry --> block 0: 512 bytes of data, next --> block 1 ... next = 0
 * </pre>
 *
 * <p>Threading: any thread.
 */
final class Mailboxes implements AutoCloseable {
    /** Data bytes of one block. */
    static final int DATA = CmdMailbox.MAILBOX_DATA.count();

    /** Blocks are this far apart, which is also their alignment. */
    private static final int STRIDE = 1024;

    private static final int BLOCKS_PER_CHUNK = 64;

    private final DmaSpace dma;
    private final List<DmaMemory> chunks = new ArrayList<>();
    private final ArrayDeque<Block> free = new ArrayDeque<>();

    Mailboxes(DmaSpace dma) {
        this.dma = dma;
    }

    /** One block: its memory and where the device sees it. */
    record Block(MemorySegment memory, long iova) {}

    /** Blocks for so many bytes of data; empty when there are none. */
    synchronized List<Block> take(int bytes) throws VfioException {
        int count = Math.ceilDiv(Math.max(0, bytes), DATA);
        while (free.size() < count) {
            grow();
        }
        List<Block> chain = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            chain.add(free.pop());
        }
        return chain;
    }

    synchronized void giveBack(List<Block> chain) {
        free.addAll(chain);
    }

    private void grow() throws VfioException {
        DmaMemory chunk = dma.allocate((long) BLOCKS_PER_CHUNK * STRIDE, 4096);
        chunks.add(chunk);
        for (int i = 0; i < BLOCKS_PER_CHUNK; i++) {
            long at = (long) i * STRIDE;
            free.add(new Block(chunk.segment().asSlice(at, STRIDE), chunk.iova() + at));
        }
    }

    /**
     * Links blocks, clears and labels them.
     *
     * @param token that of the command
     */
    static void link(List<Block> chain, int token) {
        for (int i = 0; i < chain.size(); i++) {
            MemorySegment block = chain.get(i).memory();
            block.fill((byte) 0);
            long next = i + 1 < chain.size() ? chain.get(i + 1).iova() : 0;
            CmdMailbox.NEXT_POINTER_63_32.set(block, 0, next >>> 32);
            CmdMailbox.NEXT_POINTER_31_10.set(block, 0, (next & 0xffff_ffffL) >>> 10);
            CmdMailbox.BLOCK_NUMBER.set(block, 0, i);
            CmdMailbox.TOKEN.set(block, 0, token);
        }
    }

    /** Copies {@code from[offset, end)} into the chain. */
    static void fill(List<Block> chain, MemorySegment from, long offset) {
        for (Block block : chain) {
            long length = Math.min(DATA, from.byteSize() - offset);
            MemorySegment.copy(from, offset, block.memory(), 0, length);
            offset += length;
        }
    }

    /** Copies the chain into {@code into[offset, end)}. */
    static void drain(List<Block> chain, MemorySegment into, long offset) {
        for (Block block : chain) {
            long length = Math.min(DATA, into.byteSize() - offset);
            MemorySegment.copy(block.memory(), 0, into, offset, length);
            offset += length;
        }
    }

    /** Writes both signatures of each block. */
    static void sign(List<Block> chain) {
        for (Block block : chain) {
            MemorySegment memory = block.memory();
            CmdMailbox.CTRL_SIGNATURE.set(memory, 0, 0);
            CmdMailbox.SIGNATURE.set(memory, 0, 0);
            int size = CmdMailbox.LAYOUT.byteSize();
            CmdMailbox.CTRL_SIGNATURE.set(memory, 0, Signatures.complement(memory, DATA, size));
            CmdMailbox.SIGNATURE.set(memory, 0, Signatures.complement(memory, 0, size));
        }
    }

    /** Whether both signatures of each block are good. */
    static boolean verify(List<Block> chain) {
        for (Block block : chain) {
            MemorySegment memory = block.memory();
            int size = CmdMailbox.LAYOUT.byteSize();
            if (Signatures.xor(memory, DATA, size - 1) != Signatures.GOOD
                    || Signatures.xor(memory, 0, size) != Signatures.GOOD) {
                return false;
            }
        }
        return true;
    }

    /** Gives the memory back. The device must not have commands any more. */
    @Override
    public synchronized void close() {
        free.clear();
        chunks.forEach(DmaMemory::close);
        chunks.clear();
    }
}
