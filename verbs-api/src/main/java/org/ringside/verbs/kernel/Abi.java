package org.ringside.verbs.kernel;

/**
 * Sizes, offsets and numbers of libibverbs' ABI on 64-bit Linux, a class for each structure with
 * its fields by name. Source: infiniband/verbs.h of rdma-core; structures there only ever grow at
 * the end, but for {@code verbs_context}, which grows at its front.
 */
final class Abi {
    private Abi() {}

    /** struct ibv_device. */
    static final class Device {
        static final int SIZE = 664;
        static final int NAME = 24;
        static final int DEV_NAME = 88;
        static final int DEV_PATH = 152;

        /** IBV_SYSFS_NAME_MAX. */
        static final int NAME_MAX = 64;

        /** IBV_SYSFS_PATH_MAX. */
        static final int PATH_MAX = 256;

        private Device() {}
    }

    /** struct ibv_context, with what is used of its struct ibv_context_ops. */
    static final class Context {
        static final int SIZE = 328;
        static final int OPS_POLL_CQ = 96;
        static final int OPS_REQ_NOTIFY_CQ = 104;
        static final int OPS_POST_SEND = 208;
        static final int OPS_POST_RECV = 216;
        static final int ASYNC_FD = 268;
        static final int NUM_COMP_VECTORS = 272;
        static final int ABI_COMPAT = 320;

        /** In ABI_COMPAT: a verbs_context surrounds it ({@code __VERBS_ABI_IS_EXTENDED}). */
        static final long IS_EXTENDED = -1L;

        private Context() {}
    }

    /** struct verbs_context, which ends with struct ibv_context: offsets from the latter. */
    static final class Extended {
        static final int SZ = -8;
        static final int CREATE_QP_EX = -56;
        static final int CREATE_CQ_EX = -120;

        private Extended() {}
    }

    /** struct ibv_device_attr. */
    static final class DeviceAttr {
        static final int SIZE = 232;
        static final int FW_VER = 0;
        static final int NODE_GUID = 64;
        static final int MAX_MR_SIZE = 80;
        static final int VENDOR_ID = 96;
        static final int VENDOR_PART_ID = 100;
        static final int MAX_QP = 108;
        static final int MAX_QP_WR = 112;
        static final int MAX_SGE = 120;
        static final int MAX_CQ = 128;
        static final int MAX_CQE = 132;
        static final int MAX_MR = 136;
        static final int MAX_PD = 140;
        static final int MAX_QP_RD_ATOM = 144;
        static final int MAX_QP_INIT_RD_ATOM = 156;
        static final int ATOMIC_CAP = 164;
        static final int PHYS_PORT_CNT = 227;

        /** IBV_ATOMIC_NONE. */
        static final int ATOMIC_NONE = 0;

        private DeviceAttr() {}
    }

    /** struct ibv_port_attr. */
    static final class PortAttr {
        static final int SIZE = 52;
        static final int STATE = 0;
        static final int ACTIVE_MTU = 8;
        static final int GID_TBL_LEN = 12;
        static final int MAX_MSG_SZ = 20;
        static final int LID = 34;
        static final int LINK_LAYER = 46;

        /** IBV_PORT_ACTIVE. */
        static final int ACTIVE = 4;

        /** IBV_LINK_LAYER_ETHERNET. */
        static final int ETHERNET = 2;

        private PortAttr() {}
    }

    /** struct ibv_pd. */
    static final class Pd {
        static final int SIZE = 16;
        static final int HANDLE = 8;

        private Pd() {}
    }

    /** struct ibv_mr. */
    static final class Mr {
        static final int SIZE = 48;
        static final int LKEY = 36;
        static final int RKEY = 40;

        private Mr() {}
    }

    /** struct ibv_comp_channel. */
    static final class CompChannel {
        static final int SIZE = 16;
        static final int FD = 8;

        private CompChannel() {}
    }

    /** struct ibv_cq. */
    static final class Cq {
        static final int SIZE = 128;
        static final int HANDLE = 24;
        static final int CQE = 28;

        private Cq() {}
    }

    /** struct ibv_cq_ex: begins as struct ibv_cq. */
    static final class CqEx {
        static final int SIZE = 288;
        static final int STATUS = 132;
        static final int WR_ID = 136;
        static final int START_POLL = 144;
        static final int NEXT_POLL = 152;
        static final int END_POLL = 160;
        static final int READ_OPCODE = 168;
        static final int READ_VENDOR_ERR = 176;
        static final int READ_BYTE_LEN = 184;
        static final int READ_IMM_DATA = 192;
        static final int READ_QP_NUM = 200;
        static final int READ_WC_FLAGS = 216;

