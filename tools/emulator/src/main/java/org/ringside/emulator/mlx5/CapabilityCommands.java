package org.ringside.emulator.mlx5;

import static org.ringside.emulator.mlx5.HcaState.ENABLED;
import static org.ringside.emulator.mlx5.HcaState.INITIALIZED;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.SetHcaCapIn;
import org.ringside.mlx5.layout.SetHcaCapOut;

/** QUERY_HCA_CAP and SET_HCA_CAP. */
final class CapabilityCommands implements CommandTable.CommandGroup {
    private final Hca hca;

    CapabilityCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                                Opcode.QUERY_HCA_CAP,
                                QueryHcaCapIn.LAYOUT,
                                QueryHcaCapOut.LAYOUT,
                                this::query,
                                Flag.OP_MOD,
                                Flag.OUTPUT_CUT)
                        .in(ENABLED, INITIALIZED));
        table.add(
                CommandSpec.of(
                                Opcode.SET_HCA_CAP,
                                SetHcaCapIn.LAYOUT,
                                SetHcaCapOut.LAYOUT,
                                this::set,
                                Flag.OP_MOD)
                        .in(ENABLED));
    }

    private void query(Command c) {
        c.requireZero(QueryHcaCapIn.OTHER_FUNCTION);
        c.requireZero(QueryHcaCapIn.EC_VF_FUNCTION);
        c.requireZero(QueryHcaCapIn.FUNCTION_ID);
        boolean current = (c.opMod() & 1) != 0;
        hca.capabilities().query(c.opMod() >>> 1, current, c.out(), QueryHcaCapOut.CAPABILITY);
    }

    private void set(Command c) {
        c.requireZero(SetHcaCapIn.OTHER_FUNCTION);
        c.requireZero(SetHcaCapIn.EC_VF_FUNCTION);
        c.requireZero(SetHcaCapIn.FUNCTION_ID);
        if ((c.opMod() & 1) != 0) {
            throw Refusal.of(
                    Reason.UNKNOWN_OP_MOD, "op_mod 0x%x: bit 0 has no meaning here", c.opMod());
        }
        hca.capabilities().set(c.opMod() >>> 1, c.in(), SetHcaCapIn.CAPABILITY);
    }
}
