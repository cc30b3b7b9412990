package org.ringside.mlx5.layout;

/**
 * Command opcodes: {@link CommandIn#OPCODE}.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code MLX5_CMD_OP_}; Adapters PRM, Command Reference.
 */
public final class Opcode {
    // Device: start, pages, capabilities, stop.
    public static final int QUERY_HCA_CAP = 0x100;
    public static final int QUERY_ADAPTER = 0x101;
    public static final int INIT_HCA = 0x102;
    public static final int TEARDOWN_HCA = 0x103;
    public static final int ENABLE_HCA = 0x104;
    public static final int DISABLE_HCA = 0x105;
    public static final int QUERY_PAGES = 0x107;
    public static final int MANAGE_PAGES = 0x108;
    public static final int SET_HCA_CAP = 0x109;
    public static final int QUERY_ISSI = 0x10a;
    public static final int SET_ISSI = 0x10b;
    public static final int SET_DRIVER_VERSION = 0x10d;
    public static final int QUERY_SF_PARTITION = 0x111;
    public static final int ALLOC_SF = 0x113;
    public static final int DEALLOC_SF = 0x114;
    public static final int SUSPEND_VHCA = 0x115;
    public static final int RESUME_VHCA = 0x116;
    public static final int QUERY_VHCA_MIGRATION_STATE = 0x117;
    public static final int SAVE_VHCA_STATE = 0x118;
    public static final int LOAD_VHCA_STATE = 0x119;

    // Memory keys and special contexts.
    public static final int CREATE_MKEY = 0x200;
    public static final int QUERY_MKEY = 0x201;
    public static final int DESTROY_MKEY = 0x202;
    public static final int QUERY_SPECIAL_CONTEXTS = 0x203;
    public static final int PAGE_FAULT_RESUME = 0x204;
    public static final int ALLOC_MEMIC = 0x205;
    public static final int DEALLOC_MEMIC = 0x206;
    public static final int MODIFY_MEMIC = 0x207;

    // Event queues.
    public static final int CREATE_EQ = 0x301;
    public static final int DESTROY_EQ = 0x302;
    public static final int QUERY_EQ = 0x303;
    public static final int GEN_EQE = 0x304;

    // Completion queues.
    public static final int CREATE_CQ = 0x400;
    public static final int DESTROY_CQ = 0x401;
    public static final int QUERY_CQ = 0x402;
    public static final int MODIFY_CQ = 0x403;

    // Queue pairs.
    public static final int CREATE_QP = 0x500;
    public static final int DESTROY_QP = 0x501;
    public static final int RST2INIT_QP = 0x502;
    public static final int INIT2RTR_QP = 0x503;
    public static final int RTR2RTS_QP = 0x504;
    public static final int RTS2RTS_QP = 0x505;
    public static final int SQERR2RTS_QP = 0x506;
    public static final int QP_2ERR = 0x507;
    public static final int QP_2RST = 0x50a;
    public static final int QUERY_QP = 0x50b;
    public static final int SQD_RTS_QP = 0x50c;
    public static final int MAD_IFC = 0x50d;
    public static final int INIT2INIT_QP = 0x50e;

    // Signature (PSV).
    public static final int CREATE_PSV = 0x600;
    public static final int DESTROY_PSV = 0x601;

    // Shared receive queues, DCT, XRQ.
    public static final int CREATE_SRQ = 0x700;
    public static final int DESTROY_SRQ = 0x701;
    public static final int QUERY_SRQ = 0x702;
    public static final int ARM_RQ = 0x703;
    public static final int CREATE_XRC_SRQ = 0x705;
    public static final int DESTROY_XRC_SRQ = 0x706;
    public static final int QUERY_XRC_SRQ = 0x707;
    public static final int ARM_XRC_SRQ = 0x708;
    public static final int CREATE_DCT = 0x710;
    public static final int DESTROY_DCT = 0x711;
    public static final int DRAIN_DCT = 0x712;
    public static final int QUERY_DCT = 0x713;
    public static final int ARM_DCT_FOR_KEY_VIOLATION = 0x714;
    public static final int CREATE_XRQ = 0x717;
    public static final int DESTROY_XRQ = 0x718;
    public static final int QUERY_XRQ = 0x719;
    public static final int ARM_XRQ = 0x71a;
    public static final int QUERY_XRQ_DC_PARAMS_ENTRY = 0x725;
    public static final int SET_XRQ_DC_PARAMS_ENTRY = 0x726;
    public static final int QUERY_XRQ_ERROR_PARAMS = 0x727;
    public static final int RELEASE_XRQ_ERROR = 0x729;
    public static final int MODIFY_XRQ = 0x72a;

