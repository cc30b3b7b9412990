package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.VfioException;

/** Memory of the device's DMA pool for the application. */
final class Mlx5Buffer extends DeviceBuffer {
    private static final int PAGE = 4096;

    private final Mlx5Context context;
    private final DmaMemory memory;
    private final MemorySegment segment;
    private int regions;
    private boolean keep;

    private Mlx5Buffer(Mlx5Context context, long size, DmaMemory memory) {
        super(context, size);
        this.context = context;
        this.memory = memory;
        this.segment = memory.segment().asSlice(0, size);
    }

    static Mlx5Buffer create(Mlx5Context context, long size) throws VerbsException {
        long whole = Math.max(PAGE, size + PAGE - 1 & -PAGE);
        try {
            // Alignment to its own size, up to a huge page, lets a memory key use large pages.
            long alignment = Math.clamp(Long.highestOneBit(whole), PAGE, 2L << 20);
            return new Mlx5Buffer(
                    context, size, context.device().vfio.dma().allocate(whole, alignment));
        } catch (VfioException e) {
            throw Failures.of(context.deviceName(), "allocating " + size + " bytes", e);
        }
    }

    /** The memory behind it when a segment lies in it wholly. */
    boolean contains(MemorySegment other) {
        return other.address() >= segment.address()
                && other.address() + other.byteSize() <= segment.address() + segment.byteSize();
    }

    /** A region lies in it, by whatever means it was registered. */
    void regionAdded() {
        regions++;
    }

    /**
     * A region has gone.
     *
     * @param deviceLetGo whether the device cannot use it any more; else the memory is kept until
     *     the device is closed
     */
    void regionRemoved(boolean deviceLetGo) {
        regions--;
        keep |= !deviceLetGo;
    }

    /** Where the device sees an address in it. */
    long iova(long address) {
        return memory.iova() + (address - segment.address());
    }

    @Override
    public MemorySegment memory() {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        return segment;
    }

    @Override
    protected void doClose() throws VerbsException {
        if (regions > 0) {
            throw new VerbsException(
                    VerbsException.EBUSY,
                    "%s has %d memory regions registered; close them first"
                            .formatted(this, regions));
        }
        context.forget(this);
        if (!keep) {
            memory.close();
        }
    }
}