        private CqEx() {}
    }

    /** struct ibv_cq_init_attr_ex. */
    static final class CqInitAttrEx {
        static final int SIZE = 56;
        static final int CQE = 0;
        static final int CHANNEL = 16;
        static final int COMP_VECTOR = 24;
        static final int WC_FLAGS = 32;

        /** IBV_WC_EX_WITH_BYTE_LEN, _IMM and _QP_NUM. */
        static final long WITH_USUAL = 1 | 1 << 1 | 1 << 2;

        private CqInitAttrEx() {}
    }

    /** struct ibv_poll_cq_attr. */
    static final class PollCqAttr {
        static final int SIZE = 4;

        private PollCqAttr() {}
    }

    /** struct ibv_wc. */
    static final class Wc {
        static final int SIZE = 48;
        static final int WR_ID = 0;
        static final int STATUS = 8;
        static final int OPCODE = 12;
        static final int VENDOR_ERR = 16;
        static final int BYTE_LEN = 20;
        static final int IMM_DATA = 24;
        static final int QP_NUM = 28;
        static final int WC_FLAGS = 36;

        /** IBV_WC_WITH_IMM of enum ibv_wc_flags. */
        static final int WITH_IMM = 1 << 1;

        /** IBV_WC_RECV: the first opcode of a receive. */
        static final int RECV = 1 << 7;

        private Wc() {}
    }

    /** struct ibv_qp. */
    static final class Qp {
        static final int SIZE = 160;
        static final int QP_NUM = 52;

        private Qp() {}
    }

    /** struct ibv_qp_ex: begins as struct ibv_qp. */
    static final class QpEx {
        static final int SIZE = 352;
        static final int WR_ID = 168;
        static final int WR_FLAGS = 176;
        static final int WR_ATOMIC_CMP_SWP = 184;
        static final int WR_ATOMIC_FETCH_ADD = 192;
        static final int WR_RDMA_READ = 216;
        static final int WR_RDMA_WRITE = 224;
        static final int WR_RDMA_WRITE_IMM = 232;
        static final int WR_SEND = 240;
        static final int WR_SEND_IMM = 248;
        static final int WR_SET_INLINE_DATA = 288;
        static final int WR_SET_SGE = 304;
        static final int WR_SET_SGE_LIST = 312;
        static final int WR_START = 320;
        static final int WR_COMPLETE = 328;

        private QpEx() {}
    }

    /** struct ibv_qp_init_attr, with its struct ibv_qp_cap. */
    static final class QpInitAttr {
        static final int SIZE = 64;
        static final int SEND_CQ = 8;
        static final int RECV_CQ = 16;
        static final int CAP_MAX_SEND_WR = 32;
        static final int CAP_MAX_RECV_WR = 36;
        static final int CAP_MAX_SEND_SGE = 40;
        static final int CAP_MAX_RECV_SGE = 44;
        static final int CAP_MAX_INLINE_DATA = 48;
        static final int QP_TYPE = 52;
        static final int SQ_SIG_ALL = 56;

        /** IBV_QPT_RC. */
        static final int RC = 2;

        /** IBV_QPT_UC. */
        static final int UC = 3;

        private QpInitAttr() {}
    }

    /** struct ibv_qp_init_attr_ex: begins as struct ibv_qp_init_attr. */
    static final class QpInitAttrEx {
        static final int SIZE = 136;
        static final int COMP_MASK = 60;
        static final int PD = 64;
        static final int SEND_OPS_FLAGS = 128;

        /** IBV_QP_INIT_ATTR_PD and IBV_QP_INIT_ATTR_SEND_OPS_FLAGS. */
        static final int WITH_PD_AND_SEND_OPS = 1 | 1 << 6;

        /** enum ibv_qp_create_send_ops_flags: WRITE and SEND, each with immediate data too. */
        static final long UNRELIABLE_OPS = 0xf;

        /** The same, with READ and both atomics. */
        static final long RELIABLE_OPS = 0x7f;

        /** The same without atomics. */
        static final long RELIABLE_OPS_WITHOUT_ATOMICS = 0x1f;

        private QpInitAttrEx() {}
    }