    // Virtual ports, RoCE addresses, counters, rates.
    public static final int QUERY_ESW_FUNCTIONS = 0x740;
    public static final int QUERY_VPORT_STATE = 0x750;
    public static final int MODIFY_VPORT_STATE = 0x751;
    public static final int QUERY_ESW_VPORT_CONTEXT = 0x752;
    public static final int MODIFY_ESW_VPORT_CONTEXT = 0x753;
    public static final int QUERY_NIC_VPORT_CONTEXT = 0x754;
    public static final int MODIFY_NIC_VPORT_CONTEXT = 0x755;
    public static final int QUERY_ROCE_ADDRESS = 0x760;
    public static final int SET_ROCE_ADDRESS = 0x761;
    public static final int QUERY_HCA_VPORT_CONTEXT = 0x762;
    public static final int MODIFY_HCA_VPORT_CONTEXT = 0x763;
    public static final int QUERY_HCA_VPORT_GID = 0x764;
    public static final int QUERY_HCA_VPORT_PKEY = 0x765;
    public static final int QUERY_VNIC_ENV = 0x76f;
    public static final int QUERY_VPORT_COUNTER = 0x770;
    public static final int ALLOC_Q_COUNTER = 0x771;
    public static final int DEALLOC_Q_COUNTER = 0x772;
    public static final int QUERY_Q_COUNTER = 0x773;
    public static final int SET_MONITOR_COUNTER = 0x774;
    public static final int ARM_MONITOR_COUNTER = 0x775;
    public static final int SET_PP_RATE_LIMIT = 0x780;
    public static final int QUERY_RATE_LIMIT = 0x781;
    public static final int CREATE_SCHEDULING_ELEMENT = 0x782;
    public static final int DESTROY_SCHEDULING_ELEMENT = 0x783;
    public static final int QUERY_SCHEDULING_ELEMENT = 0x784;
    public static final int MODIFY_SCHEDULING_ELEMENT = 0x785;
    public static final int CREATE_QOS_PARA_VPORT = 0x786;
    public static final int DESTROY_QOS_PARA_VPORT = 0x787;

    // PD, UAR, registers, domains, congestion, L2 table, LAG.
    public static final int ALLOC_PD = 0x800;
    public static final int DEALLOC_PD = 0x801;
    public static final int ALLOC_UAR = 0x802;
    public static final int DEALLOC_UAR = 0x803;
    public static final int CONFIG_INT_MODERATION = 0x804;
    public static final int ACCESS_REG = 0x805;
    public static final int ATTACH_TO_MCG = 0x806;
    public static final int DETACH_FROM_MCG = 0x807;
    public static final int GET_DROPPED_PACKET_LOG = 0x80a;
    public static final int QUERY_MAD_DEMUX = 0x80b;
    public static final int SET_MAD_DEMUX = 0x80c;
    public static final int NOP = 0x80d;
    public static final int ALLOC_XRCD = 0x80e;
    public static final int DEALLOC_XRCD = 0x80f;
    public static final int ALLOC_TRANSPORT_DOMAIN = 0x816;
    public static final int DEALLOC_TRANSPORT_DOMAIN = 0x817;
    public static final int QUERY_CONG_STATUS = 0x822;
    public static final int MODIFY_CONG_STATUS = 0x823;
    public static final int QUERY_CONG_PARAMS = 0x824;
    public static final int MODIFY_CONG_PARAMS = 0x825;
    public static final int QUERY_CONG_STATISTICS = 0x826;
    public static final int ADD_VXLAN_UDP_DPORT = 0x827;
    public static final int DELETE_VXLAN_UDP_DPORT = 0x828;
    public static final int SET_L2_TABLE_ENTRY = 0x829;
    public static final int QUERY_L2_TABLE_ENTRY = 0x82a;
    public static final int DELETE_L2_TABLE_ENTRY = 0x82b;
    public static final int SET_WOL_ROL = 0x830;
    public static final int QUERY_WOL_ROL = 0x831;
    public static final int CREATE_LAG = 0x840;
    public static final int MODIFY_LAG = 0x841;
    public static final int QUERY_LAG = 0x842;
    public static final int DESTROY_LAG = 0x843;
    public static final int CREATE_VPORT_LAG = 0x844;
    public static final int DESTROY_VPORT_LAG = 0x845;

