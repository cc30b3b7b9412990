package org.ringside.mlx5;

import java.util.Arrays;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.Array128Auto;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.HcaVportContext;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryHcaVportContextIn;
import org.ringside.mlx5.layout.QueryHcaVportContextOut;
import org.ringside.mlx5.layout.QueryHcaVportGidIn;
import org.ringside.mlx5.layout.QueryHcaVportGidOut;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.VerbsException;

/**
 * An InfiniBand port. LID and GIDs are the subnet manager's to give: they are read, never set
 * (Adapters PRM, HCA vport context; Linux infiniband/hw/mlx5/main.c mlx5_query_hca_port).
 *
 * <p>Threading: under the context's lock.
 */
final class IbPort implements Port {
    private static final int STATE_ACTIVE = 4;
    private static final int ALL_GIDS = 0xffff;
    private static final int LOG_SMALLEST_GID_TABLE = 3;
    private static final int SUBNET_PREFIX = Long.BYTES;

    private final CommandQueue commands;
    private final long nodeGuid;
    private final Mtu activeMtu;
    private final Gid[] gids;

    private IbPort(CommandQueue commands, long nodeGuid, Mtu activeMtu, Gid[] gids) {
        this.commands = commands;
        this.nodeGuid = nodeGuid;
        this.activeMtu = activeMtu;
        this.gids = gids;
    }

    /**
     * Asks the device who it is.
     *
     * @param logTable log2 of the GID table's rows, less that of the smallest table
     * @param mtu bytes, of the register PMTU
     */
    static IbPort query(CommandQueue commands, int logTable, int mtu) throws VerbsException {
        int rows = 1 << LOG_SMALLEST_GID_TABLE + logTable;
        int room = QueryHcaVportGidOut.GID.offset() + rows * Array128Auto.LAYOUT.byteSize();
        Command answer =
                commands.execute(
                        new Command(
                                        Opcode.QUERY_HCA_VPORT_GID,
                                        QueryHcaVportGidIn.LAYOUT,
                                        QueryHcaVportGidIn.LAYOUT.byteSize(),
                                        QueryHcaVportGidOut.LAYOUT,
                                        room)
                                .set(QueryHcaVportGidIn.GID_INDEX, ALL_GIDS));
        Gid[] gids = new Gid[rows];
        for (int i = 0; i < rows; i++) {
            gids[i] =
                    Gid.of(
                            Array128Auto.ARRAY128_AUTO.getBytes(
                                    answer.out(), QueryHcaVportGidOut.GID.offset(i)));
        }
        int code = Mtu.MTU_256.code();
        while (code < Mtu.MTU_4096.code() && Mtu.ofCode(code + 1).bytes() <= mtu) {
            code++;
        }
        return new IbPort(
                commands, context(commands, HcaVportContext.NODE_GUID), Mtu.ofCode(code), gids);
    }

    private static long context(CommandQueue commands, Field field) throws VerbsException {
        return commands.execute(
                        new Command(
                                Opcode.QUERY_HCA_VPORT_CONTEXT,
                                QueryHcaVportContextIn.LAYOUT,
                                QueryHcaVportContextOut.LAYOUT))
                .get(QueryHcaVportContextOut.HCA_VPORT_CONTEXT, field);
    }

    @Override
    public PortAttributes.LinkLayer linkLayer() {
        return PortAttributes.LinkLayer.INFINIBAND;
    }

    @Override
    public boolean isUp() throws VerbsException {
        return context(commands, HcaVportContext.VPORT_STATE) == STATE_ACTIVE;
    }

    @Override
    public Mtu activeMtu() {
        return activeMtu;
    }

    /** As it is now: a subnet manager may give another one. */
    @Override
    public int lid() throws VerbsException {
        return (int) context(commands, HcaVportContext.LID);
    }

    @Override
    public long nodeGuid() {
        return nodeGuid;
    }

    @Override
    public int gidTableLength() {
        return gids.length;
    }

    @Override
    public Gid gid(int index) {
        return gids[index];
    }

    @Override
    public void setGid(int index, Gid gid) throws VerbsException {
        throw new VerbsException(
                VerbsException.EOPNOTSUPP,
                "the GIDs of an InfiniBand port follow from its GUID and its subnet; only on Ethernet"
                        + " can they be set");
    }

    /** By LID; with a global route header too when the peer is in another subnet (IBTA 8.3). */
    @Override
    public void setPath(Command command, int path, int qpn, int remoteQpn, AddressVector way)
            throws VerbsException {
        if (way.destinationLid() == 0) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "destination LID is 0; an InfiniBand path needs the peer's LID");
        }
        int row = way.sourceGidIndex();
        if (row < 0 || row >= gids.length) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "GID index %d of a table of %d".formatted(row, gids.length));
        }
        set(command, path, Ads.VHCA_PORT_NUM, 1);
        set(command, path, Ads.RLID, way.destinationLid());
        set(command, path, Ads.SL, way.serviceLevel());
        Gid peer = way.destinationGid();
        if (!peer.equals(Gid.NONE) && !sameSubnet(gids[row], peer)) {
            set(command, path, Ads.GRH, 1);
            set(command, path, Ads.SRC_ADDR_INDEX, row);
            set(command, path, Ads.HOP_LIMIT, way.hopLimit());
            set(command, path, Ads.TCLASS, way.trafficClass());
            set(command, path, Ads.FLOW_LABEL, way.flowLabel());
            Ads.RGID_RIP.setBytes(command.in(), path, peer.bytes());
        }
    }

    private static boolean sameSubnet(Gid own, Gid peer) {
        return Arrays.equals(own.bytes(), 0, SUBNET_PREFIX, peer.bytes(), 0, SUBNET_PREFIX);
    }

    private static void set(Command command, int at, Field field, long value) {
        field.set(command.in(), at, value);
    }
}