    /** struct ibv_qp_attr, with its struct ibv_ah_attr and ibv_global_route. */
    static final class QpAttr {
        static final int SIZE = 144;
        static final int QP_STATE = 0;
        static final int PATH_MTU = 8;
        static final int RQ_PSN = 20;
        static final int SQ_PSN = 24;
        static final int DEST_QP_NUM = 28;
        static final int QP_ACCESS_FLAGS = 32;
        static final int AH_GRH_DGID = 56;
        static final int AH_GRH_FLOW_LABEL = 72;
        static final int AH_GRH_SGID_INDEX = 76;
        static final int AH_GRH_HOP_LIMIT = 77;
        static final int AH_GRH_TRAFFIC_CLASS = 78;
        static final int AH_DLID = 80;
        static final int AH_SL = 82;
        static final int AH_IS_GLOBAL = 85;
        static final int AH_PORT_NUM = 86;
        static final int PKEY_INDEX = 120;
        static final int MAX_RD_ATOMIC = 126;
        static final int MAX_DEST_RD_ATOMIC = 127;
        static final int MIN_RNR_TIMER = 128;
        static final int PORT_NUM = 129;
        static final int TIMEOUT = 130;
        static final int RETRY_CNT = 131;
        static final int RNR_RETRY = 132;

        private QpAttr() {}
    }

    /** enum ibv_qp_attr_mask. */
    static final class QpMask {
        static final int STATE = 1;
        static final int ACCESS_FLAGS = 1 << 3;
        static final int PKEY_INDEX = 1 << 4;
        static final int PORT = 1 << 5;
        static final int AV = 1 << 7;
        static final int PATH_MTU = 1 << 8;
        static final int TIMEOUT = 1 << 9;
        static final int RETRY_CNT = 1 << 10;
        static final int RNR_RETRY = 1 << 11;
        static final int RQ_PSN = 1 << 12;
        static final int MAX_QP_RD_ATOMIC = 1 << 13;
        static final int MIN_RNR_TIMER = 1 << 15;
        static final int SQ_PSN = 1 << 16;
        static final int MAX_DEST_RD_ATOMIC = 1 << 17;
        static final int DEST_QPN = 1 << 20;

        private QpMask() {}
    }

    /** struct ibv_sge. */
    static final class Sge {
        static final int SIZE = 16;
        static final int ADDR = 0;
        static final int LENGTH = 8;
        static final int LKEY = 12;

        private Sge() {}
    }

    /** struct ibv_send_wr. */
    static final class SendWr {
        static final int SIZE = 128;
        static final int WR_ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;
        static final int OPCODE = 28;
        static final int SEND_FLAGS = 32;
        static final int IMM_DATA = 36;
        static final int WR_RDMA_REMOTE_ADDR = 40;
        static final int WR_RDMA_RKEY = 48;
        static final int WR_ATOMIC_REMOTE_ADDR = 40;
        static final int WR_ATOMIC_COMPARE_ADD = 48;
        static final int WR_ATOMIC_SWAP = 56;
        static final int WR_ATOMIC_RKEY = 64;

        /** IBV_SEND_FENCE of enum ibv_send_flags. */
        static final int FENCE = 1;

        /** IBV_SEND_SIGNALED. */
        static final int SIGNALED = 1 << 1;

        /** IBV_SEND_SOLICITED. */
        static final int SOLICITED = 1 << 2;

        /** IBV_SEND_INLINE. */
        static final int INLINE = 1 << 3;

        private SendWr() {}
    }

    /** enum ibv_wr_opcode. */
    static final class WrOpcode {
        static final int RDMA_WRITE = 0;
        static final int RDMA_WRITE_WITH_IMM = 1;
        static final int SEND = 2;
        static final int SEND_WITH_IMM = 3;
        static final int RDMA_READ = 4;
        static final int ATOMIC_CMP_AND_SWP = 5;
        static final int ATOMIC_FETCH_AND_ADD = 6;

        private WrOpcode() {}
    }

    /** struct ibv_recv_wr. */
    static final class RecvWr {
        static final int SIZE = 32;
        static final int WR_ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;

        private RecvWr() {}
    }

    /** struct ibv_async_event. */
    static final class AsyncEvent {
        static final int SIZE = 16;
        static final int ELEMENT = 0;
        static final int EVENT_TYPE = 8;

        private AsyncEvent() {}
    }
}
