package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.AllocQCounterIn;
import org.ringside.mlx5.layout.AllocQCounterOut;
import org.ringside.mlx5.layout.AllocTransportDomainIn;
import org.ringside.mlx5.layout.AllocTransportDomainOut;
import org.ringside.mlx5.layout.AllocUarIn;
import org.ringside.mlx5.layout.AllocUarOut;
import org.ringside.mlx5.layout.AllocXrcdIn;
import org.ringside.mlx5.layout.AllocXrcdOut;
import org.ringside.mlx5.layout.DeallocPdIn;
import org.ringside.mlx5.layout.DeallocPdOut;
import org.ringside.mlx5.layout.DeallocQCounterIn;
import org.ringside.mlx5.layout.DeallocQCounterOut;
import org.ringside.mlx5.layout.DeallocTransportDomainIn;
import org.ringside.mlx5.layout.DeallocTransportDomainOut;
import org.ringside.mlx5.layout.DeallocUarIn;
import org.ringside.mlx5.layout.DeallocUarOut;
import org.ringside.mlx5.layout.DeallocXrcdIn;
import org.ringside.mlx5.layout.DeallocXrcdOut;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Opcode;

/** Objects that are hardly more than a number: UAR, PD, transport domain, XRC domain, Q counter. */
final class SimpleCommands implements CommandTable.CommandGroup {
    private final Hca hca;

    SimpleCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.ALLOC_UAR,
                        AllocUarIn.LAYOUT,
                        AllocUarOut.LAYOUT,
                        c -> c.put(AllocUarOut.UAR, hca.uars().allocate().index())));
        table.add(
                CommandSpec.of(
                        Opcode.DEALLOC_UAR,
                        DeallocUarIn.LAYOUT,
                        DeallocUarOut.LAYOUT,
                        c -> hca.uars().free(c.get(DeallocUarIn.UAR))));
        Objects objects = hca.objects();
        alloc(
                table,
                Opcode.ALLOC_PD,
                AllocPdIn.LAYOUT,
                AllocPdOut.LAYOUT,
                objects.pds(),
                AllocPdOut.PD);
        dealloc(
                table,
                Opcode.DEALLOC_PD,
                DeallocPdIn.LAYOUT,
                DeallocPdOut.LAYOUT,
                objects.pds(),
                DeallocPdIn.PD);
        alloc(
                table,
                Opcode.ALLOC_TRANSPORT_DOMAIN,
                AllocTransportDomainIn.LAYOUT,
                AllocTransportDomainOut.LAYOUT,
                objects.transportDomains(),
                AllocTransportDomainOut.TRANSPORT_DOMAIN);
        dealloc(
                table,
                Opcode.DEALLOC_TRANSPORT_DOMAIN,
                DeallocTransportDomainIn.LAYOUT,
                DeallocTransportDomainOut.LAYOUT,
                objects.transportDomains(),
                DeallocTransportDomainIn.TRANSPORT_DOMAIN);
        alloc(
                table,
                Opcode.ALLOC_XRCD,
                AllocXrcdIn.LAYOUT,
                AllocXrcdOut.LAYOUT,
                objects.xrcds(),
                AllocXrcdOut.XRCD);
        dealloc(
                table,
                Opcode.DEALLOC_XRCD,
                DeallocXrcdIn.LAYOUT,
                DeallocXrcdOut.LAYOUT,
                objects.xrcds(),
                DeallocXrcdIn.XRCD);
        alloc(
                table,
                Opcode.ALLOC_Q_COUNTER,
                AllocQCounterIn.LAYOUT,
                AllocQCounterOut.LAYOUT,
                objects.counters(),
                AllocQCounterOut.COUNTER_SET_ID);
        dealloc(
                table,
                Opcode.DEALLOC_Q_COUNTER,
                DeallocQCounterIn.LAYOUT,
                DeallocQCounterOut.LAYOUT,
                objects.counters(),
                DeallocQCounterIn.COUNTER_SET_ID);
    }

    private static void alloc(
            CommandTable table,
            int opcode,
            Layout in,
            Layout out,
            ObjectTable<HwObject.Plain> objects,
            Field number) {
        table.add(
                CommandSpec.of(
                        opcode,
                        in,
                        out,
                        c -> c.put(number, objects.add(new HwObject.Plain())),
                        Flag.TAKES_PAGES));
    }

    private static void dealloc(
            CommandTable table,
            int opcode,
            Layout in,
            Layout out,
            ObjectTable<HwObject.Plain> objects,
            Field number) {
        table.add(CommandSpec.of(opcode, in, out, c -> objects.remove(c.get(number))));
    }
}
