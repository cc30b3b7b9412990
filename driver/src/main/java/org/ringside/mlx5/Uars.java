package org.ringside.mlx5;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.AllocUarIn;
import org.ringside.mlx5.layout.AllocUarOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.DeallocUarIn;
import org.ringside.mlx5.layout.DeallocUarOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Uar;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.Mmio;

/**
 * User access regions: pages of BAR0 with doorbells (Adapters PRM, UAR). UAR n is at n × 4096.
 *
 * <p>Policy: each QP has a page of its own, so that no doorbell of one meets that of another. When
 * the device has no more pages, QPs share the least used one; that is right too, as only plain
 * 8-byte doorbells are used there, just slower.
 *
 * <p>Threading: under the context's lock.
 */
final class Uars {
    private final CommandQueue commands;
    private final Mmio bar;
    private final List<Page> pages = new ArrayList<>();

    Uars(CommandQueue commands, Mmio bar) {
        this.commands = commands;
        this.bar = bar;
    }

    /** One page. */
    static final class Page {
        final int index;
        final Mmio registers;

        /** QPs on it. */
        private int users;

        Page(int index, Mmio registers) {
            this.index = index;
            this.registers = registers;
        }
    }

    /** A page that is not given to QPs. */
    Page allocate() throws VerbsException {
        Command command =
                commands.execute(
                        new Command(Opcode.ALLOC_UAR, AllocUarIn.LAYOUT, AllocUarOut.LAYOUT));
        int index = (int) command.get(AllocUarOut.UAR);
        long at = (long) index * Uar.PAGE_SIZE;
        if (at + Uar.PAGE_SIZE > bar.size()) {
            free(index);
            throw new VerbsException(
                    VerbsException.EIO,
                    "ALLOC_UAR returned page %d, which is beyond BAR0 of 0x%x bytes"
                            .formatted(index, bar.size()));
        }
        return new Page(index, bar.slice(at, Uar.PAGE_SIZE));
    }

    /** A page for a QP: its own while there are any. */
    Page forQp() throws VerbsException {
        Page page;
        try {
            page = allocate();
            pages.add(page);
        } catch (CommandException e) {
            Page least = leastUsed();
            boolean exhausted =
                    e.status() == CommandStatus.NO_RES || e.status() == CommandStatus.LIM_ERR;
            if (!exhausted || least == null) {
                throw e;
            }
            page = least;
        }
        page.users++;
        return page;
    }

    /** A QP does not use its page any more. */
    void releaseFromQp(Page page) throws VerbsException {
        page.users--;
        if (page.users == 0) {
            pages.remove(page);
            free(page.index);
        }
    }

    void free(int index) throws VerbsException {
        var _ =
                commands.execute(
                        new Command(Opcode.DEALLOC_UAR, DeallocUarIn.LAYOUT, DeallocUarOut.LAYOUT)
                                .set(DeallocUarIn.UAR, index));
    }

    private @Nullable Page leastUsed() {
        Page least = null;
        for (Page page : pages) {
            if (least == null || page.users < least.users) {
                least = page;
            }
        }
        return least;
    }
}
