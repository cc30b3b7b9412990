package org.ringside.emulator.mlx5;

import static org.ringside.emulator.mlx5.HcaState.ENABLED;
import static org.ringside.emulator.mlx5.HcaState.INITIALIZED;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.ManagePagesIn;
import org.ringside.mlx5.layout.ManagePagesOp;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryPagesIn;
import org.ringside.mlx5.layout.QueryPagesOut;
import org.ringside.mlx5.layout.QueryPagesStage;

/** QUERY_PAGES and MANAGE_PAGES. */
final class PageCommands implements CommandTable.CommandGroup {
    private static final int MAX_PER_COMMAND = 1 << 16;

    private final Hca hca;

    PageCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                                Opcode.QUERY_PAGES,
                                QueryPagesIn.LAYOUT,
                                QueryPagesOut.LAYOUT,
                                this::query,
                                Flag.OP_MOD,
                                Flag.WITHOUT_PAGES)
                        .in(ENABLED, INITIALIZED));
        table.add(
                CommandSpec.of(
                                Opcode.MANAGE_PAGES,
                                ManagePagesIn.LAYOUT,
                                ManagePagesOut.LAYOUT,
                                this::manage,
                                Flag.OP_MOD,
                                Flag.WITHOUT_PAGES,
                                Flag.INPUT_LIST,
                                Flag.OUTPUT_LIST)
                        .in(ENABLED, INITIALIZED));
    }

    private void query(Command c) {
        c.requireZero(QueryPagesIn.FUNCTION_ID);
        c.requireZero(QueryPagesIn.EMBEDDED_CPU_FUNCTION);
        long pages =
                switch (c.opMod()) {
                    case QueryPagesStage.BOOT -> hca.pages().bootDemand();
                    case QueryPagesStage.INIT -> hca.pages().initDemand();
                    case QueryPagesStage.REGULAR -> hca.pages().regularDemand();
                    default ->
                            throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod %d; 1 to 3", c.opMod());
                };
        c.put(QueryPagesOut.NUM_PAGES, pages);
    }

    private void manage(Command c) {
        c.requireZero(ManagePagesIn.FUNCTION_ID);
        c.requireZero(ManagePagesIn.EMBEDDED_CPU_FUNCTION);
        long entries = c.get(ManagePagesIn.INPUT_NUM_ENTRIES);
        if (entries > MAX_PER_COMMAND) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "%d pages; at most %d", entries, MAX_PER_COMMAND);
        }
        int count = (int) entries;
        switch (c.opMod()) {
            case ManagePagesOp.CANNOT_GIVE -> {
                c.requireInput(ManagePagesIn.LAYOUT.byteSize(), "no list");
                c.requireOutput(ManagePagesOut.LAYOUT.byteSize(), "no list");
                hca.pages().deny();
            }
            case ManagePagesOp.GIVE -> {
                c.requireOutput(ManagePagesOut.LAYOUT.byteSize(), "no list");
                hca.pages().give(c.list(ManagePagesIn.PAS, count));
            }
            case ManagePagesOp.TAKE -> {
                c.requireInput(ManagePagesIn.LAYOUT.byteSize(), "no list");
                c.requireOutput(
                        ManagePagesOut.PAS.byteSizeWith(count), "a list of " + count + " pages");
                take(c, count);
            }
            default -> throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod %d; 0 to 2", c.opMod());
        }
    }

    private void take(Command c, int wanted) {
        int count = hca.pages().reclaimable(wanted);
        for (int i = 0; i < count; i++) {
            ManagePagesOut.PAS.set(c.out(), 0, i, hca.pages().release());
        }
        c.put(ManagePagesOut.OUTPUT_NUM_ENTRIES, count);
    }
}
