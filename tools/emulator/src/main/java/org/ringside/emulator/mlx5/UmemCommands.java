package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.CreateUmemIn;
import org.ringside.mlx5.layout.CreateUmemOut;
import org.ringside.mlx5.layout.DestroyUmemIn;
import org.ringside.mlx5.layout.DestroyUmemOut;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Mtt;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.Umem;

/** CREATE_UMEM, DESTROY_UMEM. */
final class UmemCommands implements CommandTable.CommandGroup {
    private static final StructField UMEM = CreateUmemIn.UMEM;
    private static final int LIST = UMEM.offset() + Umem.MTT.offset();
    private static final int MAX_PAGES = 1 << 17;

    /** Below the address of an entry: what the device may do there. */
    private static final long RIGHTS = 3;

    private final Hca hca;

    UmemCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_UMEM,
                        CreateUmemIn.LAYOUT,
                        CreateUmemOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        // rdma-core's VFIO driver destroys with as many bytes as it creates with.
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_UMEM,
                        DestroyUmemIn.LAYOUT,
                        DestroyUmemOut.LAYOUT,
                        c -> hca.objects().umems().remove(c.get(DestroyUmemIn.UMEM_ID)),
                        Flag.INPUT_PADDED));
    }

    private void create(Command c) {
        c.requireZero(UMEM, Umem.ATS);
        int shift = RingPages.pageShift(c.get(UMEM, Umem.LOG_PAGE_SIZE));
        long start = c.get(UMEM, Umem.PAGE_OFFSET);
        if (start >= 1L << shift) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE, "page_offset 0x%x of a page of 2^%d bytes", start, shift);
        }
        long count = c.get(UMEM, Umem.NUM_OF_MTT);
        if (count < 1 || count > MAX_PAGES) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE, "num_of_mtt is %d, not 1 to %d", count, MAX_PAGES);
        }
        int entry = Mtt.LAYOUT.byteSize();
        c.requireInput(LIST + (int) count * entry, count + " pages");
        long[] pages = new long[(int) count];
        boolean writable = true;
        for (int i = 0; i < pages.length; i++) {
            int at = LIST + i * entry;
            checkEntry(c, i, at);
            writable &= Mtt.WR_EN.isSet(c.in(), at);
            pages[i] = Bits.big64(c.in(), at) & ~RIGHTS;
        }
        RingPages.check(pages, shift);
        UserMemory umem = new UserMemory(pages, shift, start, writable);
        c.put(CreateUmemOut.UMEM_ID, hca.objects().umems().add(umem));
    }

    private static void checkEntry(Command c, int i, int at) {
        long stray = Mtt.LAYOUT.firstReservedBit(c.in(), at);
        if (stray >= 0) {
            throw Refusal.of(
                    Reason.RESERVED_BIT,
                    "reserved bit %s of page %d is set",
                    Layout.place(stray),
                    i);
        }
        if (!Mtt.RD_EN.isSet(c.in(), at)) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "page %d: the device may not read it", i);
        }
    }
}
