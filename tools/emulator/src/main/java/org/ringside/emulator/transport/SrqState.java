package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;
import org.ringside.mlx5.layout.WqeLayout;

/**
 * A shared receive queue (PRM, Shared Receive Queue; Linux SRQ, XRC SRQ and RMP alike). Software
 * may give WQEs back in any order, so they are a list: each starts with a segment that names the
 * next one.
 *
 * <pre>
 *         head: consumed next
 *         v
 *   +---+---+---+---+---+---+
 *   | 0 | 1 | 2 | 3 | 4 | 5 |     next_wqe_index of 1 says 4: 4 is consumed after it
 *   +---+---+---+---+---+---+     how many are posted says the doorbell record, a counter
 *         '-----------^
 * </pre>
 */
public final class SrqState {
    /** XRC domain of a queue that is in none. */
    public static final int NO_XRCD = 0;

    /** User index that asks for the queue's number in CQEs (CQE version 0). */
    public static final int NO_USER_INDEX = 0xff_ffff;

    private static final int MAX_LOG_SIZE = 15; // Counters have 16 bits; full must not look empty.
    private static final int NEXT_INDEX_MASK = 0xffff;

    final int number;
    final int pd;
    final int xrcd;
    final int userIndex;
    final @Nullable CqState cq;
    final PageList pages;
    final int logSize;
    final int stride;
    final long doorbellRecord;

    /** Index of the WQE that is consumed next. */
    int head;

    /** WQEs consumed, 16 bits. */
    int consumed;

    /** Counter of the doorbell record, as last read, 16 bits. */
    int producer;

    /** The counter could not be true when it was last read; that was told. */
    boolean recordDoubted;

    /** With fewer WQEs than these an event is raised, once; 0 when nobody asked for one. */
    int limit;

    private @Nullable HostRing ring;
    private @Nullable HostRecord record;

    /**
     * @param number 24 bits, as QPs name it; WQEs of XRC initiators too
     * @param pd protection domain of its WQEs, for XRC also of what initiators access
     * @param xrcd XRC domain, or {@link #NO_XRCD}
     * @param userIndex what CQEs of XRC receives carry, or {@link #NO_USER_INDEX}
     * @param cq completions of XRC receives; others complete to the CQ of their QP
     * @param pages the ring
     * @param logSize log2 of the WQEs
     * @param stride bytes of a WQE, a power of two of at least 32
     * @param doorbellRecord IO virtual address of a big-endian word: WQEs posted
     */
    public SrqState(
            int number,
            int pd,
            int xrcd,
            int userIndex,
            @Nullable CqState cq,
            PageList pages,
            int logSize,
            int stride,
            long doorbellRecord) {
        if (logSize < 0 || logSize > MAX_LOG_SIZE) {
            throw new IllegalArgumentException("SRQ of 2^%d WQEs".formatted(logSize));
        }
        if (stride < 2 * WqeLayout.DS || Integer.bitCount(stride) != 1) {
            throw new IllegalArgumentException("an SRQ WQE of %d bytes".formatted(stride));
        }
        if ((long) stride << logSize > pages.length()) {
            throw new IllegalArgumentException(
                    "2^%d WQEs of %d bytes are not in %s".formatted(logSize, stride, pages));
        }
        this.number = number;
        this.pd = pd;
        this.xrcd = xrcd;
        this.userIndex = userIndex;
        this.cq = cq;
        this.pages = pages;
        this.logSize = logSize;
        this.stride = stride;
        this.doorbellRecord = doorbellRecord;
    }

    /** Number. */
    public int number() {
        return number;
    }

    /** Protection domain of its WQEs. */
    public int pd() {
        return pd;
    }

    /** The limit that is armed, 0 when none is: QUERY_SRQ lwm. */
    public int limit() {
        return limit;
    }

    /** WQEs consumed, 16 bits. */
    public int consumed() {
        return consumed;
    }

    /** Whether XRC targets of a domain may take from it. */
    boolean takesXrc(int domain) {
        return cq != null && xrcd != NO_XRCD && xrcd == domain;
    }

    /** What CQEs carry besides the QPN. */
    int cqeIndex() {
        return userIndex == NO_USER_INDEX ? number : userIndex;
    }

    void attach(HostMemory memory) {
        ring = new HostRing(pages, memory, false);
        record = new HostRecord(doorbellRecord, memory);
    }

    HostRing ring() {
        if (ring == null) {
            throw new IllegalStateException(this + " belongs to no engine");
        }
        return ring;
    }

    /** Counter of the doorbell record, 32 bits. */
    int postedWord() {
        if (record == null) {
            throw new IllegalStateException(this + " belongs to no engine");
        }
        return record.word(0);
    }

    /** WQEs that are posted, as far as known. */
    int available() {
        return producer - consumed & 0xffff;
    }

    /** Where a WQE starts in the ring. */
    long offset(int index) {
        return (long) (index & (1 << logSize) - 1) * stride;
    }

    /** Index that the WQE names as the one after it. */
    int next(int index) {
        return ring().getWord(offset(index)) & NEXT_INDEX_MASK;
    }

    @Override
    public String toString() {
        return "SRQ 0x%x".formatted(number);
    }
}
