package org.ringside.mlx5;

import java.util.Arrays;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.MacAddressLayout;
import org.ringside.mlx5.layout.ModifyNicVportContextIn;
import org.ringside.mlx5.layout.ModifyNicVportContextOut;
import org.ringside.mlx5.layout.ModifyNicVportFieldSelect;
import org.ringside.mlx5.layout.NicVportContext;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryNicVportContextIn;
import org.ringside.mlx5.layout.QueryNicVportContextOut;
import org.ringside.mlx5.layout.QueryVportStateIn;
import org.ringside.mlx5.layout.QueryVportStateOut;
import org.ringside.mlx5.layout.RoceAddrLayout;
import org.ringside.mlx5.layout.RoceCap;
import org.ringside.mlx5.layout.SetRoceAddressIn;
import org.ringside.mlx5.layout.SetRoceAddressOut;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.VerbsException;

/**
 * The Ethernet port of a function as RoCE sees it: MAC, MTU, state and the table of GIDs, which is
 * ours to fill, there being no kernel (Adapters PRM, NIC vport context, SET_ROCE_ADDRESS).
 *
 * <p>Threading: under the context's lock.
 */
final class RocePort {
    private static final int ROCE_V2 = 2;
    private static final int L3_IPV4 = 0;
    private static final int L3_IPV6 = 1;

    /**
     * Bytes around the payload of the largest RoCEv2 packet: IPv6, UDP, BTH, AtomicETH, ICRC ...
     */
    private static final int OVERHEAD = 96;

    private static final int USUAL_MTU = 1500;

    private final CommandQueue commands;
    private final Capabilities caps;
    private final long mac;
    private final long nodeGuid;
    private int ethernetMtu;
    private final Gid[] gids;

    private RocePort(
            CommandQueue commands, Capabilities caps, long mac, long nodeGuid, int ethernetMtu) {
        this.commands = commands;
        this.caps = caps;
        this.mac = mac;
        this.nodeGuid = nodeGuid;
        this.ethernetMtu = ethernetMtu;
        this.gids = new Gid[Math.max(1, (int) caps.roce(RoceCap.ROCE_ADDRESS_TABLE_SIZE))];
        Arrays.fill(gids, Gid.NONE);
    }

    /** Asks the device who it is. */
    static RocePort query(CommandQueue commands, Capabilities caps) throws VerbsException {
        Command answer =
                commands.execute(
                        new Command(
                                Opcode.QUERY_NIC_VPORT_CONTEXT,
                                QueryNicVportContextIn.LAYOUT,
                                QueryNicVportContextOut.LAYOUT));
        int at =
                QueryNicVportContextOut.NIC_VPORT_CONTEXT.offset()
                        + NicVportContext.PERMANENT_ADDRESS.offset();
        long mac =
                MacAddressLayout.MAC_ADDR_47_32.get(answer.out(), at) << 32
                        | MacAddressLayout.MAC_ADDR_31_0.get(answer.out(), at);
        int mtu = (int) answer.get(QueryNicVportContextOut.NIC_VPORT_CONTEXT, NicVportContext.MTU);
        return new RocePort(
                commands,
                caps,
                mac,
                answer.get(QueryNicVportContextOut.NIC_VPORT_CONTEXT, NicVportContext.NODE_GUID),
                mtu);
    }

    /** Switches RoCE on or off, and with it lets packets to our own addresses come back to us. */
    void enableRoce(boolean on) throws VerbsException {
        Command command =
                new Command(
                                Opcode.MODIFY_NIC_VPORT_CONTEXT,
                                ModifyNicVportContextIn.LAYOUT,
                                ModifyNicVportContextOut.LAYOUT)
                        .set(
                                ModifyNicVportContextIn.FIELD_SELECT,
                                ModifyNicVportFieldSelect.ROCE_EN,
                                true)
                        .set(
                                ModifyNicVportContextIn.NIC_VPORT_CONTEXT,
                                NicVportContext.ROCE_EN,
                                on);
        if (on && caps.has(CmdHcaCap.DISABLE_LOCAL_LB_UC)) {
            command.set(
                    ModifyNicVportContextIn.FIELD_SELECT,
                    ModifyNicVportFieldSelect.DISABLE_UC_LOCAL_LB,
                    true);
        }
        var _ = commands.execute(command);
    }

