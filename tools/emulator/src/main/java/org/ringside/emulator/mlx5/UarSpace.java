package org.ringside.emulator.mlx5;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.Agent;
import org.ringside.emulator.record.Recorder;

/**
 * The UAR pages of BAR0: which are allocated, and the doorbells in them (PRM, User Access Region).
 *
 * <pre>
 *   0x020  CQ doorbell, 8 bytes: arm request, CQN
 *   0x040  EQ doorbell, 4 bytes: EQN, consumer index; arms
 *   0x048  the same, does not arm
 *   0x800 ... 0xf00, each 0x100: send doorbell, 8 bytes: first bytes of a WQE, or all of it
 * </pre>
 *
 * <p>The first page always traps: EQ doorbells have no record in memory that would tell of one that
 * a later one hid.
 */
final class UarSpace {
    static final int PAGE = 4096;
    static final int LOG_MEGABYTES = 2;
    static final int BAR_SIZE = 1 << 20 + LOG_MEGABYTES;
    static final int FIRST = InitSegment.SIZE / PAGE;
    private static final int LIMIT = BAR_SIZE / PAGE;

    private final Hca hca;
    private final @Nullable UarMemory memory;
    private final Doorbells doorbells;
    private final ObjectTable<UarPage> table;
    private final List<UarPage> polled = new ArrayList<>();

    UarSpace(Hca hca, @Nullable UarMemory memory) {
        this.hca = hca;
        this.memory = memory;
        this.doorbells = new Doorbells(hca);
        this.table = ObjectTable.lowestFirst("UAR", FIRST, LIMIT, hca.caller());
    }

    ObjectTable<UarPage> table() {
        return table;
    }

    UarPage allocate() {
        UarPage page = new UarPage();
        table.add(page);
        if (memory != null && page.index() != FIRST) {
            memory.clear(page.index());
            polled.add(page);
        }
        return page;
    }

    void free(long index) {
        UarPage page = table.remove(index);
        if (polled.remove(page) && memory != null) {
            memory.clear(page.index());
        }
    }

    void clear() {
        if (memory != null) {
            for (UarPage page : polled) {
                memory.clear(page.index());
            }
        }
        polled.clear();
        table.clear();
    }

    /** A store that trapped. */
    void write(long offset, int width, long value) {
        int index = (int) (offset / PAGE);
        Recorder recorder = hca.recorder();
        if (recorder != null) {
            recorder.doorbell(index, (int) (offset % PAGE), width, bigEndian(width, value), false);
        }
        UarPage page = table.find(index);
        if (page == null) {
            hca.findings()
                    .report(
                            Finding.Kind.DOORBELL,
                            "store of %d bytes to UAR 0x%x at 0x%x, which is not allocated"
                                    .formatted(width, index, offset % PAGE));
            return;
        }
        doorbells.trapped(page, (int) (offset % PAGE), width, value);
    }

    /** Looks at the doorbells in shared memory; returns how many there were. */
    int poll() {
        UarMemory shared = memory;
        if (shared == null) {
            return 0;
        }
        int found = 0;
        for (int i = 0; i < polled.size(); i++) {
            found += poll(shared, polled.get(i));
        }
        return found;
    }

    private int poll(UarMemory shared, UarPage page) {
        long base = (long) page.index() * PAGE;
        int found = 0;
        for (int at = Doorbells.SEND; at < PAGE; at += Doorbells.SEND_STRIDE) {
            long value = shared.takeLong(base + at);
            if (value != 0) {
                record(page, at, Long.BYTES, value);
                doorbells.send(page, value, true);
                found++;
            }
        }
        if (!page.cqs().isEmpty()) {
            long value = shared.takeLong(base + Doorbells.CQ);
            if (value != 0) {
                record(page, Doorbells.CQ, Long.BYTES, value);
                doorbells.cq(page, value, true);
                found++;
            }
        }
        if (page.hasEqs()) {
            found += pollEq(shared, page, base, Doorbells.EQ_ARM);
            found += pollEq(shared, page, base, Doorbells.EQ_CONSUMED);
        }
        return found;
    }

    private int pollEq(UarMemory shared, UarPage page, long base, int at) {
        int value = shared.takeInt(base + at);
        if (value == 0) {
            return 0;
        }
        record(page, at, Integer.BYTES, value);
        doorbells.eq(page, value, at == Doorbells.EQ_ARM);
        return 1;
    }

    /** A doorbell that was found in shared memory. */
    private void record(UarPage page, int at, int width, long value) {
        Recorder recorder = hca.recorder();
        if (recorder != null) {
            recorder.doorbell(page.index(), at, width, bigEndian(width, value), true);
        }
    }

    private static long bigEndian(int width, long value) {
        return Long.reverseBytes(value) >>> Long.SIZE - width * Byte.SIZE;
    }

    long maxParkNanos() {
        return polled.isEmpty() ? Agent.NO_PARK_LIMIT : Agent.SHARED_MEMORY_PARK_NANOS;
    }
}
