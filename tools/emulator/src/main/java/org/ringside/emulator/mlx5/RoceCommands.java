package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.transport.Wire;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryRoceAddressIn;
import org.ringside.mlx5.layout.QueryRoceAddressOut;
import org.ringside.mlx5.layout.RoceAddrLayout;
import org.ringside.mlx5.layout.RoceCap;
import org.ringside.mlx5.layout.SetRoceAddressIn;
import org.ringside.mlx5.layout.SetRoceAddressOut;

/** The table of RoCE addresses: what is in a row is on the wire. */
final class RoceCommands implements CommandTable.CommandGroup {
    private static final int ROCE_V2 = 2;
    private static final int IPV4 = 0;
    private static final int IPV6 = 1;
    private static final long IPV4_MAPPED = 0xffffL;

    private final Hca hca;
    private final MemorySegment[] rows = new MemorySegment[CapabilityTables.ROCE_ADDRESSES];

    RoceCommands(Hca hca) {
        this.hca = hca;
        for (int i = 0; i < rows.length; i++) {
            rows[i] = MemorySegment.ofArray(new byte[RoceAddrLayout.LAYOUT.byteSize()]);
        }
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.SET_ROCE_ADDRESS,
                        SetRoceAddressIn.LAYOUT,
                        SetRoceAddressOut.LAYOUT,
                        this::set));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_ROCE_ADDRESS,
                        QueryRoceAddressIn.LAYOUT,
                        QueryRoceAddressOut.LAYOUT,
                        this::query));
    }

    private void set(Command c) {
        c.requireZero(SetRoceAddressIn.VHCA_PORT_NUM);
        int index = row(c.get(SetRoceAddressIn.ROCE_ADDRESS_INDEX));
        long base = SetRoceAddressIn.ROCE_ADDRESS.offset();
        byte[] gid = RoceAddrLayout.SOURCE_L3_ADDRESS.getBytes(c.in(), base);
        MemorySegment segment = MemorySegment.ofArray(gid);
        long high = Bits.big64(segment, 0);
        long low = Bits.big64(segment, 8);
        if ((high | low) != 0) {
            checkRoce();
            check(c, high, low);
        }
        MemorySegment.copy(c.in(), base, rows[index], 0, RoceAddrLayout.LAYOUT.byteSize());
        hca.engine().setGid(index, high, low);
    }

    private Wire wire() {
        return hca.wire();
    }

    private void checkRoce() {
        if (!hca.port().isRoceEnabled()) {
            throw new Refusal(Reason.ROCE_OFF, "roce_en of the NIC vport context is 0");
        }
    }

    private static void check(Command c, long high, long low) {
        long version = c.get(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.ROCE_VERSION);
        if (version != ROCE_V2) {
            throw Refusal.of(Reason.UNSUPPORTED, "RoCE version %d; 2 is v2", version);
        }
        long type = c.get(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.ROCE_L3_TYPE);
        boolean mapped = high == 0 && low >>> 32 == IPV4_MAPPED;
        if (type != IPV4 && type != IPV6 || (type == IPV4) != mapped) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "L3 type %d (0 IPv4, 1 IPv6) of GID %016x%016x",
                    type,
                    high,
                    low);
        }
        boolean mac =
                c.isSet(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.SOURCE_MAC_47_32)
                        || c.isSet(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.SOURCE_MAC_31_0);
        if (!mac) {
            throw new Refusal(Reason.OUT_OF_RANGE, "source MAC is zero");
        }
        if (!c.isSet(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.VLAN_VALID)) {
            c.requireZero(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.VLAN_ID);
        }
    }

    private void query(Command c) {
        c.requireZero(QueryRoceAddressIn.VHCA_PORT_NUM);
        int index = row(c.get(QueryRoceAddressIn.ROCE_ADDRESS_INDEX));
        if (!wire().hasGid(hca.engine(), index)) {
            return; // Empty, or from before TEARDOWN_HCA.
        }
        MemorySegment.copy(
                rows[index],
                0,
                c.out(),
                QueryRoceAddressOut.ROCE_ADDRESS.offset(),
                RoceAddrLayout.LAYOUT.byteSize());
    }

    private int row(long index) {
        long size = hca.capabilities().get(CapabilityGroup.ROCE, RoceCap.ROCE_ADDRESS_TABLE_SIZE);
        if (index >= size) {
            throw Refusal.of(Reason.BAD_INDEX, "row %d of a RoCE address table of %d", index, size);
        }
        return (int) index;
    }
}