    /** Lets our own frames be as large as the port's. */
    void useMtu(int portMtu) throws VerbsException {
        if (portMtu <= ethernetMtu) {
            return;
        }
        var _ =
                commands.execute(
                        new Command(
                                        Opcode.MODIFY_NIC_VPORT_CONTEXT,
                                        ModifyNicVportContextIn.LAYOUT,
                                        ModifyNicVportContextOut.LAYOUT)
                                .set(
                                        ModifyNicVportContextIn.FIELD_SELECT,
                                        ModifyNicVportFieldSelect.MTU,
                                        true)
                                .set(
                                        ModifyNicVportContextIn.NIC_VPORT_CONTEXT,
                                        NicVportContext.MTU,
                                        portMtu));
        ethernetMtu = portMtu;
    }

    /** Whether the port can move data. */
    boolean isUp() throws VerbsException {
        Command answer =
                commands.execute(
                        new Command(
                                Opcode.QUERY_VPORT_STATE,
                                QueryVportStateIn.LAYOUT,
                                QueryVportStateOut.LAYOUT));
        return answer.get(QueryVportStateOut.STATE) == 1;
    }

    long mac() {
        return mac;
    }

    long nodeGuid() {
        return nodeGuid;
    }

    /** The largest path MTU whose packets fit in a frame. */
    Mtu activeMtu() {
        int room = (ethernetMtu == 0 ? USUAL_MTU : ethernetMtu) - OVERHEAD;
        int code = Mtu.MTU_256.code();
        while (code < Mtu.MTU_4096.code() && Mtu.ofCode(code + 1).bytes() <= room) {
            code++;
        }
        return Mtu.ofCode(code);
    }

    /** Entries of the GID table. */
    int gidTableLength() {
        return gids.length;
    }

    Gid gid(int index) {
        return gids[index];
    }

    /** Whether one of our own entries is that GID: the peer is on this function. */
    boolean isOwn(Gid gid) {
        for (Gid own : gids) {
            if (!own.equals(Gid.NONE) && own.equals(gid)) {
                return true;
            }
        }
        return false;
    }

    /** Sets an entry as RoCEv2 over our MAC; {@link Gid#NONE} empties it. */
    void setGid(int index, Gid gid) throws VerbsException {
        Command command =
                new Command(
                                Opcode.SET_ROCE_ADDRESS,
                                SetRoceAddressIn.LAYOUT,
                                SetRoceAddressOut.LAYOUT)
                        .set(SetRoceAddressIn.ROCE_ADDRESS_INDEX, index);
        if (caps.general(CmdHcaCap.NUM_VHCA_PORTS) > 0) {
            command.set(SetRoceAddressIn.VHCA_PORT_NUM, 1);
        }
        if (!gid.equals(Gid.NONE)) {
            int at = SetRoceAddressIn.ROCE_ADDRESS.offset();
            RoceAddrLayout.SOURCE_L3_ADDRESS.setBytes(command.in(), at, gid.bytes());
            RoceAddrLayout.SOURCE_MAC_47_32.set(command.in(), at, mac >>> 32);
            RoceAddrLayout.SOURCE_MAC_31_0.set(command.in(), at, mac & 0xffff_ffffL);
            RoceAddrLayout.ROCE_VERSION.set(command.in(), at, ROCE_V2);
            RoceAddrLayout.ROCE_L3_TYPE.set(
                    command.in(), at, gid.isIpv4Mapped() ? L3_IPV4 : L3_IPV6);
        }
        var _ = commands.execute(command);
        gids[index] = gid;
    }

    /** Empties every entry that is set. */
    void clearGids() throws VerbsException {
        for (int i = 0; i < gids.length; i++) {
            if (!gids[i].equals(Gid.NONE)) {
                setGid(i, Gid.NONE);
            }
        }
    }
}
