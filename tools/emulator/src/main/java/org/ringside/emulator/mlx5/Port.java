package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.device.Agent;
import org.ringside.mlx5.layout.MacAddressLayout;
import org.ringside.mlx5.layout.NicVportContext;
import org.ringside.mlx5.layout.PortChange;

/**
 * The port, and the virtual port that the function has on it. A PF finds the port administratively
 * down, as Linux leaves it; a VF's port follows its parent's, which is up.
 */
final class Port {
    private static final int MAX_MTU = 9978;
    static final int DEFAULT_MTU = 1500;

    /** IBTA MTU 5, in bytes. */
    private static final int INFINIBAND_MTU = 4096;

    private static final int MIN_MTU = 68;

    private final Hca hca;
    private final MemorySegment context =
            MemorySegment.ofArray(new byte[NicVportContext.LAYOUT.byteSize()]);
    private final IbVport infiniBand;
    private boolean adminUp;
    private boolean operUp;
    private int mtu;

    Port(Hca hca, int lid) {
        this.hca = hca;
        mtu = isInfiniBand() ? INFINIBAND_MTU : DEFAULT_MTU;
        infiniBand = new IbVport(this, lid);
        adminUp = !hca.options().profile().isPhysical();
        operUp = adminUp;
        reset();
    }

    /**
     * The vport is as it was when the function came up; the port is not the function's to reset.
     */
    void reset() {
        infiniBand.reset();
        context.fill((byte) 0);
        long mac = mac();
        NicVportContext.MTU.set(context, 0, DEFAULT_MTU);
        NicVportContext.SYSTEM_IMAGE_GUID.set(context, 0, guid());
        NicVportContext.PORT_GUID.set(context, 0, guid());
        NicVportContext.NODE_GUID.set(context, 0, guid());
        int at = NicVportContext.PERMANENT_ADDRESS.offset();
        MacAddressLayout.MAC_ADDR_47_32.set(context, at, mac >>> 32);
        MacAddressLayout.MAC_ADDR_31_0.set(context, at, mac & 0xffff_ffffL);
    }

    long mac() {
        return hca.options().mac();
    }

    /** EUI-64 of the MAC address. */
    long guid() {
        long mac = mac();
        return (mac >>> 24 ^ 0x02_0000) << 40 | 0xff_fe00_0000L | mac & 0xff_ffff;
    }

    boolean isInfiniBand() {
        return hca.options().profile().isInfiniBand();
    }

    /** The InfiniBand side of the vport; of no meaning on Ethernet. */
    IbVport infiniBand() {
        return infiniBand;
    }

    /** {@link NicVportContext} in force. */
    MemorySegment context() {
        return context;
    }

    boolean isRoceEnabled() {
        return NicVportContext.ROCE_EN.isSet(context, 0);
    }

    boolean isAdminUp() {
        return adminUp;
    }

    boolean isUp() {
        return operUp;
    }

    int mtu() {
        return mtu;
    }

    int maxMtu() {
        return isInfiniBand() ? INFINIBAND_MTU : MAX_MTU;
    }

    void setMtu(long value) {
        if (value < MIN_MTU || value > maxMtu()) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE, "MTU is %d to %d, not %d", MIN_MTU, maxMtu(), value);
        }
        mtu = (int) value;
    }

    void setAdminUp(boolean up) {
        adminUp = up;
    }

    /** The link follows what was configured, and tells. */
    int poll() {
        if (operUp == adminUp) {
            return 0;
        }
        operUp = adminUp;
        hca.events().portChange(operUp ? PortChange.ACTIVE : PortChange.DOWN);
        return 1;
    }

    long maxParkNanos() {
        return operUp == adminUp ? Agent.NO_PARK_LIMIT : 0;
    }
}
