package org.ringside.emulator.mlx5;

import org.ringside.mlx5.layout.ArrayField;
import org.ringside.mlx5.layout.AttachToMcgIn;
import org.ringside.mlx5.layout.AttachToMcgOut;
import org.ringside.mlx5.layout.DetachFromMcgIn;
import org.ringside.mlx5.layout.DetachFromMcgOut;
import org.ringside.mlx5.layout.Opcode;

/** ATTACH_TO_MCG and DETACH_FROM_MCG: which datagram QPs hear which multicast groups. */
final class McgCommands implements CommandTable.CommandGroup {
    private final Hca hca;

    McgCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.ATTACH_TO_MCG,
                        AttachToMcgIn.LAYOUT,
                        AttachToMcgOut.LAYOUT,
                        this::attach));
        table.add(
                CommandSpec.of(
                        Opcode.DETACH_FROM_MCG,
                        DetachFromMcgIn.LAYOUT,
                        DetachFromMcgOut.LAYOUT,
                        this::detach));
    }

    private static long half(Command c, ArrayField gid, int at) {
        return Bits.big64(c.in(), gid.offset() + (long) at);
    }

    private void attach(Command c) {
        Objects.Qp qp = hca.objects().qps().get(c.get(AttachToMcgIn.QPN));
        if (!qp.state().service().isDatagram()) {
            throw Refusal.of(
                    Reason.OBJECT_STATE,
                    "%s is of service %s; multicast is for datagrams",
                    qp.state(),
                    qp.state().service());
        }
        ArrayField gid = AttachToMcgIn.MULTICAST_GID;
        hca.engine().attach(qp.state(), half(c, gid, 0), half(c, gid, Long.BYTES));
    }

    private void detach(Command c) {
        Objects.Qp qp = hca.objects().qps().get(c.get(DetachFromMcgIn.QPN));
        ArrayField gid = DetachFromMcgIn.MULTICAST_GID;
        long high = half(c, gid, 0);
        long low = half(c, gid, Long.BYTES);
        if (!hca.engine().detach(qp.state(), high, low)) {
            throw Refusal.of(
                    Reason.NO_SUCH_OBJECT, "%s is not in group %016x%016x", qp.state(), high, low);
        }
    }
}
