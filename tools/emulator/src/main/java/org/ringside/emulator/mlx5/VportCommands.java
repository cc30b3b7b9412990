package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.Engine;
import org.ringside.emulator.transport.PortTraffic;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.ModifyNicVportContextIn;
import org.ringside.mlx5.layout.ModifyNicVportContextOut;
import org.ringside.mlx5.layout.ModifyNicVportFieldSelect;
import org.ringside.mlx5.layout.NicVportContext;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryNicVportContextIn;
import org.ringside.mlx5.layout.QueryNicVportContextOut;
import org.ringside.mlx5.layout.QueryVportCounterIn;
import org.ringside.mlx5.layout.QueryVportCounterOut;
import org.ringside.mlx5.layout.QueryVportStateIn;
import org.ringside.mlx5.layout.QueryVportStateOut;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.TrafficCounter;

/** The function's virtual port: MAC address, MTU, RoCE, state. */
final class VportCommands implements CommandTable.CommandGroup {
    private static final int OWN_VPORT = 0;
    private static final int ADMIN_DOWN = 0;
    private static final int ADMIN_UP = 1;
    private static final int ADMIN_FOLLOWS = 2;

    private final Hca hca;

    VportCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_NIC_VPORT_CONTEXT,
                        QueryNicVportContextIn.LAYOUT,
                        QueryNicVportContextOut.LAYOUT,
                        this::queryContext,
                        Flag.OUTPUT_LIST));
        table.add(
                CommandSpec.of(
                        Opcode.MODIFY_NIC_VPORT_CONTEXT,
                        ModifyNicVportContextIn.LAYOUT,
                        ModifyNicVportContextOut.LAYOUT,
                        this::modifyContext));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_VPORT_STATE,
                        QueryVportStateIn.LAYOUT,
                        QueryVportStateOut.LAYOUT,
                        this::queryState,
                        Flag.OP_MOD));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_VPORT_COUNTER,
                        QueryVportCounterIn.LAYOUT,
                        QueryVportCounterOut.LAYOUT,
                        this::queryCounters));
    }

    /** port_num may be given where there is but one. */
    private void queryCounters(Command c) {
        c.requireZero(QueryVportCounterIn.OTHER_VPORT);
        c.requireZero(QueryVportCounterIn.VPORT_NUMBER);
        if (c.get(QueryVportCounterIn.PORT_NUM) > 1) {
            throw Refusal.of(
                    Reason.BAD_INDEX,
                    "port_num %d of a function with one port",
                    c.get(QueryVportCounterIn.PORT_NUM));
        }
        Engine engine = hca.engine();
        put(
                c,
                engine.unicast(),
                QueryVportCounterOut.TRANSMITTED_IB_UNICAST,
                QueryVportCounterOut.RECEIVED_IB_UNICAST);
        put(
                c,
                engine.multicast(),
                QueryVportCounterOut.TRANSMITTED_IB_MULTICAST,
                QueryVportCounterOut.RECEIVED_IB_MULTICAST);
        if (QueryVportCounterIn.CLEAR.isSet(c.in(), 0)) {
            engine.unicast().clear();
            engine.multicast().clear();
        }
    }

    private static void put(
            Command c, PortTraffic traffic, StructField sent, StructField received) {
        c.put(sent, TrafficCounter.PACKETS, traffic.sentPackets());
        c.put(sent, TrafficCounter.OCTETS, traffic.sentOctets());
        c.put(received, TrafficCounter.PACKETS, traffic.receivedPackets());
        c.put(received, TrafficCounter.OCTETS, traffic.receivedOctets());
    }

    private void queryContext(Command c) {
        c.requireZero(QueryNicVportContextIn.OTHER_VPORT);
        c.requireZero(QueryNicVportContextIn.VPORT_NUMBER);
        MemorySegment.copy(
                hca.port().context(),
                0,
                c.out(),
                QueryNicVportContextOut.NIC_VPORT_CONTEXT.offset(),
                NicVportContext.LAYOUT.byteSize());
        c.put(
                QueryNicVportContextOut.NIC_VPORT_CONTEXT,
                NicVportContext.ALLOWED_LIST_TYPE,
                c.get(QueryNicVportContextIn.ALLOWED_LIST_TYPE));
    }

    /** Takes the selected fields; what is not selected is not looked at. */
    private void modifyContext(Command c) {
        c.requireZero(ModifyNicVportContextIn.OTHER_VPORT);
        c.requireZero(ModifyNicVportContextIn.VPORT_NUMBER);
        c.requireZero(
                ModifyNicVportContextIn.FIELD_SELECT,
                ModifyNicVportFieldSelect.AFFILIATION,
                ModifyNicVportFieldSelect.CHANGE_EVENT,
                ModifyNicVportFieldSelect.ADDRESSES_LIST,
                ModifyNicVportFieldSelect.PERMANENT_ADDRESS,
                ModifyNicVportFieldSelect.MIN_INLINE);
        if (selects(c, ModifyNicVportFieldSelect.MTU)) {
            hca.port()
                    .setMtu(c.get(ModifyNicVportContextIn.NIC_VPORT_CONTEXT, NicVportContext.MTU));
        }
        take(c, ModifyNicVportFieldSelect.MTU, NicVportContext.MTU);
        take(c, ModifyNicVportFieldSelect.ROCE_EN, NicVportContext.ROCE_EN);
        take(c, ModifyNicVportFieldSelect.DISABLE_UC_LOCAL_LB, NicVportContext.DISABLE_UC_LOCAL_LB);
        take(c, ModifyNicVportFieldSelect.DISABLE_MC_LOCAL_LB, NicVportContext.DISABLE_MC_LOCAL_LB);
        take(c, ModifyNicVportFieldSelect.NODE_GUID, NicVportContext.NODE_GUID);
        take(c, ModifyNicVportFieldSelect.PORT_GUID, NicVportContext.PORT_GUID);
        take(c, ModifyNicVportFieldSelect.PROMISC, NicVportContext.PROMISC_UC);
        take(c, ModifyNicVportFieldSelect.PROMISC, NicVportContext.PROMISC_MC);
        take(c, ModifyNicVportFieldSelect.PROMISC, NicVportContext.PROMISC_ALL);
    }

    private static boolean selects(Command c, Field selector) {
        return c.isSet(ModifyNicVportContextIn.FIELD_SELECT, selector);
    }

    private void take(Command c, Field selector, Field field) {
        if (selects(c, selector)) {
            long value = c.get(ModifyNicVportContextIn.NIC_VPORT_CONTEXT, field);
            field.set(hca.port().context(), 0, value);
        }
    }

    private void queryState(Command c) {
        c.requireZero(QueryVportStateIn.OTHER_VPORT);
        c.requireZero(QueryVportStateIn.VPORT_NUMBER);
        if (c.opMod() != OWN_VPORT) {
            throw Refusal.of(
                    Reason.NOT_FOR_THIS_FUNCTION,
                    "op_mod %d: the function has no e-switch and no uplink",
                    c.opMod());
        }
        boolean vf = !hca.options().profile().isPhysical();
        int admin = hca.port().isAdminUp() ? ADMIN_UP : ADMIN_DOWN;
        c.put(QueryVportStateOut.ADMIN_STATE, vf ? ADMIN_FOLLOWS : admin);
        c.put(QueryVportStateOut.STATE, hca.port().isUp() ? 1 : 0);
    }
}
