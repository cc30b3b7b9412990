package org.ringside.mlx5;

import java.util.Arrays;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.Field;
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
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.VerbsException;

/**
 * The Ethernet port of a function as RoCE sees it: MAC, MTU, state and the table of GIDs, which is
 * ours to fill, there being no kernel (Adapters PRM, NIC vport context, SET_ROCE_ADDRESS).
 *
 * <p>Threading: under the context's lock.
 */
final class RocePort implements Port {
    private static final int ROCE_V2 = 2;
    private static final int L3_IPV4 = 0;
    private static final int L3_IPV6 = 1;

    /**
     * Bytes around the payload of the largest RoCEv2 packet: IPv6, UDP, BTH, AtomicETH, ICRC ...
     */
    private static final int OVERHEAD = 96;

    private static final int USUAL_MTU = 1500;

    private final String name;
    private final CommandQueue commands;
    private final Capabilities caps;
    private final long mac;
    private final long nodeGuid;
    private int ethernetMtu;
    private final Gid[] gids;

    private RocePort(
            String name,
            CommandQueue commands,
            Capabilities caps,
            long mac,
            long nodeGuid,
            int ethernetMtu) {
        this.name = name;
        this.commands = commands;
        this.caps = caps;
        this.mac = mac;
        this.nodeGuid = nodeGuid;
        this.ethernetMtu = ethernetMtu;
        this.gids = new Gid[Math.max(1, (int) caps.roce(RoceCap.ROCE_ADDRESS_TABLE_SIZE))];
        Arrays.fill(gids, Gid.NONE);
    }

    /** Asks the device who it is. */
    static RocePort query(String name, CommandQueue commands, Capabilities caps)
            throws VerbsException {
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
                name,
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

    @Override
    public PortAttributes.LinkLayer linkLayer() {
        return PortAttributes.LinkLayer.ETHERNET;
    }

    @Override
    public boolean isUp() throws VerbsException {
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

    @Override
    public int lid() {
        return 0;
    }

    @Override
    public long nodeGuid() {
        return nodeGuid;
    }

    /** The largest path MTU whose packets fit in a frame. */
    @Override
    public Mtu activeMtu() {
        int room = (ethernetMtu == 0 ? USUAL_MTU : ethernetMtu) - OVERHEAD;
        int code = Mtu.MTU_256.code();
        while (code < Mtu.MTU_4096.code() && Mtu.ofCode(code + 1).bytes() <= room) {
            code++;
        }
        return Mtu.ofCode(code);
    }

    @Override
    public int gidTableLength() {
        return gids.length;
    }

    @Override
    public Gid gid(int index) {
        return gids[index];
    }

    /** Whether one of our own entries is that GID: the peer is on this function. */
    private boolean isOwn(Gid gid) {
        for (Gid own : gids) {
            if (!own.equals(Gid.NONE) && own.equals(gid)) {
                return true;
            }
        }
        return false;
    }

    /** Sets an entry as RoCEv2 over our MAC; {@link Gid#NONE} empties it. */
    @Override
    public void setGid(int index, Gid gid) throws VerbsException {
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

    @Override
    public void setPath(Command command, int path, int qpn, int remoteQpn, AddressVector way)
            throws VerbsException {
        Gid peer = way.destinationGid();
        if (gids[way.sourceGidIndex()].equals(Gid.NONE)) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s: GID index %d of port 1 is empty; fill it with Context.setGid"
                            .formatted(name, way.sourceGidIndex()));
        }
        boolean toSelf = isOwn(peer);
        long destination = destinationMac(way, toSelf);
        set(command, path, Ads.VHCA_PORT_NUM, 1);
        set(command, path, Ads.RMAC_47_32, destination >>> 32);
        set(command, path, Ads.RMAC_31_0, destination & 0xffff_ffffL);
        set(command, path, Ads.SRC_ADDR_INDEX, way.sourceGidIndex());
        set(command, path, Ads.HOP_LIMIT, way.hopLimit());
        set(command, path, Ads.TCLASS, way.trafficClass());
        set(command, path, Ads.FLOW_LABEL, way.flowLabel());
        set(command, path, Ads.DSCP, way.trafficClass() >>> 2);
        set(command, path, Ads.ETH_PRIO, way.serviceLevel() & 7);
        set(command, path, Ads.UDP_SPORT, udpSourcePort(qpn, remoteQpn));
        Ads.RGID_RIP.setBytes(command.in(), path, peer.bytes());
        if (toSelf && caps.roce(RoceCap.FL_RC_QP_WHEN_ROCE_ENABLED) == 1) {
            // Our own address: some devices swallow such packets unless told to loop them.
            set(command, path, Ads.FL, 1);
        }
    }

    private long destinationMac(AddressVector way, boolean toSelf) throws VerbsException {
        Long given = way.destinationMac();
        if (given != null) {
            return given;
        }
        if (toSelf) {
            return mac;
        }
        if (way.destinationGid().isLinkLocalEui64()) {
            return way.destinationGid().macOfLinkLocal();
        }
        throw new VerbsException(
                VerbsException.EINVAL,
                ("%s: the MAC of %s is not known; set AddressVector.destinationMac, or connect to a"
                                + " link-local GID")
                        .formatted(name, way.destinationGid()));
    }

    /** Spread over the ports that RoCEv2 reserves, the same for one pair of QPs. */
    private long udpSourcePort(int qpn, int remoteQpn) {
        if (caps.roce(RoceCap.SW_R_ROCE_SRC_UDP_PORT) == 0) {
            return 0;
        }
        long least = caps.roce(RoceCap.R_ROCE_MIN_SRC_UDP_PORT);
        long most = caps.roce(RoceCap.R_ROCE_MAX_SRC_UDP_PORT);
        long mixed = (qpn * 0x9e3779b9L ^ remoteQpn) & 0xffff_ffffL;
        return most <= least ? least : least + mixed % (most - least + 1);
    }

    private static void set(Command command, int at, Field field, long value) {
        field.set(command.in(), at, value);
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
