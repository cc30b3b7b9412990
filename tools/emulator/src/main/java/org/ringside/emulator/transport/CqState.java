package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;

/**
 * A completion queue in host memory (PRM, Completion Queue Context).
 *
 * <pre>
 *          consumer index (doorbell record word 0)
 *          |           producer index (device)
 *          v           v
 *   +---+---+---+---+---+---+---+---+    owner bit of a slot = producer index &gt;&gt; log2(size),
 *   |   |CQE|CQE|CQE|   |   |   |   |    so it changes with each lap
 *   +---+---+---+---+---+---+---+---+
 * </pre>
 */
public final class CqState {
    final int cqn;
    int eqn;
    int logSize;
    int cqeBytes;
    PageList pages;
    final long doorbellRecord;
    boolean overrunIgnored;
    final int uar;

    /** Next CQE to write, not masked. */
    int producer;

    /** Consumer index as last read from the record, extended to the producer's width. */
    int consumer;

    /** Whether any CQE was solicited so far: had the SE bit, or was an error. */
    boolean hasSolicited;

    /** One past the last solicited CQE. */
    int solicitedEnd;

    /** Whether an arm request waits for a CQE. */
    boolean armed;

    /** Whether only a solicited CQE satisfies it. */
    boolean armedSolicited;

    /** Sequence number (0 to 3) of the request that waits. */
    int armSequence;

    /** Sequence number of the request that was satisfied last, −1 before the first. */
    int firedSequence = -1;

    /** A CQE was lost: nothing is written any more. */
    boolean failed;

    @Nullable HostRing ring;
    @Nullable HostRecord record;

    /**
     * @param cqn number
     * @param eqn event queue of its completion events
     * @param uar page whose doorbells arm it
     * @param logSize log2 of the CQEs
     * @param cqeBytes 64, or 128 with the CQE in the second half
     * @param pages the ring
     * @param doorbellRecord IO virtual address of two big-endian words: consumer index, arm request
     * @param overrunIgnored whether CQEs may be overwritten before they were consumed (oi)
     */
    public CqState(
            int cqn,
            int eqn,
            int uar,
            int logSize,
            int cqeBytes,
            PageList pages,
            long doorbellRecord,
            boolean overrunIgnored) {
        if (cqeBytes != 64 && cqeBytes != 128) {
            throw new IllegalArgumentException("a CQE has 64 or 128 bytes, not " + cqeBytes);
        }
        if (logSize < 0 || logSize > 22 || (long) cqeBytes << logSize > pages.length()) {
            throw new IllegalArgumentException(
                    "CQ 0x%x: 2^%d CQEs of %d bytes are not in %s"
                            .formatted(cqn, logSize, cqeBytes, pages));
        }
        this.cqn = cqn;
        this.eqn = eqn;
        this.uar = uar;
        this.logSize = logSize;
        this.cqeBytes = cqeBytes;
        this.pages = pages;
        this.doorbellRecord = doorbellRecord;
        this.overrunIgnored = overrunIgnored;
    }

    /** Number. */
    public int cqn() {
        return cqn;
    }

    /** Event queue of its completion events. */
    public int eqn() {
        return eqn;
    }

    /** Page whose doorbells arm it. */
    public int uar() {
        return uar;
    }

    /** CQEs written so far, 24 bits: what QUERY_CQ shows. */
    public int producerIndex() {
        return producer & 0xff_ffff;
    }

    /** Consumer index as the device last read it, 24 bits. */
    public int consumerIndex() {
        return consumer & 0xff_ffff;
    }

    /** Whether a CQE was lost; the queue is of no use then. */
    public boolean isFailed() {
        return failed;
    }

    /** Whether an arm request waits for a CQE. */
    public boolean isArmed() {
        return armed;
    }

    /** Takes completion events to another event queue. */
    public void eqn(int number) {
        eqn = number;
    }

    /** Whether CQEs may be overwritten before they were consumed (oi). */
    public void overrunIgnored(boolean ignored) {
        overrunIgnored = ignored;
    }

    void attach(HostMemory memory) {
        ring = new HostRing(pages, memory, true);
        record = new HostRecord(doorbellRecord, memory);
    }

    @Override
    public String toString() {
        return "CQ 0x%x".formatted(cqn);
    }
}
