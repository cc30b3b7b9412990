package org.ringside.emulator.mlx5;

import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CreateUctxIn;
import org.ringside.mlx5.layout.CreateUctxOut;
import org.ringside.mlx5.layout.DestroyUctxIn;
import org.ringside.mlx5.layout.DestroyUctxOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Uctx;

/**
 * CREATE_UCTX, DESTROY_UCTX: contexts of processes that give commands of their own (DEVX). What a
 * command with the number (uid) of one makes belongs to it, and it can name nothing that belongs to
 * another, nor what the driver keeps for itself.
 *
 * <p>Source: Linux drivers/infiniband/hw/mlx5/devx.c, mlx5_ib_devx_create.
 */
final class UctxCommands implements CommandTable.CommandGroup {
    private final Hca hca;

    UctxCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_UCTX,
                        CreateUctxIn.LAYOUT,
                        CreateUctxOut.LAYOUT,
                        this::create));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_UCTX,
                        DestroyUctxIn.LAYOUT,
                        DestroyUctxOut.LAYOUT,
                        c -> hca.objects().userContexts().remove(c.get(DestroyUctxIn.UID))));
    }

    private void create(Command c) {
        ObjectTable<HwObject.Plain> contexts = hca.objects().userContexts();
        int most = (1 << hca.capabilities().get(CmdHcaCap.LOG_MAX_UCTX)) - 1;
        if (most == 0) {
            throw Refusal.of(Reason.UNSUPPORTED, "log_max_uctx is 0: there are no user contexts");
        }
        if (contexts.size() >= most) {
            throw Refusal.of(Reason.NONE_LEFT, "all %d user contexts are in use", most);
        }
        long wanted = c.get(CreateUctxIn.UCTX, Uctx.CAP);
        long allowed = hca.capabilities().get(CmdHcaCap.UCTX_CAP);
        if ((wanted & ~allowed) != 0) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "uctx.cap 0x%x, of which the function's uctx_cap has 0x%x",
                    wanted,
                    allowed);
        }
        c.put(CreateUctxOut.UID, contexts.add(new HwObject.Plain()));
    }
}
