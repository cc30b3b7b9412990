package org.ringside.emulator.mlx5;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.ringside.emulator.device.HostMemory;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.Opcode;

/**
 * Pages of host memory that the driver lent to firmware. Firmware keeps its contexts there; this
 * model keeps them in its own memory, but marks both ends of each page and looks after its marks
 * when the page goes back: a driver that lets go of a page too early is found out.
 *
 * <p>Three demands: for boot, before INIT_HCA, and at any time while it creates objects. The last
 * one comes as a PAGE_REQUEST event, and the command that caused it waits.
 */
final class FirmwarePages {
    static final int SIZE = 4096;

    /** Pages of one request at run time. */
    static final int REQUEST = 4;

    private static final long MARK = 0x5249_4e47_5349_4445L;
    private static final int LAST_MARK = SIZE - Long.BYTES;

    private final Hca hca;
    private final HostMemory dma;
    private final ArrayDeque<Long> owned = new ArrayDeque<>();
    private final Set<Long> addresses = new HashSet<>();
    private long demand;
    private boolean booted;
    private boolean denied;
    private int creates;

    FirmwarePages(Hca hca) {
        this.hca = hca;
        this.dma = hca.dma();
    }

    /** Pages that firmware holds. */
    int owned() {
        return owned.size();
    }

    /** What QUERY_PAGES(boot) answers: what is still missing. */
    int bootDemand() {
        return Math.max(0, hca.options().bootPages() - owned.size());
    }

    /** What QUERY_PAGES(init) answers. */
    int initDemand() {
        int all = hca.options().bootPages() + hca.options().initPages();
        return Math.max(0, all - owned.size());
    }

    /** What QUERY_PAGES(regular) answers: what a command waits for, less what is too many. */
    long regularDemand() {
        return demand;
    }

    /** Refuses what firmware cannot do on the pages that it has. */
    void checkStartup(CommandSpec spec) {
        if (hca.state() == HcaState.DISABLED || spec.has(Flag.WITHOUT_PAGES)) {
            return;
        }
        if (!booted && bootDemand() > 0) {
            throw Refusal.of(Reason.PAGES_MISSING, "%d boot pages are missing", bootDemand());
        }
        booted = true;
        if (spec.opcode() == Opcode.INIT_HCA && initDemand() > 0) {
            throw Refusal.of(
                    Reason.PAGES_MISSING, "%d pages for initialization are missing", initDemand());
        }
    }

    /** Whether a command has to wait for pages; asks the driver for them. */
    boolean wantsMoreFor(CommandSpec spec) {
        if (!spec.has(Flag.TAKES_PAGES)) {
            return false;
        }
        if (!isWaiting()) {
            if (!isTimeToAsk() || !hca.events().requestPages(REQUEST)) {
                return false;
            }
            demand = REQUEST;
        }
        return true;
    }

    private boolean isTimeToAsk() {
        int every = hca.options().pageRequestEvery();
        creates++;
        return every != 0 && creates % every == 0 || hca.faults().takePageRequest();
    }

    /** Whether a request is not answered yet. */
    boolean isWaiting() {
        return demand > 0;
    }

    /** Whether the last request was denied; asks only once. */
    boolean takeDenied() {
        boolean was = denied;
        denied = false;
        return was;
    }

    /** The driver has no pages. */
    void deny() {
        if (demand > 0) {
            denied = true;
            demand = 0;
        }
    }

    /** The driver lends pages: all of them, or none when one is bad. */
    void give(long[] pages) {
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < pages.length; i++) {
            long page = pages[i];
            if (page == 0 && !hca.options().takesPageZero() || page % SIZE != 0) {
                throw Refusal.of(
                        Reason.BAD_ADDRESS, "page %d is at IOVA 0x%x: %s", i, page, wrong(page));
            }
            if (!seen.add(page) || addresses.contains(page)) {
                throw Refusal.of(
                        Reason.BAD_ADDRESS, "page %d at IOVA 0x%x was given twice", i, page);
            }
            if (!dma.isMapped(page, SIZE, true)) {
                throw Refusal.of(
                        Reason.NOT_MAPPED,
                        "page %d at IOVA 0x%x is not mapped for reading and writing",
                        i,
                        page);
            }
        }
        for (long page : pages) {
            dma.putLong(page, MARK ^ page);
            dma.putLong(page + LAST_MARK, MARK ^ page);
            owned.addLast(page);
            addresses.add(page);
        }
        demand = Math.max(0, demand - pages.length);
    }

    private static String wrong(long page) {
        return page == 0 ? "0 means none" : "not 4 KiB aligned";
    }

    /** How many of the pages that the driver asks back it can have now. */
    int reclaimable(int wanted) {
        int keep = hca.state() == HcaState.INITIALIZED ? hca.options().bootPages() : 0;
        if (hca.state() == HcaState.INITIALIZED) {
            keep += hca.options().initPages();
        }
        return Math.max(0, Math.min(wanted, owned.size() - keep));
    }

    /** Gives one page back, the last one first. */
    long release() {
        long page = owned.removeLast();
        addresses.remove(page);
        for (int at = 0; at < SIZE; at += LAST_MARK) {
            long mark = dma.getLong(page + at);
            if (mark != (MARK ^ page)) {
                hca.findings()
                        .report(
                                Finding.Kind.PAGES,
                                "firmware page at IOVA 0x%x was overwritten at 0x%x: 0x%016x"
                                        .formatted(page, at, mark));
            }
        }
        return page;
    }

    /** Fast teardown: the pages are the driver's again, without a word. */
    void abandon() {
        owned.clear();
        forget();
    }

    /** The function is disabled; the driver should have taken all pages back. */
    void forget() {
        if (!owned.isEmpty()) {
            hca.findings()
                    .report(
                            Finding.Kind.PAGES,
                            "function disabled while firmware still holds %d pages, such as 0x%x"
                                    .formatted(owned.size(), owned.getFirst()));
        } else {
            hca.log("function disabled, no page left");
        }
        owned.clear();
        addresses.clear();
        demand = 0;
        denied = false;
        booted = false;
    }
}
