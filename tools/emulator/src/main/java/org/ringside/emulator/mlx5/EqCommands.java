package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.CreateEqIn;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.DestroyEqIn;
import org.ringside.mlx5.layout.DestroyEqOut;
import org.ringside.mlx5.layout.Eqc;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryEqIn;
import org.ringside.mlx5.layout.QueryEqOut;
import org.ringside.mlx5.layout.StructField;

/** CREATE_EQ, DESTROY_EQ, QUERY_EQ. */
final class EqCommands implements CommandTable.CommandGroup {
    private static final StructField EQC = CreateEqIn.EQ_CONTEXT_ENTRY;
    private static final StructField OUT = QueryEqOut.EQ_CONTEXT_ENTRY;

    private final Hca hca;

    EqCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_EQ,
                        CreateEqIn.LAYOUT,
                        CreateEqOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_EQ, DestroyEqIn.LAYOUT, DestroyEqOut.LAYOUT, this::destroy));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_EQ,
                        QueryEqIn.LAYOUT,
                        QueryEqOut.LAYOUT,
                        this::query,
                        Flag.OUTPUT_LIST));
    }

    private void create(Command c) {
        c.requireZero(EQC, Eqc.STATUS, Eqc.EC, Eqc.ST, Eqc.CONSUMER_COUNTER, Eqc.PRODUCER_COUNTER);
        int logSize =
                (int)
                        c.atMost(
                                EQC,
                                Eqc.LOG_EQ_SIZE,
                                CapabilityTables.LOG_MAX_EQ_SIZE,
                                "log_max_eq_sz");
        long vector = c.get(EQC, Eqc.INTR);
        if (vector >= hca.options().vectors()) {
            throw Refusal.of(
                    Reason.BAD_INDEX, "MSI-X vector %d of %d", vector, hca.options().vectors());
        }
        UarPage uar = hca.uars().table().get(c.get(EQC, Eqc.UAR_PAGE));
        long[] events = new long[CreateEqIn.EVENT_BITMASK.count()];
        for (int i = 0; i < events.length; i++) {
            events[i] = CreateEqIn.EVENT_BITMASK.get(c.in(), 0, i);
            if (i > 0 && events[i] != 0) {
                throw Refusal.of(Reason.UNSUPPORTED, "event mask word %d is 0x%x", i, events[i]);
            }
        }
        RingPages pages =
                RingPages.of(
                        c,
                        EQC,
                        Eqc.LOG_PAGE_SIZE,
                        Eqc.PAGE_OFFSET,
                        CreateEqIn.PAS,
                        (long) EventQueue.ENTRY << logSize,
                        hca.dma());
        EventQueue eq =
                new EventQueue(
                        pages.ring(), logSize, (int) vector, uar, events, c.isSet(EQC, Eqc.OI));
        eq.checkOwners(hca);
        int number = hca.events().table().add(eq);
        uar.addEq();
        c.put(CreateEqOut.EQ_NUMBER, number);
    }

    private void destroy(Command c) {
        EventQueue eq = hca.events().table().remove(c.get(DestroyEqIn.EQ_NUMBER));
        eq.uar().removeEq();
    }

    private void query(Command c) {
        EventQueue eq = hca.events().table().get(c.get(QueryEqIn.EQ_NUMBER));
        c.put(OUT, Eqc.STATUS, eq.isFailed() ? EventQueue.WRITE_FAILURE : 0);
        c.put(OUT, Eqc.OI, eq.isOverrunIgnored() ? 1 : 0);
        c.put(OUT, Eqc.ST, eq.isArmed() ? EventQueue.STATE_ARMED : EventQueue.STATE_FIRED);
        c.put(OUT, Eqc.LOG_EQ_SIZE, eq.logSize());
        c.put(OUT, Eqc.UAR_PAGE, eq.uar().index());
        c.put(OUT, Eqc.INTR, eq.vector());
        c.put(OUT, Eqc.CONSUMER_COUNTER, eq.consumerIndex());
        c.put(OUT, Eqc.PRODUCER_COUNTER, eq.producerIndex());
        c.put(QueryEqOut.EVENT_BITMASK, eq.eventMask());
    }
}
