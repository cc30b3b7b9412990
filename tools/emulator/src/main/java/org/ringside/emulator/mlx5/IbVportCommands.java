package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.Array128Auto;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.HcaVportContext;
import org.ringside.mlx5.layout.ModifyHcaVportContextIn;
import org.ringside.mlx5.layout.ModifyHcaVportContextOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Pkey;
import org.ringside.mlx5.layout.QueryHcaVportContextIn;
import org.ringside.mlx5.layout.QueryHcaVportContextOut;
import org.ringside.mlx5.layout.QueryHcaVportGidIn;
import org.ringside.mlx5.layout.QueryHcaVportGidOut;
import org.ringside.mlx5.layout.QueryHcaVportPkeyIn;
import org.ringside.mlx5.layout.QueryHcaVportPkeyOut;
import org.ringside.mlx5.layout.StructField;

/** The virtual InfiniBand port: context, GIDs, P_Keys. Functions on Ethernet have none. */
final class IbVportCommands implements CommandTable.CommandGroup {
    private static final int ALL_ROWS = 0xffff;
    private static final int LOG_SMALLEST_GID_TABLE = 3;
    private static final int LOG_SMALLEST_PKEY_TABLE = 7;
    private static final StructField CONTEXT = ModifyHcaVportContextIn.HCA_VPORT_CONTEXT;

    private final Hca hca;

    IbVportCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_HCA_VPORT_CONTEXT,
                        QueryHcaVportContextIn.LAYOUT,
                        QueryHcaVportContextOut.LAYOUT,
                        this::queryContext));
        table.add(
                CommandSpec.of(
                        Opcode.MODIFY_HCA_VPORT_CONTEXT,
                        ModifyHcaVportContextIn.LAYOUT,
                        ModifyHcaVportContextOut.LAYOUT,
                        this::modifyContext));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_HCA_VPORT_GID,
                        QueryHcaVportGidIn.LAYOUT,
                        QueryHcaVportGidOut.LAYOUT,
                        this::queryGid,
                        Flag.OUTPUT_LIST));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_HCA_VPORT_PKEY,
                        QueryHcaVportPkeyIn.LAYOUT,
                        QueryHcaVportPkeyOut.LAYOUT,
                        this::queryPkey,
                        Flag.OUTPUT_LIST));
    }

    private IbVport vport(Command c, Field otherVport, Field vportNumber, Field portNumber) {
        if (!hca.capabilities().has(CmdHcaCap.IB_VIRT)) {
            throw new Refusal(Reason.NOT_FOR_THIS_FUNCTION, "ib_virt is 0");
        }
        c.requireZero(otherVport);
        c.requireZero(vportNumber);
        if (c.get(portNumber) > 1) {
            throw Refusal.of(Reason.BAD_INDEX, "port_num %d; there is only 1", c.get(portNumber));
        }
        return hca.port().infiniBand();
    }

    private void queryContext(Command c) {
        vport(
                        c,
                        QueryHcaVportContextIn.OTHER_VPORT,
                        QueryHcaVportContextIn.VPORT_NUMBER,
                        QueryHcaVportContextIn.PORT_NUM)
                .describe(c.out(), QueryHcaVportContextOut.HCA_VPORT_CONTEXT.offset());
    }

    /**
     * Of its own vport a function may change capabilities that software has; the rest is the SM's.
     */
    private void modifyContext(Command c) {
        IbVport vport =
                vport(
                        c,
                        ModifyHcaVportContextIn.OTHER_VPORT,
                        ModifyHcaVportContextIn.VPORT_NUMBER,
                        ModifyHcaVportContextIn.PORT_NUM);
        if (c.isSet(CONTEXT, HcaVportContext.FIELD_SELECT)) {
            throw Refusal.of(
                    Reason.NOT_FOR_THIS_FUNCTION,
                    "field_select 0x%x: policy and GUIDs are for vports of others",
                    c.get(CONTEXT, HcaVportContext.FIELD_SELECT));
        }
        c.requireZero(CONTEXT, HcaVportContext.CAP_MASK2_FIELD_SELECT);
        vport.changeCapabilities(
                (int) c.get(CONTEXT, HcaVportContext.CAP_MASK1),
                (int) c.get(CONTEXT, HcaVportContext.CAP_MASK1_FIELD_SELECT));
    }

    private void queryGid(Command c) {
        IbVport vport =
                vport(
                        c,
                        QueryHcaVportGidIn.OTHER_VPORT,
                        QueryHcaVportGidIn.VPORT_NUMBER,
                        QueryHcaVportGidIn.PORT_NUM);
        int size =
                1
                        << LOG_SMALLEST_GID_TABLE
                                + (int) hca.capabilities().get(CmdHcaCap.GID_TABLE_SIZE);
        int index = (int) c.get(QueryHcaVportGidIn.GID_INDEX);
        int count = rows(c, index, size, QueryHcaVportGidOut.GID);
        c.put(QueryHcaVportGidOut.GIDS_NUM, size);
        for (int i = 0; i < count; i++) {
            int row = index == ALL_ROWS ? i : index;
            long at = QueryHcaVportGidOut.GID.offset(i) + Array128Auto.ARRAY128_AUTO.offset();
            Bits.big64(c.out(), at, vport.gidHigh(row));
            Bits.big64(c.out(), at + Long.BYTES, vport.gidLow(row));
        }
    }

    private void queryPkey(Command c) {
        IbVport vport =
                vport(
                        c,
                        QueryHcaVportPkeyIn.OTHER_VPORT,
                        QueryHcaVportPkeyIn.VPORT_NUMBER,
                        QueryHcaVportPkeyIn.PORT_NUM);
        int size =
                1
                        << LOG_SMALLEST_PKEY_TABLE
                                + (int) hca.capabilities().get(CmdHcaCap.PKEY_TABLE_SIZE);
        int index = (int) c.get(QueryHcaVportPkeyIn.PKEY_INDEX);
        int count = rows(c, index, size, QueryHcaVportPkeyOut.PKEY);
        for (int i = 0; i < count; i++) {
            int row = index == ALL_ROWS ? i : index;
            Pkey.PKEY.set(c.out(), QueryHcaVportPkeyOut.PKEY.offset(i), vport.pkey(row));
        }
    }

    /** How many rows a query asks for; the output must have room for just these. */
    private static int rows(Command c, int index, int size, StructField list) {
        if (index != ALL_ROWS && index >= size) {
            throw Refusal.of(Reason.BAD_INDEX, "%s %d of a table of %d", list.name(), index, size);
        }
        int count = index == ALL_ROWS ? size : 1;
        c.requireOutput(
                list.offset() + count * list.layout().byteSize(),
                count + " rows of " + list.name());
        return count;
    }
}
