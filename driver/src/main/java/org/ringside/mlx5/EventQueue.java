package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ringside.mlx5.layout.CreateEqIn;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.DestroyEqIn;
import org.ringside.mlx5.layout.DestroyEqOut;
import org.ringside.mlx5.layout.Eqc;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Uar;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * An event queue: a ring that the device writes (Adapters PRM, Event Queues; Linux eq.c).
 *
 * <pre>
 *   index  0 ... n-1 | n ... 2n-1 | 2n ...
 *   owner     0      |     1      |  0        once written; the ring starts with 1 everywhere
 * </pre>
 *
 * <p>Threading: consumed by the event thread only.
 */
final class EventQueue implements AutoCloseable {
    /**
     * Entries beyond those asked for. While a burst is consumed the device must see the consumer
     * index move before it has filled these.
     */
    static final int SPARE = 0x80;

    private static final int PAGE = 4096;
    private static final int OWNER = 63;
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final CommandQueue commands;
    private final DmaMemory memory;
    private final MemorySegment ring;
    private final Uars.Page uar;
    private final int log;
    private final int vector;
    private final int number;
    private int consumer;
    private int sinceUpdate;
    private boolean armed;

    /**
     * Creates it on the device, not armed.
     *
     * @param vector MSI-X vector that it fires when armed
     * @param eventMask bit n for event type n; 0 for an EQ of completions only
     */
    EventQueue(
            String device,
            CommandQueue commands,
            DmaSpace dma,
            Uars.Page uar,
            int vector,
            int entries,
            long eventMask)
            throws VerbsException {
        this.commands = commands;
        this.uar = uar;
        this.vector = vector;
        this.log = Integer.SIZE - Integer.numberOfLeadingZeros(entries + SPARE - 1);
        int bytes = Eqe.LAYOUT.byteSize() << log;
        try {
            this.memory = dma.allocate(Math.max(bytes, PAGE), PAGE);
        } catch (VfioException e) {
            throw Failures.of(device, "allocating an event queue", e);
        }
        this.ring = memory.segment();
        for (long at = OWNER; at < bytes; at += Eqe.LAYOUT.byteSize()) {
            ring.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
        }
        try {
            this.number = create(eventMask, Math.max(bytes, PAGE) / PAGE);
        } catch (VerbsException e) {
            memory.close();
            throw e;
        }
    }

    private int create(long eventMask, int pages) throws VerbsException {
        Command command =
                new Command(
                                Opcode.CREATE_EQ,
                                CreateEqIn.LAYOUT,
                                CreateEqIn.PAS.byteSizeWith(pages),
                                CreateEqOut.LAYOUT,
                                CreateEqOut.LAYOUT.byteSize())
                        .set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.LOG_EQ_SIZE, log)
                        .set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.UAR_PAGE, uar.index)
                        .set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.INTR, vector)
                        .set(CreateEqIn.EVENT_BITMASK, 0, eventMask);
        for (int i = 0; i < pages; i++) {
            command.set(CreateEqIn.PAS, i, memory.iova() + (long) i * PAGE);
        }
        return (int) commands.execute(command).get(CreateEqOut.EQ_NUMBER);
    }

    /** EQ number. */
    int number() {
        return number;
    }

    /** MSI-X vector. */
    int vector() {
        return vector;
    }

    /**
     * The next entry that the device has written.
     *
     * @return its byte offset in {@link #ring()}, -1 when there is none
     */
    int next() {
        int at = (consumer & (1 << log) - 1) * Eqe.LAYOUT.byteSize();
        int owner = (byte) BYTE.getAcquire(ring, (long) at + OWNER) & 1;
        if (owner != (consumer >>> log & 1)) {
            return -1;
        }
        consumer++;
        armed = false;
        if (++sinceUpdate >= SPARE) {
            update(Uar.EQ_CONSUMER);
        }
        return at;
    }

    MemorySegment ring() {
        return ring;
    }

    /**
     * Lets the device reuse what was consumed and asks for an interrupt at the next entry. Nothing
     * to do when nothing was consumed since the last time: the device fires only for an entry.
     */
    void arm() {
        if (!armed) {
            update(Uar.EQ_ARM);
            armed = true;
        }
    }

    private void update(int doorbell) {
        Barriers.consumedBeforeDoorbell();
        uar.registers.putInt(doorbell, Integer.reverseBytes(Uar.eqWord(number, consumer)));
        sinceUpdate = 0;
    }

    /** Destroys it on the device and gives the memory back. */
    void destroy() throws VerbsException {
        var _ =
                commands.execute(
                        new Command(Opcode.DESTROY_EQ, DestroyEqIn.LAYOUT, DestroyEqOut.LAYOUT)
                                .set(DestroyEqIn.EQ_NUMBER, number));
        close();
    }

    /** Gives the memory back; the device does not write it any more. */
    @Override
    public void close() {
        memory.close();
    }

    @Override
    public String toString() {
        return "EQ " + number + " on vector " + vector;
    }
}
