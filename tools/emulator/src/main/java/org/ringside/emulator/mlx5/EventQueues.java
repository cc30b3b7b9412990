package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.transport.CqState;
import org.ringside.emulator.transport.EngineEvents;
import org.ringside.emulator.transport.QpState;
import org.ringside.emulator.transport.SrqState;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.PagesReqEvent;

/** All EQs of a function, and the events that go to them. */
final class EventQueues implements EngineEvents {
    /** EQNs have 8 bits. */
    static final int LIMIT = 64;

    // Dwords of an EQE's data (Linux device.h: mlx5_eqe_comp, _cq_err, _qp_srq, _cmd, _port_state).
    private static final int COMPLETION_CQN = 24;
    private static final int CQ_ERROR_CQN = 0;
    private static final int CQ_ERROR_SYNDROME = 8;
    private static final int QPN = 24;
    private static final int PORT = 8;
    private static final int PORT_SHIFT = 28;

    private static final ValueLayout.OfInt BE32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(java.nio.ByteOrder.BIG_ENDIAN);

    private final Hca hca;
    private final ObjectTable<EventQueue> table;
    private final MemorySegment data =
            MemorySegment.ofArray(new byte[(int) Eqe.EVENT_DATA.bitWidth() / Byte.SIZE]);

    EventQueues(Hca hca) {
        this.hca = hca;
        this.table = new ObjectTable<>("EQ", 1, LIMIT, hca.caller());
    }

    ObjectTable<EventQueue> table() {
        return table;
    }

    void clear() {
        table.clear();
    }

    /** A command is answered; nothing happens as long as no EQ wants to know. */
    void commandDone(int slot) {
        data.fill((byte) 0);
        data.set(BE32, 0, 1 << slot);
        raise(EventType.CMD, 0);
    }

    /** Asks for pages; false when no EQ would carry the request. */
    boolean requestPages(int pages) {
        data.fill((byte) 0);
        PagesReqEvent.NUM_PAGES.set(data, 0, pages);
        return raise(EventType.PAGE_REQUEST, 0);
    }

    /** The port changed: {@link org.ringside.mlx5.layout.PortChange}. */
    void portChange(int subType) {
        data.fill((byte) 0);
        data.set(BE32, PORT, 1 << PORT_SHIFT);
        raise(EventType.PORT_CHANGE, subType);
    }

    @Override
    public void completion(CqState cq) {
        EventQueue eq = table.find(cq.eqn());
        if (eq == null) {
            throw new IllegalStateException(
                    cq + " names EQ 0x%x, which is not there".formatted(cq.eqn()));
        }
        data.fill((byte) 0);
        data.set(BE32, COMPLETION_CQN, cq.cqn());
        write(eq, EventType.COMP, 0);
    }

    @Override
    public void cqError(CqState cq, int syndrome) {
        data.fill((byte) 0);
        data.set(BE32, CQ_ERROR_CQN, cq.cqn());
        data.set(BE32, CQ_ERROR_SYNDROME, syndrome);
        raise(EventType.CQ_ERROR, 0);
    }

    @Override
    public void qpEvent(QpState qp, int type) {
        data.fill((byte) 0);
        data.set(BE32, QPN, qp.qpn());
        raise(type, 0);
    }

    @Override
    public boolean keyMoved(int index, int pd) {
        Objects.Mkey mkey = hca.objects().mkeys().get(index);
        HwObject.Plain next = hca.objects().pds().find(pd);
        if (next == null) {
            return false;
        }
        mkey.pd.removeUser();
        next.addUser();
        mkey.pd = next;
        return true;
    }

    /** Whether some EQ would carry an event of that type. */
    boolean wants(int type) {
        return table.list().stream().anyMatch(eq -> eq.wants(type));
    }

    @Override
    public void srqLimit(SrqState srq) {
        data.fill((byte) 0);
        data.set(BE32, QPN, srq.number());
        raise(EventType.SRQ_RQ_LIMIT, 0);
    }

    private boolean raise(int type, int subType) {
        boolean carried = false;
        for (EventQueue eq : table.list()) {
            if (eq.wants(type)) {
                write(eq, type, subType);
                carried = true;
            }
        }
        return carried;
    }

    private void write(EventQueue eq, int type, int subType) {
        try {
            eq.write(hca, type, subType, data);
        } catch (DmaFault e) {
            hca.findings()
                    .report(
                            Finding.Kind.DMA,
                            "%s: %s; event type 0x%x is lost".formatted(eq, e.getMessage(), type));
        }
    }
}
