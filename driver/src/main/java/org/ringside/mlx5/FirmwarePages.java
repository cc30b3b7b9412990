package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.ringside.mlx5.layout.ManagePagesIn;
import org.ringside.mlx5.layout.ManagePagesOp;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryPagesIn;
import org.ringside.mlx5.layout.QueryPagesOut;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * Host memory that firmware works in (Adapters PRM, Device Initialization, Pages; Linux
 * pagealloc.c). It says how much it wants at boot and before INIT_HCA, asks for more by event
 * whenever it likes, and gives back on request.
 *
 * <p>What goes beyond the budget is refused with "cannot give", so that firmware fails the command
 * that needed it instead of the host running dry.
 *
 * <p>Threading: any thread; commands run outside the lock.
 */
final class FirmwarePages {
    private static final Logger LOG = System.getLogger(FirmwarePages.class.getName());

    /** Pages in one command: a list of 4 KiB. */
    private static final int BATCH = 512;

    private final String device;
    private final CommandQueue commands;
    private final int budget;
    private final PagePool pool;
    private int peak;
    private long refused;

    FirmwarePages(String device, CommandQueue commands, DmaSpace dma, Mlx5Options options) {
        this.device = device;
        this.commands = commands;
        this.budget = options.pageBudget();
        this.pool = new PagePool(dma);
    }

    /** Pages that firmware has now. */
    synchronized int given() {
        return pool.used();
    }

    /** The most it ever had. */
    synchronized int peak() {
        return peak;
    }

    /** Pages that it asked for and did not get. */
    synchronized long refused() {
        return refused;
    }

    /**
     * Asks how many pages a stage needs and gives them.
     *
     * @param stage {@link org.ringside.mlx5.layout.QueryPagesStage}
     */
    void satisfy(int stage) throws VerbsException {
        Command query =
                commands.execute(
                        new Command(Opcode.QUERY_PAGES, QueryPagesIn.LAYOUT, QueryPagesOut.LAYOUT)
                                .opMod(stage));
        int wanted = (int) query.get(QueryPagesOut.NUM_PAGES);
        // Some firmware answers with a number below zero when it wants nothing.
        if (wanted > 0) {
            give((int) query.get(QueryPagesOut.FUNCTION_ID), wanted);
        }
    }

    /**
     * Answers a PAGE_REQUEST event.
     *
     * @param count pages wanted; below zero, pages to take back
     */
    void request(int functionId, int count) throws VerbsException {
        if (count > 0) {
            give(functionId, count);
        } else if (count < 0) {
            var _ = take(functionId, Math.negateExact(count));
        }
    }

    /** Gives pages; when there are not enough, tells firmware so and fails. */
    private void give(int functionId, int count) throws VerbsException {
        synchronized (this) {
            if (count > budget - pool.used()) {
                refused += count;
                LOG.log(
                        Level.WARNING,
                        "{0}: firmware wants {1} more pages, has {2}, may have {3}; raise"
                                + " -Dringside.mlx5.pageBudget",
                        device,
                        count,
                        pool.used(),
                        budget);
            }
        }
        int left = count;
        while (left > 0) {
            int batch = Math.min(left, BATCH);
            Command command = manage(ManagePagesOp.GIVE, functionId, batch, batch, 0);
            try {
                fill(command, batch);
            } catch (VerbsException e) {
                cannotGive(functionId, e);
                throw e;
            }
            try {
                var _ = commands.execute(command);
            } catch (CommandException e) {
                // Refused as a whole: firmware has none of them.
                takeBack(command, batch);
                cannotGive(functionId, e);
                throw e;
            }
            left -= batch;
        }
    }

    private synchronized void fill(Command command, int batch) throws VerbsException {
        if (batch > budget - pool.used()) {
            throw new VerbsException(
                    VerbsException.ENOMEM,
                    ("%s: firmware has %d pages and wants %d more, the budget is %d; raise"
                                    + " -Dringside.mlx5.pageBudget")
                            .formatted(device, pool.used(), batch, budget));
        }
        for (int i = 0; i < batch; i++) {
            try {
                command.set(ManagePagesIn.PAS, i, pool.take());
            } catch (VfioException e) {
                takeBack(command, i);
                throw Failures.of(device, "getting pages for firmware", e);
            }
        }
        peak = Math.max(peak, pool.used());
    }

    private synchronized void takeBack(Command command, int count) {
        for (int i = 0; i < count; i++) {
            var _ = pool.giveBack(ManagePagesIn.PAS.get(command.in(), 0, i));
        }
    }

    private void cannotGive(int functionId, VerbsException why) {
        try {
            var _ = commands.execute(manage(ManagePagesOp.CANNOT_GIVE, functionId, 0, 0, 0));
        } catch (VerbsException e) {
            why.addSuppressed(e);
        }
    }

    /**
     * Asks for pages back.
     *
     * @return how many came, perhaps fewer
     */
    private int take(int functionId, int count) throws VerbsException {
        int total = 0;
        while (total < count) {
            int batch = Math.min(count - total, BATCH);
            Command command =
                    commands.execute(manage(ManagePagesOp.TAKE, functionId, batch, 0, batch));
            int came = (int) Math.min(command.get(ManagePagesOut.OUTPUT_NUM_ENTRIES), batch);
            synchronized (this) {
                for (int i = 0; i < came; i++) {
                    long iova = command.get(ManagePagesOut.PAS, i);
                    if (!pool.giveBack(iova)) {
                        LOG.log(
                                Level.WARNING,
                                "{0}: firmware gave back page 0x{1}, which it did not have",
                                device,
                                Long.toHexString(iova));
                    }
                }
            }
            total += came;
            if (came == 0) {
                break;
            }
        }
        return total;
    }

    /** After TEARDOWN_HCA: takes pages until firmware has none. */
    void takeAll() throws VerbsException {
        for (int left = given(); left > 0; left = given()) {
            if (take(0, left) == 0) {
                throw new VerbsException(
                        VerbsException.EBUSY,
                        "%s: firmware keeps %d pages that it was asked to give back"
                                .formatted(device, left));
            }
        }
    }

    private static Command manage(int op, int functionId, int entries, int listIn, int listOut) {
        return new Command(
                        Opcode.MANAGE_PAGES,
                        ManagePagesIn.LAYOUT,
                        ManagePagesIn.PAS.byteSizeWith(listIn),
                        ManagePagesOut.LAYOUT,
                        ManagePagesOut.PAS.byteSizeWith(listOut))
                .opMod(op)
                .set(ManagePagesIn.FUNCTION_ID, functionId)
                .set(ManagePagesIn.INPUT_NUM_ENTRIES, entries);
    }
}
