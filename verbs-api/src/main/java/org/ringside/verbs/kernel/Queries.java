package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import org.ringside.verbs.DeviceAttributes;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.PortAttributes.LinkLayer;
import org.ringside.verbs.VerbsException;

/** What a device says of itself: ibv_query_device, ibv_query_port, ibv_query_gid. */
final class Queries {
    private static final int FW_VER_SIZE = 64;

    private final Libraries libraries;
    private final String deviceName;
    private final long context;
    private final DeviceAttributes attributes;
    private final boolean hasAtomics;

    Queries(Libraries libraries, String deviceName, long context) throws VerbsException {
        this.libraries = libraries;
        this.deviceName = deviceName;
        this.context = context;
        try (Arena arena = Arena.ofConfined()) {
            long at = KernelContext.scratch(arena, Abi.DeviceAttr.SIZE);
            check(libraries.verbs().ibv_query_device(context, at), "ibv_query_device");
            hasAtomics = Raw.getInt(at + Abi.DeviceAttr.ATOMIC_CAP) != Abi.DeviceAttr.ATOMIC_NONE;
            attributes = attributes(at);
        }
    }

    private void check(int errno, String call) throws VerbsException {
        if (errno != 0) {
            throw libraries.failure(errno, deviceName + ": " + call, Cures.of(errno));
        }
    }

    private DeviceAttributes attributes(long at) throws VerbsException {
        String firmware = Raw.getString(at + Abi.DeviceAttr.FW_VER, FW_VER_SIZE);
        int ports = Byte.toUnsignedInt(Raw.getByte(at + Abi.DeviceAttr.PHYS_PORT_CNT));
        return new DeviceAttributes(
                firmware.isBlank() ? "none" : firmware,
                Raw.getInt(at + Abi.DeviceAttr.VENDOR_ID),
                Raw.getInt(at + Abi.DeviceAttr.VENDOR_PART_ID),
                Long.reverseBytes(Raw.getLong(at + Abi.DeviceAttr.NODE_GUID)),
                Raw.getInt(at + Abi.DeviceAttr.MAX_QP),
                Raw.getInt(at + Abi.DeviceAttr.MAX_QP_WR),
                Raw.getInt(at + Abi.DeviceAttr.MAX_SGE),
                Raw.getInt(at + Abi.DeviceAttr.MAX_CQ),
                Raw.getInt(at + Abi.DeviceAttr.MAX_CQE),
                Raw.getInt(at + Abi.DeviceAttr.MAX_MR),
                atLeastZero(Raw.getLong(at + Abi.DeviceAttr.MAX_MR_SIZE)),
                Raw.getInt(at + Abi.DeviceAttr.MAX_PD),
                maxMessage(),
                new InlineLimit(libraries.verbs(), context).find(),
                Raw.getInt(at + Abi.DeviceAttr.MAX_QP_INIT_RD_ATOM),
                Raw.getInt(at + Abi.DeviceAttr.MAX_QP_RD_ATOM),
                Raw.getInt(context + Abi.Context.NUM_COMP_VECTORS),
                ports);
    }

    /** Unsigned in C, and often all ones. */
    private static long atLeastZero(long size) {
        return size < 0 ? Long.MAX_VALUE : size;
    }

    private long maxMessage() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long at = port(arena, 1);
            return Integer.toUnsignedLong(Raw.getInt(at + Abi.PortAttr.MAX_MSG_SZ));
        }
    }

    DeviceAttributes attributes() {
        return attributes;
    }

    /** Whether it has atomics at all. */
    boolean hasAtomics() {
        return hasAtomics;
    }

    private long port(Arena arena, int number) throws VerbsException {
        long at = KernelContext.scratch(arena, Abi.PortAttr.SIZE);
        check(libraries.verbs().ibv_query_port(context, (byte) number, at), "ibv_query_port");
        return at;
    }

    PortAttributes port(int number) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long at = port(arena, number);
            boolean ethernet = Raw.getByte(at + Abi.PortAttr.LINK_LAYER) == Abi.PortAttr.ETHERNET;
            return new PortAttributes(
                    ethernet ? LinkLayer.ETHERNET : LinkLayer.INFINIBAND,
                    Raw.getInt(at + Abi.PortAttr.STATE) == Abi.PortAttr.ACTIVE,
                    Mtu.ofCode(Math.clamp(Raw.getInt(at + Abi.PortAttr.ACTIVE_MTU), 1, 5)),
                    ethernet ? 0 : Short.toUnsignedInt(Raw.getShort(at + Abi.PortAttr.LID)),
                    Raw.getInt(at + Abi.PortAttr.GID_TBL_LEN));
        }
    }

    Gid gid(int port, int index) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long at = KernelContext.scratch(arena, 16);
            if (libraries.verbs().ibv_query_gid(context, (byte) port, index, at) != 0) {
                int errno = Libraries.errno();
                // An empty entry of a RoCE port is not there at all.
                if (errno == VerbsException.ENOENT || errno == VerbsException.EINVAL) {
                    return Gid.NONE;
                }
                throw libraries.failure(errno, deviceName + ": ibv_query_gid", Cures.of(errno));
            }
            return new Gid(
                    Long.reverseBytes(Raw.getLong(at)),
                    Long.reverseBytes(Raw.getLong(at + Long.BYTES)));
        }
    }
}
