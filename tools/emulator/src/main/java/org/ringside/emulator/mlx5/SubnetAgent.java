package org.ringside.emulator.mlx5;

import java.nio.charset.StandardCharsets;
import org.ringside.mlx5.layout.CmdHcaCap;

/**
 * The port's subnet management agent: what it answers to those who ask (IBTA 14.2.5). Nobody
 * manages this subnet, so nothing can be set.
 */
final class SubnetAgent {
    private static final int VENDOR = 0x15b3;
    private static final int CHANNEL_ADAPTER = 1;
    private static final int DESCRIPTION_BYTES = 64;
    private static final int ROWS_OF_BLOCK = 32;
    private static final int GUIDS_OF_BLOCK = 8;
    private static final int WIDTH_4X = 2;
    private static final int SPEED_EDR = 4;
    private static final int MTU_4096 = 5;
    private static final int VL0 = 1;
    private static final int ACTIVE = 4;
    private static final int DOWN = 1;
    private static final int LINK_UP = 5;
    private static final int DISABLED = 3;
    private static final int POLLING = 2;
    private static final int SUBNET_TIMEOUT = 18;

    private final Hca hca;

    SubnetAgent(Hca hca) {
        this.hca = hca;
    }

    /** Makes the request its answer. */
    void handle(Smp smp) {
        if (smp.method() != Smp.GET) {
            smp.answer(Smp.STATUS_BAD_METHOD);
            return;
        }
        smp.clearData();
        int status = 0;
        switch (smp.attribute()) {
            case Smp.NODE_DESCRIPTION -> nodeDescription(smp);
            case Smp.NODE_INFO -> nodeInfo(smp);
            case Smp.GUID_INFO -> guidInfo(smp);
            case Smp.PORT_INFO -> portInfo(smp);
            case Smp.PKEY_TABLE -> pkeyTable(smp);
            default -> status = Smp.STATUS_BAD_ATTRIBUTE;
        }
        smp.answer(status);
    }

    private void nodeDescription(Smp smp) {
        byte[] text = hca.options().name().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < Math.min(text.length, DESCRIPTION_BYTES); i++) {
            smp.put8(i, text[i]);
        }
    }

    private void nodeInfo(Smp smp) {
        long guid = hca.port().guid();
        smp.put8(0, 1);
        smp.put8(1, 1);
        smp.put8(2, CHANNEL_ADAPTER);
        smp.put8(3, 1);
        smp.put64(4, guid);
        smp.put64(12, guid);
        smp.put64(20, guid);
        smp.put16(28, pkeys());
        smp.put16(30, hca.options().profile().deviceId());
        smp.put32(36, 1 << 24 | VENDOR);
    }

    private int pkeys() {
        return Paths.pkeyRows(hca);
    }

    private void guidInfo(Smp smp) {
        for (int i = 0; i < GUIDS_OF_BLOCK; i++) {
            int row = smp.modifier() * GUIDS_OF_BLOCK + i;
            smp.put64(i * Long.BYTES, hca.port().infiniBand().gidLow(row));
        }
    }

    private void pkeyTable(Smp smp) {
        int block = smp.modifier() & 0xffff;
        for (int i = 0; i < ROWS_OF_BLOCK; i++) {
            smp.put16(i * Short.BYTES, hca.port().infiniBand().pkey(block * ROWS_OF_BLOCK + i));
        }
    }

    private void portInfo(Smp smp) {
        IbVport vport = hca.port().infiniBand();
        boolean up = hca.port().isUp();
        smp.put64(8, IbVport.SUBNET_PREFIX);
        smp.put16(16, vport.lid());
        smp.put16(18, vport.lid());
        smp.put32(20, vport.capabilityMask());
        smp.put8(28, 1);
        smp.put8(29, WIDTH_4X);
        smp.put8(30, WIDTH_4X);
        smp.put8(31, WIDTH_4X);
        smp.put8(32, SPEED_EDR << 4 | (up ? ACTIVE : DOWN));
        smp.put8(33, (up ? LINK_UP : DISABLED) << 4 | POLLING);
        smp.put8(35, SPEED_EDR << 4 | SPEED_EDR);
        smp.put8(36, MTU_4096 << 4);
        smp.put8(37, VL0 << 4);
        smp.put8(41, MTU_4096);
        smp.put8(43, VL0 << 4);
        smp.put16(48, hca.engine().badQkeys());
        smp.put8(50, GUIDS_OF_BLOCK << (int) hca.capabilities().get(CmdHcaCap.GID_TABLE_SIZE));
        smp.put8(51, SUBNET_TIMEOUT);
    }
}