    // Ethernet queues, flow tables.
    public static final int CREATE_TIR = 0x900;
    public static final int MODIFY_TIR = 0x901;
    public static final int DESTROY_TIR = 0x902;
    public static final int QUERY_TIR = 0x903;
    public static final int CREATE_SQ = 0x904;
    public static final int MODIFY_SQ = 0x905;
    public static final int DESTROY_SQ = 0x906;
    public static final int QUERY_SQ = 0x907;
    public static final int CREATE_RQ = 0x908;
    public static final int MODIFY_RQ = 0x909;
    public static final int DESTROY_RQ = 0x90a;
    public static final int QUERY_RQ = 0x90b;
    public static final int CREATE_RMP = 0x90c;
    public static final int MODIFY_RMP = 0x90d;
    public static final int DESTROY_RMP = 0x90e;
    public static final int QUERY_RMP = 0x90f;
    public static final int SET_DELAY_DROP_PARAMS = 0x910;
    public static final int CREATE_TIS = 0x912;
    public static final int MODIFY_TIS = 0x913;
    public static final int DESTROY_TIS = 0x914;
    public static final int QUERY_TIS = 0x915;
    public static final int CREATE_RQT = 0x916;
    public static final int MODIFY_RQT = 0x917;
    public static final int DESTROY_RQT = 0x918;
    public static final int QUERY_RQT = 0x919;
    public static final int SET_FLOW_TABLE_ROOT = 0x92f;
    public static final int CREATE_FLOW_TABLE = 0x930;
    public static final int DESTROY_FLOW_TABLE = 0x931;
    public static final int QUERY_FLOW_TABLE = 0x932;
    public static final int CREATE_FLOW_GROUP = 0x933;
    public static final int DESTROY_FLOW_GROUP = 0x934;
    public static final int QUERY_FLOW_GROUP = 0x935;
    public static final int SET_FLOW_TABLE_ENTRY = 0x936;
    public static final int QUERY_FLOW_TABLE_ENTRY = 0x937;
    public static final int DELETE_FLOW_TABLE_ENTRY = 0x938;
    public static final int ALLOC_FLOW_COUNTER = 0x939;
    public static final int DEALLOC_FLOW_COUNTER = 0x93a;
    public static final int QUERY_FLOW_COUNTER = 0x93b;
    public static final int MODIFY_FLOW_TABLE = 0x93c;
    public static final int ALLOC_PACKET_REFORMAT_CONTEXT = 0x93d;
    public static final int DEALLOC_PACKET_REFORMAT_CONTEXT = 0x93e;
    public static final int QUERY_PACKET_REFORMAT_CONTEXT = 0x93f;
    public static final int ALLOC_MODIFY_HEADER_CONTEXT = 0x940;
    public static final int DEALLOC_MODIFY_HEADER_CONTEXT = 0x941;
    public static final int QUERY_MODIFY_HEADER_CONTEXT = 0x942;
    public static final int FPGA_CREATE_QP = 0x960;
    public static final int FPGA_MODIFY_QP = 0x961;
    public static final int FPGA_QUERY_QP = 0x962;
    public static final int FPGA_DESTROY_QP = 0x963;
    public static final int FPGA_QUERY_QP_COUNTERS = 0x964;

    // General objects, user contexts.
    public static final int CREATE_GENERAL_OBJECT = 0xa00;
    public static final int MODIFY_GENERAL_OBJECT = 0xa01;
    public static final int QUERY_GENERAL_OBJECT = 0xa02;
    public static final int DESTROY_GENERAL_OBJECT = 0xa03;
    public static final int CREATE_UCTX = 0xa04;
    public static final int DESTROY_UCTX = 0xa06;
    public static final int CREATE_UMEM = 0xa08;
    public static final int DESTROY_UMEM = 0xa0a;

    // Others.
    public static final int SYNC_STEERING = 0xb00;
    public static final int QUERY_VHCA_STATE = 0xb0d;
    public static final int MODIFY_VHCA_STATE = 0xb0e;
    public static final int SYNC_CRYPTO = 0xb12;
    public static final int ALLOW_OTHER_VHCA_ACCESS = 0xb16;
    public static final int GENERATE_WQE = 0xb17;
    public static final int QUERY_VUID = 0xb22;

    private static final Names NAMES = Names.of(Opcode.class);

    private Opcode() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int opcode) {
        return switch (opcode) {
            case QP_2ERR -> "2ERR_QP";
            case QP_2RST -> "2RST_QP";
            default -> NAMES.name(opcode);
        };
    }
}
