package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.transport.Engine;
import org.ringside.emulator.transport.Wire;
import org.ringside.mlx5.layout.HcaVportContext;

/**
 * The virtual InfiniBand port of a function: GUIDs, LID, GIDs, P_Keys. There is no subnet manager
 * on the wire: a port has its LID and is active from the start (IBTA 14.2.5.6 has the states).
 */
final class IbVport {
    /** fe80::/64, of subnets that nobody gave a prefix. */
    static final long SUBNET_PREFIX = 0xfe80_0000_0000_0000L;

    /** Full member of the default partition (IBTA 10.9.1.2). */
    static final int DEFAULT_PKEY = 0xffff;

    private static final int PHYSICAL_DISABLED = 3;
    private static final int PHYSICAL_LINK_UP = 5;
    private static final int STATE_DOWN = 1;
    private static final int STATE_ACTIVE = 4;
    private static final int SUBNET_TIMEOUT = 18;

    // CapabilityMask of PortInfo.
    private static final int IS_SM = 1 << 1;
    private static final int IS_SYSTEM_IMAGE_GUID_SUPPORTED = 1 << 11;
    private static final int IS_CM_SUPPORTED = 1 << 16;
    private static final int IS_SNMP_TUNNELING_SUPPORTED = 1 << 17;
    private static final int IS_DEVICE_MANAGEMENT_SUPPORTED = 1 << 19;
    private static final int IS_VENDOR_CLASS_SUPPORTED = 1 << 20;

    /** What runs on the host may say that it is there. */
    static final int CHANGEABLE =
            IS_SM
                    | IS_CM_SUPPORTED
                    | IS_SNMP_TUNNELING_SUPPORTED
                    | IS_DEVICE_MANAGEMENT_SUPPORTED
                    | IS_VENDOR_CLASS_SUPPORTED;

    private final Port port;
    private final int lid;
    private int capabilityMask;

    IbVport(Port port, int lid) {
        this.port = port;
        this.lid = lid;
        reset();
    }

    void reset() {
        capabilityMask = IS_SYSTEM_IMAGE_GUID_SUPPORTED;
    }

    int lid() {
        return lid;
    }

    int capabilityMask() {
        return capabilityMask;
    }

    /** From now on its LID and its GID lead to an engine, until that leaves the wire. */
    void join(Wire wire, Engine engine) {
        wire.setLid(engine, lid);
        wire.setGid(engine, 0, gidHigh(0), gidLow(0));
    }

    /** The GID in row 0; the others are empty. */
    long gidHigh(int row) {
        return row == 0 ? SUBNET_PREFIX : 0;
    }

    long gidLow(int row) {
        return row == 0 ? port.guid() : 0;
    }

    /** A row of the P_Key table; 0 is an empty one. */
    int pkey(int row) {
        return row == 0 ? DEFAULT_PKEY : 0;
    }

    /** Sets the bits of {@code which} in the capability mask to those of {@code value}. */
    void changeCapabilities(int value, int which) {
        if ((which & ~CHANGEABLE) != 0) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "cap_mask1_field_select 0x%x, of which only 0x%x can be changed",
                    which,
                    CHANGEABLE);
        }
        capabilityMask = capabilityMask & ~which | value & which;
    }

    /** Fills {@link HcaVportContext}. */
    void describe(MemorySegment into, long base) {
        int state = port.isUp() ? STATE_ACTIVE : STATE_DOWN;
        HcaVportContext.PORT_PHYSICAL_STATE.set(
                into, base, port.isUp() ? PHYSICAL_LINK_UP : PHYSICAL_DISABLED);
        HcaVportContext.PORT_STATE.set(into, base, state);
        HcaVportContext.VPORT_STATE.set(into, base, state);
        HcaVportContext.HAS_SMI.set(into, base, 1);
        HcaVportContext.SYSTEM_IMAGE_GUID.set(into, base, port.guid());
        HcaVportContext.PORT_GUID.set(into, base, port.guid());
        HcaVportContext.NODE_GUID.set(into, base, port.guid());
        HcaVportContext.CAP_MASK1.set(into, base, capabilityMask);
        HcaVportContext.CAP_MASK1_FIELD_SELECT.set(into, base, CHANGEABLE);
        HcaVportContext.LID.set(into, base, lid);
        HcaVportContext.SUBNET_TIMEOUT.set(into, base, SUBNET_TIMEOUT);
        HcaVportContext.SM_LID.set(into, base, lid);
    }
}
