package org.ringside.emulator.mlx5;

import org.ringside.mlx5.layout.AtomicCaps;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.RoceCap;

/**
 * Capabilities of the emulated function, in the manual's order. Not listed means 0: absent. Values
 * are those of a ConnectX-5 where the model can live up to them, less where it cannot.
 */
final class CapabilityTables {
    static final int LOG_MAX_QP = 14;
    static final int LOG_MAX_CQ = 14;
    static final int LOG_MAX_MKEY = 17;
    static final int LOG_MAX_PD = 14;
    static final int LOG_MAX_UMEM = 12;

    /** How large log_max_uctx may be made; 0 without an override. */
    static final int LOG_LIMIT_OF_UCTX = 12;

    static final int LOG_MAX_QP_SIZE = 15;
    static final int LOG_MAX_CQ_SIZE = 22;
    static final int LOG_MAX_EQ_SIZE = 18;
    static final int LOG_MAX_RA = 4;
    static final int LOG_MAX_MESSAGE = 30;
    static final int ROCE_ADDRESSES = 128;
    static final int COUNTER_SETS = 64;
    static final int MIN_SOURCE_PORT = 0xc000;
    static final int MAX_SOURCE_PORT = 0xffff;

    private static final int PORT_TYPE_INFINIBAND = 0;
    private static final int PORT_TYPE_ETHERNET = 1;
    static final int LOG_MAX_SRQ = 14;
    private static final int LOG_MAX_SRQ_SIZE = 15;
    static final int LOG_MAX_XRCD = 8;
    private static final int PKEY_TABLE_128 = 0;
    private static final int GID_TABLE_8 = 0;
    private static final int GID_TABLE_128 = 4;
    private static final int ROCE_V2_PORT = 4791;

    private CapabilityTables() {}

    static void general(Capabilities.Table table, DeviceOptions options) {
        boolean pf = options.profile().isPhysical();
        boolean infiniBand = options.profile().isInfiniBand();
        table.fixed(CmdHcaCap.VHCA_ID, pf ? 0 : 1)
                .fixed(CmdHcaCap.LOG_MAX_QP_SZ, LOG_MAX_QP_SIZE)
                .settable(CmdHcaCap.LOG_MAX_QP, LOG_MAX_QP, LOG_MAX_QP)
                .fixed(CmdHcaCap.LOG_MAX_CQ_SZ, LOG_MAX_CQ_SIZE)
                .fixed(CmdHcaCap.LOG_MAX_CQ, LOG_MAX_CQ)
                .fixed(CmdHcaCap.LOG_MAX_EQ_SZ, LOG_MAX_EQ_SIZE)
                .fixed(CmdHcaCap.LOG_MAX_MKEY, LOG_MAX_MKEY)
                .fixed(CmdHcaCap.FAST_TEARDOWN, 1)
                .fixed(CmdHcaCap.LOG_MAX_EQ, 6)
                .fixed(CmdHcaCap.LOG_MAX_MRW_SZ, 64)
                .fixed(CmdHcaCap.FORCE_TEARDOWN, 1)
                .fixed(CmdHcaCap.LOG_MAX_RA_REQ_QP, LOG_MAX_RA)
                .fixed(CmdHcaCap.LOG_MAX_RA_RES_QP, LOG_MAX_RA)
                .fixed(CmdHcaCap.PKEY_TABLE_SIZE, PKEY_TABLE_128)
                .fixed(CmdHcaCap.LOCAL_CA_ACK_DELAY, 16)
                .fixed(CmdHcaCap.NUM_PORTS, 1)
                .fixed(CmdHcaCap.LOG_MAX_MSG, LOG_MAX_MESSAGE)
                .fixed(CmdHcaCap.CQE_VERSION, 1)
                .fixed(CmdHcaCap.UMR_MODIFY_ENTITY_SIZE_DISABLED, 1)
                .settable(CmdHcaCap.CMDIF_CHECKSUM, 3, 3)
                .fixed(CmdHcaCap.ATOMIC, 1)
                .fixed(CmdHcaCap.CQ_OI, 1)
                .fixed(CmdHcaCap.RC, 1)
                .settable(CmdHcaCap.UAR_4K, 1, 0)
                .fixed(CmdHcaCap.UAR_SZ, UarSpace.LOG_MEGABYTES)
                .fixed(CmdHcaCap.LOG_PG_SZ, 12)
                .fixed(CmdHcaCap.UMEM_UID_0, 1)
                .fixed(CmdHcaCap.BF, 1)
                .fixed(CmdHcaCap.LOG_BF_REG_SIZE, 9)
                .fixed(CmdHcaCap.MAX_WQE_SZ_SQ, 1008)
                .fixed(CmdHcaCap.MAX_WQE_SZ_RQ, 512)
                .fixed(CmdHcaCap.LOG_MAX_TRANSPORT_DOMAIN, 10)
                .fixed(CmdHcaCap.LOG_MAX_PD, LOG_MAX_PD)
                .fixed(CmdHcaCap.MAX_NUM_EQS, EventQueues.LIMIT - 1)
                .settable(CmdHcaCap.LOG_UAR_PAGE_SZ, 0, 0)
                .fixed(CmdHcaCap.DEVICE_FREQUENCY_MHZ, DeviceClock.KHZ / 1000)
                .fixed(CmdHcaCap.DEVICE_FREQUENCY_KHZ, DeviceClock.KHZ)
                .fixed(CmdHcaCap.NUM_OF_UARS_PER_PAGE, 1)
                .fixed(CmdHcaCap.LOG_MAX_UMEM, LOG_MAX_UMEM)
                .fixed(CmdHcaCap.SW_OWNER_ID, 1);
        if (infiniBand) {
            infiniBandPort(table);
        } else {
            ethernetPort(table);
        }
    }

