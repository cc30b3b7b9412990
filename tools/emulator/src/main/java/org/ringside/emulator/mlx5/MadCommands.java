package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.MadIfcIn;
import org.ringside.mlx5.layout.MadIfcOut;
import org.ringside.mlx5.layout.Opcode;

/** MAD_IFC: a management datagram straight to the port's own agents, not over the wire. */
final class MadCommands implements CommandTable.CommandGroup {
    /** op_mod bits: do not look at the M_Key, the B_Key. Nobody has set one. */
    private static final int IGNORE_KEYS = 3;

    private final Hca hca;
    private final SubnetAgent agent;

    MadCommands(Hca hca) {
        this.hca = hca;
        this.agent = new SubnetAgent(hca);
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.MAD_IFC,
                        MadIfcIn.LAYOUT,
                        MadIfcOut.LAYOUT,
                        this::handle,
                        Flag.OP_MOD));
    }

    private void handle(Command c) {
        if (!hca.port().isInfiniBand()) {
            throw new Refusal(Reason.NOT_FOR_THIS_FUNCTION, "the port is Ethernet");
        }
        if ((c.opMod() & ~IGNORE_KEYS) != 0) {
            throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod is 0x%x", c.opMod());
        }
        if (c.get(MadIfcIn.PORT) != 1) {
            throw Refusal.of(Reason.BAD_INDEX, "port %d; there is only 1", c.get(MadIfcIn.PORT));
        }
        c.requireZero(MadIfcIn.PLANE_INDEX);
        MemorySegment mad = c.out().asSlice(MadIfcOut.RESPONSE_MAD_PACKET.offset(), Smp.BYTES);
        MemorySegment.copy(c.in(), MadIfcIn.MAD.offset(), mad, 0, Smp.BYTES);
        Smp smp = new Smp(mad);
        switch (smp.managementClass()) {
            case Smp.CLASS_LID_ROUTED, Smp.CLASS_DIRECTED_ROUTE -> agent.handle(smp);
            default -> smp.answer(Smp.STATUS_BAD_METHOD);
        }
    }
}
