package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.record.Recorder;
import org.ringside.emulator.transport.PageList;
import org.ringside.mlx5.layout.Eqe;

/**
 * An event queue: a ring of 64-byte EQEs in host memory (PRM, Event Queue Context).
 *
 * <pre>
 *        consumer (doorbell)     producer (device)
 *             v                       v
 *   +-----+-----+-----+-----+-----+-----+-----+-----+    owner bit of an EQE =
 *   |     | EQE | EQE | EQE | EQE |     |     |     |    producer >> log size & 1;
 *   +-----+-----+-----+-----+-----+-----+-----+-----+    all 1 at the start
 *
 *   ARMED --EQE written: interrupt--> FIRED --arm doorbell--> ARMED
 * </pre>
 */
final class EventQueue extends HwObject {
    static final int LOG_ENTRY = 6;
    static final int ENTRY = 1 << LOG_ENTRY;
    static final int INDEX_MASK = 0xff_ffff;

    /** Context status: 0, or what an EQ has that ran over. */
    static final int WRITE_FAILURE = 0xa;

    /** Context st. */
    static final int STATE_ARMED = 0x9;

    static final int STATE_FIRED = 0xa;

    private static final int OWNER_DWORD = Eqe.OWNER.dword();

    private final PageList ring;
    private final int logSize;
    private final int vector;
    private final UarPage uar;
    private final long[] events;
    private final boolean overrunIgnored;
    private final MemorySegment entry = MemorySegment.ofArray(new byte[ENTRY]);
    private int producer;
    private int consumer;
    private boolean armed;
    private boolean failed;

    /**
     * @param ring memory of the EQEs
     * @param logSize log2 of the EQEs
     * @param vector MSI-X vector
     * @param uar page of its doorbells
     * @param events bitmask of the events that it wants, 64 to a word
     * @param overrunIgnored whether EQEs may be overwritten before they were consumed
     */
    EventQueue(
            PageList ring,
            int logSize,
            int vector,
            UarPage uar,
            long[] events,
            boolean overrunIgnored) {
        this.ring = ring;
        this.logSize = logSize;
        this.vector = vector;
        this.uar = uar;
        this.events = events;
        this.overrunIgnored = overrunIgnored;
    }

    boolean wants(int event) {
        return (events[event >>> 6] >>> event & 1) != 0;
    }

    long eventMask() {
        return events[0];
    }

    UarPage uar() {
        return uar;
    }

    int vector() {
        return vector;
    }

    int logSize() {
        return logSize;
    }

    boolean isOverrunIgnored() {
        return overrunIgnored;
    }

    boolean isArmed() {
        return armed;
    }

    boolean isFailed() {
        return failed;
    }

    int producerIndex() {
        return producer & INDEX_MASK;
    }

    int consumerIndex() {
        return consumer & INDEX_MASK;
    }

    /**
     * Writes an EQE, the dword with the owner bit last.
     *
     * @param data 28 bytes at 0x20 of the EQE
     */
    void write(Hca hca, int type, int subType, MemorySegment data) {
        if (failed) {
            return;
        }
        if (!overrunIgnored && producer - consumer == 1 << logSize) {
            failed = true;
            hca.findings()
                    .report(
                            Finding.Kind.EVENT_QUEUE,
                            "%s has no room for event type 0x%x: %d EQEs, consumer index %d"
                                    .formatted(this, type, 1 << logSize, consumerIndex()));
            return;
        }
        entry.fill((byte) 0);
        Eqe.EVENT_TYPE.set(entry, 0, type);
        Eqe.EVENT_SUB_TYPE.set(entry, 0, subType);
        MemorySegment.copy(data, 0, entry, Eqe.EVENT_DATA.offset(), data.byteSize());
        long at = ring.iova((long) (producer & ((1 << logSize) - 1)) << LOG_ENTRY);
        hca.dma().write(at, entry, 0, OWNER_DWORD);
        int owner = producer >>> logSize & 1;
        Eqe.OWNER.set(entry, 0, owner);
        hca.dma().putInt(at + OWNER_DWORD, Integer.reverseBytes(Eqe.OWNER.insert(0, owner)));
        Recorder recorder = hca.recorder();
        if (recorder != null) {
            recorder.eqe(index(), producer & INDEX_MASK, entry);
        }
        producer++;
        if (armed) {
            fire(hca);
        }
    }

    /**
     * A doorbell: the driver has consumed up to an index.
     *
     * @param index 24 bits
     * @param arm whether it wants an interrupt for what comes next, or is there already
     */
    void doorbell(Hca hca, int index, boolean arm) {
        int consumed = index - consumer & INDEX_MASK;
        if (consumed > producer - consumer) {
            hca.findings()
                    .report(
                            Finding.Kind.DOORBELL,
                            "%s: consumer index %d is not between %d and the producer's %d"
                                    .formatted(this, index, consumerIndex(), producerIndex()));
            return;
        }
        consumer += consumed;
        if (arm) {
            armed = true;
            if (producer != consumer) {
                fire(hca);
            }
        }
    }

    private void fire(Hca hca) {
        armed = false;
        hca.host().raise(vector);
    }

    /** Notes EQEs that do not start in software's hands: the driver would read them as events. */
    void checkOwners(Hca hca) {
        for (int i = 0; i < 1 << logSize; i++) {
            long at = ring.iova((long) i << LOG_ENTRY) + OWNER_DWORD;
            if (Eqe.OWNER.extract(Integer.reverseBytes(hca.dma().getInt(at))) != 1) {
                hca.findings()
                        .report(
                                Finding.Kind.EVENT_QUEUE,
                                "CREATE_EQ: EQE %d of %d does not start with owner bit 1"
                                        .formatted(i, 1 << logSize));
                return;
            }
        }
    }

    @Override
    public String toString() {
        return "EQ 0x%x".formatted(index());
    }
}