    private static void ethernetPort(Capabilities.Table table) {
        table.fixed(CmdHcaCap.GID_TABLE_SIZE, GID_TABLE_128)
                .fixed(CmdHcaCap.MAX_QP_CNT, COUNTER_SETS)
                .fixed(CmdHcaCap.ETH_VIRT, 1)
                .fixed(CmdHcaCap.PORT_TYPE, PORT_TYPE_ETHERNET)
                .settable(CmdHcaCap.ROCE, 1, 1)
                .fixed(CmdHcaCap.FL_RC_QP_WHEN_ROCE_DISABLED, 1)
                .fixed(CmdHcaCap.ROCE_RW_SUPPORTED, 1)
                .fixed(CmdHcaCap.DISABLE_LOCAL_LB_UC, 1)
                .fixed(CmdHcaCap.DISABLE_LOCAL_LB_MC, 1);
    }

    /** What Linux's mlx5_ib cannot do without is here too: xrc. */
    private static void infiniBandPort(Capabilities.Table table) {
        table.fixed(CmdHcaCap.LOG_MAX_SRQ_SZ, LOG_MAX_SRQ_SIZE)
                .fixed(CmdHcaCap.LOG_MAX_SRQ, LOG_MAX_SRQ)
                .fixed(CmdHcaCap.GID_TABLE_SIZE, GID_TABLE_8)
                .fixed(CmdHcaCap.VPORT_COUNTERS, 1)
                .fixed(CmdHcaCap.IB_VIRT, 1)
                .fixed(CmdHcaCap.PORT_TYPE, PORT_TYPE_INFINIBAND)
                .fixed(CmdHcaCap.QKV, 1)
                .fixed(CmdHcaCap.PKV, 1)
                .fixed(CmdHcaCap.XRC, 1)
                .fixed(CmdHcaCap.UD, 1)
                .fixed(CmdHcaCap.UC, 1)
                .fixed(CmdHcaCap.DRIVER_VERSION, 1)
                .fixed(CmdHcaCap.CQ_RESIZE, 1)
                .fixed(CmdHcaCap.IMAICL, 1)
                .fixed(CmdHcaCap.LOG_MAX_XRCD, LOG_MAX_XRCD)
                .fixed(CmdHcaCap.LOG_MAX_RMP, LOG_MAX_SRQ);
    }

    static void atomic(Capabilities.Table table) {
        table.settable(AtomicCaps.ATOMIC_REQ_8B_ENDIANNESS_MODE, 1, 0)
                .fixed(AtomicCaps.SUPPORTED_ATOMIC_REQ_8B_ENDIANNESS_MODE_1, 1)
                .fixed(AtomicCaps.ATOMIC_OPERATIONS, 0b11) // Compare-and-swap, fetch-and-add.
                .fixed(AtomicCaps.ATOMIC_SIZE_QP, 8);
    }

    static void roce(Capabilities.Table table) {
        table.settable(RoceCap.SW_R_ROCE_SRC_UDP_PORT, 1, 0)
                .fixed(RoceCap.FL_RC_QP_WHEN_ROCE_DISABLED, 1)
                .fixed(RoceCap.FL_RC_QP_WHEN_ROCE_ENABLED, 1)
                .fixed(RoceCap.L3_TYPE, 0b110) // IPv4, IPv6.
                .fixed(RoceCap.ROCE_VERSION, 0b100) // v2.
                .fixed(RoceCap.R_ROCE_DEST_UDP_PORT, ROCE_V2_PORT)
                .fixed(RoceCap.R_ROCE_MAX_SRC_UDP_PORT, MAX_SOURCE_PORT)
                .fixed(RoceCap.R_ROCE_MIN_SRC_UDP_PORT, MIN_SOURCE_PORT)
                .fixed(RoceCap.ROCE_ADDRESS_TABLE_SIZE, ROCE_ADDRESSES);
    }
}
