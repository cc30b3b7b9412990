package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CreateMkeyIn;
import org.ringside.mlx5.layout.CreateMkeyOut;
import org.ringside.mlx5.layout.DestroyMkeyIn;
import org.ringside.mlx5.layout.DestroyMkeyOut;
import org.ringside.mlx5.layout.Mkc;
import org.ringside.mlx5.layout.MkeyAccessMode;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.StructField;
import org.ringside.verbs.Access;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.VfioException;

/**
 * A memory region: memory mapped for the device, and a memory key with its page list (Adapters PRM,
 * CREATE_MKEY). lkey and rkey are the same: key index in the high 24 bits, a variant in the low 8
 * that changes from one key to the next, so that an old key does not fit a new region.
 */
final class Mlx5Mr extends MemoryRegion {
    private static final int ANY_QP = 0xffffff;

    private final Mlx5Context context;
    private final int index;

    /** The buffer that it lies in, which the device can reach anyway; null for other memory. */
    private final @Nullable Mlx5Buffer buffer;

    /** Memory of the application; null in a buffer. */
    private final @Nullable DmaMapping mapping;

    private Mlx5Mr(
            Mlx5Pd pd,
            Mlx5Context context,
            MemorySegment memory,
            int key,
            @Nullable Mlx5Buffer buffer,
            @Nullable DmaMapping mapping) {
        super(pd, memory, key, key);
        this.context = context;
        this.index = key >>> 8;
        this.buffer = buffer;
        this.mapping = mapping;
        if (buffer != null) {
            buffer.regionAdded();
        }
    }

    static Mlx5Mr create(
            Mlx5Context context, Mlx5Pd pd, MemorySegment memory, long address, Set<Access> access)
            throws VerbsException {
        Mlx5Buffer own = context.bufferWith(memory);
        if (own != null) {
            long iova = own.iova(memory.address());
            int alignment = Long.numberOfTrailingZeros(iova ^ memory.address());
            int key = createKey(context, pd, memory.byteSize(), address, iova, alignment, access);
            return new Mlx5Mr(pd, context, memory, key, own, null);
        }
        DmaMapping mapping;
        try {
            mapping = context.device().vfio.dma().map(memory, access.contains(Access.LOCAL_WRITE));
        } catch (VfioException e) {
            throw Failures.of(
                    context.deviceName(),
                    "mapping %d bytes at 0x%x for the device"
                            .formatted(memory.byteSize(), memory.address()),
                    e);
        }
        try {
            int key =
                    createKey(
                            context,
                            pd,
                            memory.byteSize(),
                            address,
                            mapping.iova(),
                            mapping.alignmentLog2(),
                            access);
            return new Mlx5Mr(pd, context, memory, key, null, mapping);
        } catch (VerbsException | RuntimeException e) {
            mapping.close();
            throw e;
        }
    }

    private static int createKey(
            Mlx5Context context,
            Mlx5Pd pd,
            long length,
            long address,
            long iova,
            int alignmentLog2,
            Set<Access> access)
            throws VerbsException {
        PageList pages = PageList.of(iova, length, alignmentLog2);
        int octwords = Math.ceilDiv(pages.count(), 2);
        int variant = context.nextKeyVariant();
        // The list's elements are 32 bits wide in the table; an address takes two.
        Command command =
                new Command(
                                Opcode.CREATE_MKEY,
                                CreateMkeyIn.LAYOUT,
                                CreateMkeyIn.KLM_PAS_MTT.byteSizeWith(octwords * 4),
                                CreateMkeyOut.LAYOUT,
                                CreateMkeyOut.LAYOUT.byteSize())
                        .set(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE, octwords)
                        .set(mkc(), Mkc.ACCESS_MODE_1_0, MkeyAccessMode.MTT)
                        .set(mkc(), Mkc.A, access.contains(Access.REMOTE_ATOMIC))
                        .set(mkc(), Mkc.RW, access.contains(Access.REMOTE_WRITE))
                        .set(mkc(), Mkc.RR, access.contains(Access.REMOTE_READ))
                        .set(mkc(), Mkc.LW, access.contains(Access.LOCAL_WRITE))
                        .set(mkc(), Mkc.LR, true)
                        .set(mkc(), Mkc.QPN, ANY_QP)
                        .set(mkc(), Mkc.MKEY_7_0, variant)
                        .set(mkc(), Mkc.PD, pd.number)
                        .set(mkc(), Mkc.START_ADDR, address)
                        .set(mkc(), Mkc.LEN, length)
                        .set(mkc(), Mkc.TRANSLATIONS_OCTWORD_SIZE, octwords)
                        .set(mkc(), Mkc.LOG_PAGE_SIZE, pages.log());
        for (int i = 0; i < pages.count(); i++) {
            long page = pages.address(i);
            command.set(CreateMkeyIn.KLM_PAS_MTT, 2 * i, page >>> 32)
                    .set(CreateMkeyIn.KLM_PAS_MTT, 2 * i + 1, page & 0xffff_ffffL);
        }
        Command done = context.device().commands.execute(command);
        return (int) done.get(CreateMkeyOut.MKEY_INDEX) << 8 | variant;
    }

    private static StructField mkc() {
        return CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY;
    }

    /** First the key, by its index; then the mapping, that no access can be in flight. */
    @Override
    protected void doClose() throws VerbsException {
        boolean gone =
                context.destroy(
                        this,
                        new Command(
                                        Opcode.DESTROY_MKEY,
                                        DestroyMkeyIn.LAYOUT,
                                        DestroyMkeyOut.LAYOUT)
                                .set(DestroyMkeyIn.MKEY_INDEX, index));
        if (mapping != null && gone) {
            mapping.close();
        }
        if (buffer != null) {
            buffer.regionRemoved(gone);
        }
    }
}
