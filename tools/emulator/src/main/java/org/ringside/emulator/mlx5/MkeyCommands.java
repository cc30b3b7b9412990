package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.MkeyState;
import org.ringside.emulator.transport.PageList;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CreateMkeyIn;
import org.ringside.mlx5.layout.CreateMkeyOut;
import org.ringside.mlx5.layout.DestroyMkeyIn;
import org.ringside.mlx5.layout.DestroyMkeyOut;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Mkc;
import org.ringside.mlx5.layout.MkeyAccessMode;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryMkeyIn;
import org.ringside.mlx5.layout.QueryMkeyOut;
import org.ringside.mlx5.layout.StructField;

/**
 * CREATE_MKEY, DESTROY_MKEY, QUERY_MKEY: physical keys, keys with page lists, and free ones that
 * work requests give a list of other keys (memory windows).
 */
final class MkeyCommands implements CommandTable.CommandGroup {
    private static final StructField MKC = CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY;
    private static final int MIN_LOG_PAGE = 12;
    private static final int MAX_LOG_PAGE = 31;
    private static final int OCTWORD = 16;

    /** rd_en and wr_en of a page. */
    private static final long PAGE_RIGHTS = 3;

    private static final int MAX_ENTRIES = 1 << 21;
    private static final int MAX_KLMS = 1 << 16;

    private final Hca hca;

    MkeyCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_MKEY,
                        CreateMkeyIn.LAYOUT,
                        CreateMkeyOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_MKEY,
                        DestroyMkeyIn.LAYOUT,
                        DestroyMkeyOut.LAYOUT,
                        this::destroy));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_MKEY, QueryMkeyIn.LAYOUT, QueryMkeyOut.LAYOUT, this::query));
    }

    private void create(Command c) {
        c.requireZero(CreateMkeyIn.MKEY_UMEM_VALID);
        c.requireZero(CreateMkeyIn.DATA_DIRECT);
        c.requireZero(
                MKC,
                Mkc.ACCESS_MODE_4_2,
                Mkc.RELAXED_ORDERING_WRITE,
                Mkc.RELAXED_ORDERING_READ,
                Mkc.SMALL_FENCE_ON_RDMA_READ_RESPONSE,
                Mkc.MA_TRANSLATION_MODE,
                Mkc.BSF_EN,
                Mkc.SYNC_UMR,
                Mkc.EXPECTED_SIGERR_COUNT,
                Mkc.BSF_OCTWORD_SIZE,
                Mkc.CROSSING_TARGET_VHCA_ID);
        HwObject.Plain pd = hca.objects().pds().get(c.get(MKC, Mkc.PD));
        int access = access(c);
        long mode = c.get(MKC, Mkc.ACCESS_MODE_1_0);
        long[] list = {};
        if (mode == MkeyAccessMode.KLMS) {
            checkIndirect(c);
        } else if (c.isSet(MKC, Mkc.FREE)) {
            throw new Refusal(
                    Reason.UNSUPPORTED, "a free key that is not one of a list of keys (KLM)");
        } else if (mode == MkeyAccessMode.MTT) {
            list = translations(c);
        } else if (mode != MkeyAccessMode.PA) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "access mode %d (%s); there are PA, MTT and KLM",
                    mode,
                    MkeyAccessMode.name((int) mode));
        } else {
            checkPhysical(c);
        }
        Objects.Mkey mkey = new Objects.Mkey(pd, c.context(MKC), list);
        int index = hca.objects().mkeys().add(mkey);
        MkeyState state =
                switch ((int) mode) {
                    case MkeyAccessMode.PA -> physical(c, index, pd, access);
                    case MkeyAccessMode.KLMS -> indirect(c, index, pd, access);
                    default -> paged(c, index, pd, access, list);
                };
        if (c.isSet(MKC, Mkc.UMR_EN)) {
            state.changeable();
        }
        hca.engine().add(state);
        pd.addUser();
        c.put(CreateMkeyOut.MKEY_INDEX, index);
    }

    private static int access(Command c) {
        int access =
                bit(c, Mkc.LR, MkeyState.LOCAL_READ)
                        | bit(c, Mkc.LW, MkeyState.LOCAL_WRITE)
                        | bit(c, Mkc.RR, MkeyState.REMOTE_READ)
                        | bit(c, Mkc.RW, MkeyState.REMOTE_WRITE)
                        | bit(c, Mkc.A, MkeyState.ATOMIC)
                        | bit(c, Mkc.EN_RINVAL, MkeyState.REMOTE_INVALIDATE);
        if ((access & (MkeyState.REMOTE_WRITE | MkeyState.ATOMIC)) != 0
                && (access & MkeyState.LOCAL_WRITE) == 0) {
            throw new Refusal(
                    Reason.OUT_OF_RANGE,
                    "remote write or atomic access without local write (IBTA 10.6.3.2)");
        }
        return access;
    }

    private static int bit(Command c, Field field, int access) {
        return c.isSet(MKC, field) ? access : 0;
    }

    /** Length of the list must be what the size and the address of the region ask for. */
    private static long[] translations(Command c) {
        c.requireZero(MKC, Mkc.LENGTH64);
        int shift = (int) c.get(MKC, Mkc.LOG_PAGE_SIZE);
        if (shift < MIN_LOG_PAGE || shift > MAX_LOG_PAGE) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "log_page_size is %d, not %d to %d",
                    shift,
                    MIN_LOG_PAGE,
                    MAX_LOG_PAGE);
        }
        long start = c.get(MKC, Mkc.START_ADDR);
        long length = c.get(MKC, Mkc.LEN);
        if (length < 0 || length - 1 > -1 - start && start < 0) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "0x%x bytes at 0x%x wrap around", length, start);
        }
        long count = PageList.pagesFor(start & (1L << shift) - 1, length, shift);
        if (count > MAX_ENTRIES) {
            throw Refusal.of(Reason.OVER_LIMIT, "%d pages, at most %d", count, MAX_ENTRIES);
        }
        long octwords = (count + 1) / 2;
        checkOctwords(
                "translations_octword_size", c.get(MKC, Mkc.TRANSLATIONS_OCTWORD_SIZE), octwords);
        checkOctwords(
                "translations_octword_actual_size",
                c.get(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE),
                octwords);
        c.requireInput(
                CreateMkeyIn.LAYOUT.byteSize() + (int) octwords * OCTWORD,
                count + " pages in octwords");
        long[] pages = new long[(int) count];
        for (int i = 0; i < count; i++) {
            pages[i] = Bits.big64(c.in(), CreateMkeyIn.LAYOUT.byteSize() + (long) i * Long.BYTES);
        }
        if (c.isSet(CreateMkeyIn.PG_ACCESS)) {
            checkPageRights(pages);
        }
        RingPages.check(pages, shift);
        return pages;
    }

    /**
     * With pg_access the lowest bits of an address say what the device may do with the page. Pages
     * come and go only with on-demand paging, which is not here; so all must be there.
     */
    private static void checkPageRights(long[] pages) {
        for (int i = 0; i < pages.length; i++) {
            if ((pages[i] & PAGE_RIGHTS) != PAGE_RIGHTS) {
                throw Refusal.of(
                        Reason.UNSUPPORTED,
                        "page %d has rights %d, not %d (read and write), and there is no on-demand"
                                + " paging",
                        i,
                        pages[i] & PAGE_RIGHTS,
                        PAGE_RIGHTS);
            }
            pages[i] &= ~PAGE_RIGHTS;
        }
    }

    private static void checkOctwords(String field, long given, long needed) {
        if (given != needed) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE, "%s is %d, the region needs %d", field, given, needed);
        }
    }

    /** Made free and empty: a work request (UMR) gives it its list, a memory window its range. */
    private void checkIndirect(Command c) {
        if (!hca.capabilities().has(CmdHcaCap.IMAICL)) {
            throw new Refusal(Reason.UNSUPPORTED, "imaicl is 0: there are no memory windows");
        }
        if (!c.isSet(MKC, Mkc.FREE) || !c.isSet(MKC, Mkc.UMR_EN)) {
            throw new Refusal(
                    Reason.UNSUPPORTED, "a key of keys that is not free, or not for UMR (umr_en)");
        }
        c.requireZero(MKC, Mkc.LEN, Mkc.START_ADDR, Mkc.LENGTH64, Mkc.LOG_PAGE_SIZE);
        c.requireZero(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE);
        c.requireZero(CreateMkeyIn.PG_ACCESS);
        c.requireInput(CreateMkeyIn.LAYOUT.byteSize(), "a free key");
        long entries = c.get(MKC, Mkc.TRANSLATIONS_OCTWORD_SIZE);
        if (entries < 1 || entries > MAX_KLMS) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "translations_octword_size is %d, not 1 to %d",
                    entries,
                    MAX_KLMS);
        }
    }

    private static MkeyState indirect(Command c, int index, HwObject.Plain pd, int access) {
        return MkeyState.indirect(
                key(c, index),
                pd.index(),
                access,
                (int) c.get(MKC, Mkc.QPN),
                (int) c.get(MKC, Mkc.TRANSLATIONS_OCTWORD_SIZE));
    }

    private static void checkPhysical(Command c) {
        c.requireZero(MKC, Mkc.TRANSLATIONS_OCTWORD_SIZE, Mkc.LOG_PAGE_SIZE);
        c.requireZero(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE);
        c.requireZero(CreateMkeyIn.PG_ACCESS);
        c.requireInput(CreateMkeyIn.LAYOUT.byteSize(), "a physical key");
        if (c.isSet(MKC, Mkc.LENGTH64)) {
            c.requireZero(MKC, Mkc.LEN, Mkc.START_ADDR);
        } else if (c.get(MKC, Mkc.LEN) < 0) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "length 0x%x", c.get(MKC, Mkc.LEN));
        }
    }

    private static int key(Command c, int index) {
        return index << 8 | (int) c.get(MKC, Mkc.MKEY_7_0);
    }

    private static MkeyState physical(Command c, int index, HwObject.Plain pd, int access) {
        long length = c.isSet(MKC, Mkc.LENGTH64) ? MkeyState.UNBOUNDED : c.get(MKC, Mkc.LEN);
        return MkeyState.physical(
                key(c, index),
                pd.index(),
                access,
                (int) c.get(MKC, Mkc.QPN),
                c.get(MKC, Mkc.START_ADDR),
                length);
    }

    private static MkeyState paged(
            Command c, int index, HwObject.Plain pd, int access, long[] pages) {
        int shift = (int) c.get(MKC, Mkc.LOG_PAGE_SIZE);
        long start = c.get(MKC, Mkc.START_ADDR);
        PageList list = new PageList(pages, shift, start & (1L << shift) - 1, c.get(MKC, Mkc.LEN));
        return MkeyState.paged(
                key(c, index), pd.index(), access, (int) c.get(MKC, Mkc.QPN), start, list);
    }

    private void destroy(Command c) {
        Objects.Mkey mkey = hca.objects().mkeys().remove(c.get(DestroyMkeyIn.MKEY_INDEX));
        hca.engine().removeMkey(mkey.index());
        mkey.pd.removeUser();
    }

    private void query(Command c) {
        c.requireZero(QueryMkeyIn.PG_ACCESS);
        Objects.Mkey mkey = hca.objects().mkeys().get(c.get(QueryMkeyIn.MKEY_INDEX));
        c.putContext(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY, mkey.context);
        MkeyState state = hca.engine().mkey(mkey.index());
        if (state == null) {
            throw new IllegalStateException("MKEY 0x%x has no state".formatted(mkey.index()));
        }
        StructField out = QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY;
        c.put(out, Mkc.FREE, state.isFree() ? 1 : 0);
        c.put(out, Mkc.MKEY_7_0, state.key() & 0xff);
        c.put(out, Mkc.PD, state.pd());
        c.put(out, Mkc.QPN, state.qpn());
        c.put(out, Mkc.LR, right(state, MkeyState.LOCAL_READ));
        c.put(out, Mkc.LW, right(state, MkeyState.LOCAL_WRITE));
        c.put(out, Mkc.RR, right(state, MkeyState.REMOTE_READ));
        c.put(out, Mkc.RW, right(state, MkeyState.REMOTE_WRITE));
        c.put(out, Mkc.A, right(state, MkeyState.ATOMIC));
        if (state.isIndirect()) {
            c.put(out, Mkc.START_ADDR, state.start());
            c.put(out, Mkc.LEN, state.length());
        }
    }

    private static int right(MkeyState state, int right) {
        return (state.access() & right) != 0 ? 1 : 0;
    }
}
