package org.ringside.mlx5.layout;

/**
 * Capability group 0, general: limits as base-2 logarithms, features as flags.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cmd_hca_cap_bits}.
 */
public final class CmdHcaCap extends Layout {
    public static final CmdHcaCap LAYOUT = new CmdHcaCap();

    /** Firmware will not ask for pages at run time. */
    public static final Field PAGE_REQUEST_DISABLE = LAYOUT.bit("page_request_disable", 0x00, 25);

    public static final Field SHARED_OBJECT_TO_USER_OBJECT_ALLOWED =
            LAYOUT.bit("shared_object_to_user_object_allowed", 0x00, 15);
    public static final Field VHCA_RESOURCE_MANAGER = LAYOUT.bit("vhca_resource_manager", 0x00, 0);

    /** Group 0x20 exists. */
    public static final Field HCA_CAP_2 = LAYOUT.bit("hca_cap_2", 0x04, 31);

    public static final Field CREATE_LAG_WHEN_NOT_MASTER_UP =
            LAYOUT.bit("create_lag_when_not_master_up", 0x04, 30);
    public static final Field DTOR = LAYOUT.bit("dtor", 0x04, 29);
    public static final Field EVENT_ON_VHCA_STATE_TEARDOWN_REQUEST =
            LAYOUT.bit("event_on_vhca_state_teardown_request", 0x04, 28);
    public static final Field EVENT_ON_VHCA_STATE_IN_USE =
            LAYOUT.bit("event_on_vhca_state_in_use", 0x04, 27);
    public static final Field EVENT_ON_VHCA_STATE_ACTIVE =
            LAYOUT.bit("event_on_vhca_state_active", 0x04, 26);
    public static final Field EVENT_ON_VHCA_STATE_ALLOCATED =
            LAYOUT.bit("event_on_vhca_state_allocated", 0x04, 25);
    public static final Field EVENT_ON_VHCA_STATE_INVALID =
            LAYOUT.bit("event_on_vhca_state_invalid", 0x04, 24);
    public static final Field VHCA_ID = LAYOUT.field("vhca_id", 0x04, 15, 0);

    public static final Field LOG_MAX_SRQ_SZ = LAYOUT.field("log_max_srq_sz", 0x10, 31, 24);

    /** Log2 of the most 64-byte blocks in a send queue. */
    public static final Field LOG_MAX_QP_SZ = LAYOUT.field("log_max_qp_sz", 0x10, 23, 16);

    public static final Field EVENT_CAP = LAYOUT.bit("event_cap", 0x10, 15);
    public static final Field ISOLATE_VL_TC_NEW = LAYOUT.bit("isolate_vl_tc_new", 0x10, 12);
    public static final Field PRIO_TAG_REQUIRED = LAYOUT.bit("prio_tag_required", 0x10, 7);
    public static final Field LOG_MAX_QP = LAYOUT.field("log_max_qp", 0x10, 4, 0);

    public static final Field ECE_SUPPORT = LAYOUT.bit("ece_support", 0x14, 28);
    public static final Field REG_C_PRESERVE = LAYOUT.bit("reg_c_preserve", 0x14, 22);
    public static final Field LOG_MAX_SRQ = LAYOUT.field("log_max_srq", 0x14, 20, 16);
    public static final Field UPLINK_FOLLOW = LAYOUT.bit("uplink_follow", 0x14, 14);
    public static final Field TS_CQE_TO_DEST_CQN = LAYOUT.bit("ts_cqe_to_dest_cqn", 0x14, 13);
    public static final Field GO_BACK_N = LAYOUT.bit("go_back_n", 0x14, 6);

    /** More SGEs than this in a WQE are slow. */
    public static final Field MAX_SGL_FOR_OPTIMIZED_PERFORMANCE =
            LAYOUT.field("max_sgl_for_optimized_performance", 0x18, 31, 24);

    /** Log2 of the most CQEs in a CQ. */
    public static final Field LOG_MAX_CQ_SZ = LAYOUT.field("log_max_cq_sz", 0x18, 23, 16);

    public static final Field RELAXED_ORDERING_WRITE_UMR =
            LAYOUT.bit("relaxed_ordering_write_umr", 0x18, 15);
    public static final Field RELAXED_ORDERING_READ_UMR =
            LAYOUT.bit("relaxed_ordering_read_umr", 0x18, 14);
    public static final Field VIRTIO_NET_DEVICE_EMUALTION_MANAGER =
            LAYOUT.bit("virtio_net_device_emualtion_manager", 0x18, 6);
    public static final Field VIRTIO_BLK_DEVICE_EMUALTION_MANAGER =
            LAYOUT.bit("virtio_blk_device_emualtion_manager", 0x18, 5);
    public static final Field LOG_MAX_CQ = LAYOUT.field("log_max_cq", 0x18, 4, 0);

    /** Log2 of the most EQEs in an EQ. */
    public static final Field LOG_MAX_EQ_SZ = LAYOUT.field("log_max_eq_sz", 0x1c, 31, 24);

    public static final Field RELAXED_ORDERING_WRITE =
            LAYOUT.bit("relaxed_ordering_write", 0x1c, 23);
    public static final Field RELAXED_ORDERING_READ_PCI_ENABLED =
            LAYOUT.bit("relaxed_ordering_read_pci_enabled", 0x1c, 22);
    public static final Field LOG_MAX_MKEY = LAYOUT.field("log_max_mkey", 0x1c, 21, 16);
    public static final Field TERMINATE_SCATTER_LIST_MKEY =
            LAYOUT.bit("terminate_scatter_list_mkey", 0x1c, 9);
    public static final Field REPEATED_MKEY = LAYOUT.bit("repeated_mkey", 0x1c, 8);
    public static final Field DUMP_FILL_MKEY = LAYOUT.bit("dump_fill_mkey", 0x1c, 7);

    /** TEARDOWN_HCA profile 2. */
    public static final Field FAST_TEARDOWN = LAYOUT.bit("fast_teardown", 0x1c, 4);

    public static final Field LOG_MAX_EQ = LAYOUT.field("log_max_eq", 0x1c, 3, 0);

    public static final Field MAX_INDIRECTION = LAYOUT.field("max_indirection", 0x20, 31, 24);
    public static final Field FIXED_BUFFER_SIZE = LAYOUT.bit("fixed_buffer_size", 0x20, 23);
    public static final Field LOG_MAX_MRW_SZ = LAYOUT.field("log_max_mrw_sz", 0x20, 22, 16);

    /** TEARDOWN_HCA profile 1. */
    public static final Field FORCE_TEARDOWN = LAYOUT.bit("force_teardown", 0x20, 15);

    public static final Field LOG_MAX_BSF_LIST_SIZE =
            LAYOUT.field("log_max_bsf_list_size", 0x20, 13, 8);
    public static final Field UMR_EXTENDED_TRANSLATION_OFFSET =
            LAYOUT.bit("umr_extended_translation_offset", 0x20, 7);
    public static final Field NULL_MKEY = LAYOUT.bit("null_mkey", 0x20, 6);
    public static final Field LOG_MAX_KLM_LIST_SIZE =
            LAYOUT.field("log_max_klm_list_size", 0x20, 5, 0);

    public static final Field QPC_EXTENSION = LAYOUT.bit("qpc_extension", 0x24, 29);
    public static final Field LOG_MAX_RA_REQ_DC = LAYOUT.field("log_max_ra_req_dc", 0x24, 21, 16);
    public static final Field ETH_WQE_TOO_SMALL = LAYOUT.bit("eth_wqe_too_small", 0x24, 13);
    public static final Field VNIC_ENV_CQ_OVERRUN = LAYOUT.bit("vnic_env_cq_overrun", 0x24, 6);
    public static final Field LOG_MAX_RA_RES_DC = LAYOUT.field("log_max_ra_res_dc", 0x24, 5, 0);

    public static final Field RELEASE_ALL_PAGES = LAYOUT.bit("release_all_pages", 0x28, 26);
    public static final Field MUST_NOT_USE = LAYOUT.bit("must_not_use", 0x28, 25);
    public static final Field ROCE_ACCL = LAYOUT.bit("roce_accl", 0x28, 22);

    /** Log2 of the most READs and atomics that a QP may have under way as requester. */
    public static final Field LOG_MAX_RA_REQ_QP = LAYOUT.field("log_max_ra_req_qp", 0x28, 21, 16);

    /** Log2 of the most READs and atomics that a QP may serve as responder. */
    public static final Field LOG_MAX_RA_RES_QP = LAYOUT.field("log_max_ra_res_qp", 0x28, 5, 0);

    public static final Field END_PAD = LAYOUT.bit("end_pad", 0x2c, 31);
    public static final Field CC_QUERY_ALLOWED = LAYOUT.bit("cc_query_allowed", 0x2c, 30);
    public static final Field CC_MODIFY_ALLOWED = LAYOUT.bit("cc_modify_allowed", 0x2c, 29);
    public static final Field START_PAD = LAYOUT.bit("start_pad", 0x2c, 28);
    public static final Field CACHE_LINE_128BYTE = LAYOUT.bit("cache_line_128byte", 0x2c, 27);
    public static final Field RTS2RTS_QP_COUNTERS_SET_ID =
            LAYOUT.bit("rts2rts_qp_counters_set_id", 0x2c, 22);
    public static final Field VNIC_ENV_INT_RQ_OOB = LAYOUT.bit("vnic_env_int_rq_oob", 0x2c, 19);
    public static final Field SBCAM_REG = LAYOUT.bit("sbcam_reg", 0x2c, 18);
    public static final Field QCAM_REG = LAYOUT.bit("qcam_reg", 0x2c, 16);

    /** A code: 8 * 2^n rows. */
    public static final Field GID_TABLE_SIZE = LAYOUT.field("gid_table_size", 0x2c, 15, 0);

    public static final Field OUT_OF_SEQ_CNT = LAYOUT.bit("out_of_seq_cnt", 0x30, 31);
    public static final Field VPORT_COUNTERS = LAYOUT.bit("vport_counters", 0x30, 30);
    public static final Field RETRANSMISSION_Q_COUNTERS =
            LAYOUT.bit("retransmission_q_counters", 0x30, 29);
    public static final Field DEBUG = LAYOUT.bit("debug", 0x30, 28);
    public static final Field MODIFY_RQ_COUNTER_SET_ID =
            LAYOUT.bit("modify_rq_counter_set_id", 0x30, 27);
    public static final Field RQ_DELAY_DROP = LAYOUT.bit("rq_delay_drop", 0x30, 26);

    /** Q counter sets. */
    public static final Field MAX_QP_CNT = LAYOUT.field("max_qp_cnt", 0x30, 25, 16);

    /** A code: 128 * 2^n rows. */
    public static final Field PKEY_TABLE_SIZE = LAYOUT.field("pkey_table_size", 0x30, 15, 0);

    public static final Field VPORT_GROUP_MANAGER = LAYOUT.bit("vport_group_manager", 0x34, 31);
    public static final Field VHCA_GROUP_MANAGER = LAYOUT.bit("vhca_group_manager", 0x34, 30);

    /** InfiniBand vports: HCA_VPORT commands. */
    public static final Field IB_VIRT = LAYOUT.bit("ib_virt", 0x34, 29);

    public static final Field ETH_VIRT = LAYOUT.bit("eth_virt", 0x34, 28);
    public static final Field VNIC_ENV_QUEUE_COUNTERS =
            LAYOUT.bit("vnic_env_queue_counters", 0x34, 27);
    public static final Field ETS = LAYOUT.bit("ets", 0x34, 26);
    public static final Field NIC_FLOW_TABLE = LAYOUT.bit("nic_flow_table", 0x34, 25);
    public static final Field ESWITCH_MANAGER = LAYOUT.bit("eswitch_manager", 0x34, 24);
    public static final Field DEVICE_MEMORY = LAYOUT.bit("device_memory", 0x34, 23);
    public static final Field MCAM_REG = LAYOUT.bit("mcam_reg", 0x34, 22);
    public static final Field PCAM_REG = LAYOUT.bit("pcam_reg", 0x34, 21);

    /** 4.096 us * 2^n. */
    public static final Field LOCAL_CA_ACK_DELAY = LAYOUT.field("local_ca_ack_delay", 0x34, 20, 16);

    public static final Field PORT_MODULE_EVENT = LAYOUT.bit("port_module_event", 0x34, 15);
    public static final Field ENHANCED_ERROR_Q_COUNTERS =
            LAYOUT.bit("enhanced_error_q_counters", 0x34, 14);
    public static final Field PORTS_CHECK = LAYOUT.bit("ports_check", 0x34, 13);
    public static final Field DISABLE_LINK_UP = LAYOUT.bit("disable_link_up", 0x34, 11);
    public static final Field BEACON_LED = LAYOUT.bit("beacon_led", 0x34, 10);

    /** 0 InfiniBand, 1 Ethernet. */
    public static final Field PORT_TYPE = LAYOUT.field("port_type", 0x34, 9, 8);

    /** Ports of this function. */
    public static final Field NUM_PORTS = LAYOUT.field("num_ports", 0x34, 7, 0);

    public static final Field PPS = LAYOUT.bit("pps", 0x38, 30);
    public static final Field PPS_MODIFY = LAYOUT.bit("pps_modify", 0x38, 29);

    /** Log2 of the longest message in bytes. */
    public static final Field LOG_MAX_MSG = LAYOUT.field("log_max_msg", 0x38, 28, 24);

    public static final Field MAX_TC = LAYOUT.field("max_tc", 0x38, 19, 16);
    public static final Field TEMP_WARN_EVENT = LAYOUT.bit("temp_warn_event", 0x38, 15);
    public static final Field DCBX = LAYOUT.bit("dcbx", 0x38, 14);
    public static final Field GENERAL_NOTIFICATION_EVENT =
            LAYOUT.bit("general_notification_event", 0x38, 13);
    public static final Field FPGA = LAYOUT.bit("fpga", 0x38, 10);
    public static final Field ROL_S = LAYOUT.bit("rol_s", 0x38, 9);
    public static final Field ROL_G = LAYOUT.bit("rol_g", 0x38, 8);
    public static final Field WOL_S = LAYOUT.bit("wol_s", 0x38, 6);
    public static final Field WOL_G = LAYOUT.bit("wol_g", 0x38, 5);
    public static final Field WOL_A = LAYOUT.bit("wol_a", 0x38, 4);
    public static final Field WOL_B = LAYOUT.bit("wol_b", 0x38, 3);
    public static final Field WOL_M = LAYOUT.bit("wol_m", 0x38, 2);
    public static final Field WOL_U = LAYOUT.bit("wol_u", 0x38, 1);
    public static final Field WOL_P = LAYOUT.bit("wol_p", 0x38, 0);

    public static final Field STAT_RATE_SUPPORT = LAYOUT.field("stat_rate_support", 0x3c, 31, 16);
    public static final Field PCI_SYNC_FOR_FW_UPDATE_EVENT =
            LAYOUT.bit("pci_sync_for_fw_update_event", 0x3c, 14);
    public static final Field INIT2_LAG_TX_PORT_AFFINITY =
            LAYOUT.bit("init2_lag_tx_port_affinity", 0x3c, 7);
    public static final Field WQE_BASED_FLOW_TABLE_UPDATE_CAP =
            LAYOUT.bit("wqe_based_flow_table_update_cap", 0x3c, 4);

    /** 1: user_index in CQEs. */
    public static final Field CQE_VERSION = LAYOUT.field("cqe_version", 0x3c, 3, 0);

    public static final Field COMPACT_ADDRESS_VECTOR =
            LAYOUT.bit("compact_address_vector", 0x40, 31);
    public static final Field STRIDING_RQ = LAYOUT.bit("striding_rq", 0x40, 30);
    public static final Field IPOIB_ENHANCED_OFFLOADS =
            LAYOUT.bit("ipoib_enhanced_offloads", 0x40, 28);
    public static final Field IPOIB_BASIC_OFFLOADS = LAYOUT.bit("ipoib_basic_offloads", 0x40, 27);
    public static final Field REPEATED_BLOCK_DISABLED =
            LAYOUT.bit("repeated_block_disabled", 0x40, 25);
    public static final Field UMR_MODIFY_ENTITY_SIZE_DISABLED =
            LAYOUT.bit("umr_modify_entity_size_disabled", 0x40, 24);
    public static final Field UMR_MODIFY_ATOMIC_DISABLED =
            LAYOUT.bit("umr_modify_atomic_disabled", 0x40, 23);
    public static final Field UMR_INDIRECT_MKEY_DISABLED =
            LAYOUT.bit("umr_indirect_mkey_disabled", 0x40, 22);
    public static final Field UMR_FENCE = LAYOUT.field("umr_fence", 0x40, 21, 20);
    public static final Field DC_REQ_SCAT_DATA_CQE = LAYOUT.bit("dc_req_scat_data_cqe", 0x40, 19);
    public static final Field DRAIN_SIGERR = LAYOUT.bit("drain_sigerr", 0x40, 16);

    /** 0 none, 3 checks signatures. */
    public static final Field CMDIF_CHECKSUM = LAYOUT.field("cmdif_checksum", 0x40, 15, 14);

    public static final Field SIGERR_CQE = LAYOUT.bit("sigerr_cqe", 0x40, 13);
    public static final Field WQ_SIGNATURE = LAYOUT.bit("wq_signature", 0x40, 11);
    public static final Field SCTR_DATA_CQE = LAYOUT.bit("sctr_data_cqe", 0x40, 10);
    public static final Field SHO = LAYOUT.bit("sho", 0x40, 8);
    public static final Field TPH = LAYOUT.bit("tph", 0x40, 7);
    public static final Field RF = LAYOUT.bit("rf", 0x40, 6);

    /** Dynamically connected transport. */
    public static final Field DCT = LAYOUT.bit("dct", 0x40, 5);

    /** Rate limits: group 0xc counts. */
    public static final Field QOS = LAYOUT.bit("qos", 0x40, 4);

    /** Ethernet offloads: group 1 counts. */
    public static final Field ETH_NET_OFFLOADS = LAYOUT.bit("eth_net_offloads", 0x40, 3);

    /** RoCE: group 4 counts. */
    public static final Field ROCE = LAYOUT.bit("roce", 0x40, 2);

    /** Atomics: group 3 counts. */
    public static final Field ATOMIC = LAYOUT.bit("atomic", 0x40, 1);

    /** Overrun ignore. */
    public static final Field CQ_OI = LAYOUT.bit("cq_oi", 0x44, 31);

    public static final Field CQ_RESIZE = LAYOUT.bit("cq_resize", 0x44, 30);
    public static final Field CQ_MODERATION = LAYOUT.bit("cq_moderation", 0x44, 29);
    public static final Field CQ_PERIOD_MODE_MODIFY = LAYOUT.bit("cq_period_mode_modify", 0x44, 28);
    public static final Field CQ_EQ_REMAP = LAYOUT.bit("cq_eq_remap", 0x44, 25);

    /** On-demand paging: group 2 counts. */
    public static final Field PG = LAYOUT.bit("pg", 0x44, 24);

    public static final Field BLOCK_LB_MC = LAYOUT.bit("block_lb_mc", 0x44, 23);
    public static final Field SCQE_BREAK_MODERATION = LAYOUT.bit("scqe_break_moderation", 0x44, 21);
    public static final Field CQ_PERIOD_START_FROM_CQE =
            LAYOUT.bit("cq_period_start_from_cqe", 0x44, 20);
    public static final Field CD = LAYOUT.bit("cd", 0x44, 19);
    public static final Field APM = LAYOUT.bit("apm", 0x44, 17);
    public static final Field VECTOR_CALC = LAYOUT.bit("vector_calc", 0x44, 16);
    public static final Field UMR_PTR_RLKY = LAYOUT.bit("umr_ptr_rlky", 0x44, 15);
    public static final Field IMAICL = LAYOUT.bit("imaicl", 0x44, 14);
    public static final Field QP_PACKET_BASED = LAYOUT.bit("qp_packet_based", 0x44, 13);
    public static final Field QKV = LAYOUT.bit("qkv", 0x44, 9);
    public static final Field PKV = LAYOUT.bit("pkv", 0x44, 8);
    public static final Field SET_DETH_SQPN = LAYOUT.bit("set_deth_sqpn", 0x44, 7);

    /** XRC transport. */
    public static final Field XRC = LAYOUT.bit("xrc", 0x44, 3);

    public static final Field UD = LAYOUT.bit("ud", 0x44, 2);
    public static final Field UC = LAYOUT.bit("uc", 0x44, 1);
    public static final Field RC = LAYOUT.bit("rc", 0x44, 0);

    /** UARs of 4 KiB whatever the host's page. */
    public static final Field UAR_4K = LAYOUT.bit("uar_4k", 0x48, 31);

    public static final Field FL_RC_QP_WHEN_ROCE_DISABLED =
            LAYOUT.bit("fl_rc_qp_when_roce_disabled", 0x48, 23);
    public static final Field REGEXP_PARAMS = LAYOUT.bit("regexp_params", 0x48, 22);

    /** Log2 of all UARs' bytes, less 20. */
    public static final Field UAR_SZ = LAYOUT.field("uar_sz", 0x48, 21, 16);

    public static final Field PORT_SELECTION_CAP = LAYOUT.bit("port_selection_cap", 0x48, 15);

    /** Umem without a user context. */
    public static final Field UMEM_UID_0 = LAYOUT.bit("umem_uid_0", 0x48, 13);

    /** Log2 of a page's bytes. */
    public static final Field LOG_PG_SZ = LAYOUT.field("log_pg_sz", 0x48, 7, 0);

    /** BlueFlame. */
    public static final Field BF = LAYOUT.bit("bf", 0x4c, 31);

    public static final Field DRIVER_VERSION = LAYOUT.bit("driver_version", 0x4c, 30);
    public static final Field PAD_TX_ETH_PACKET = LAYOUT.bit("pad_tx_eth_packet", 0x4c, 29);
    public static final Field MKEY_BY_NAME = LAYOUT.bit("mkey_by_name", 0x4c, 25);

    /** Log2 of bytes: both halves. */
    public static final Field LOG_BF_REG_SIZE = LAYOUT.field("log_bf_reg_size", 0x4c, 20, 16);

    public static final Field QP_ERROR_SYNDROME = LAYOUT.bit("qp_error_syndrome", 0x4c, 12);
    public static final Field LAG_DCT = LAYOUT.field("lag_dct", 0x4c, 9, 8);
    public static final Field LAG_TX_PORT_AFFINITY = LAYOUT.bit("lag_tx_port_affinity", 0x4c, 7);
    public static final Field LAG_NATIVE_FDB_SELECTION =
            LAYOUT.bit("lag_native_fdb_selection", 0x4c, 6);
    public static final Field LAG_MASTER = LAYOUT.bit("lag_master", 0x4c, 4);
    public static final Field NUM_LAG_PORTS = LAYOUT.field("num_lag_ports", 0x4c, 3, 0);

    /** Bytes. */
    public static final Field MAX_WQE_SZ_SQ = LAYOUT.field("max_wqe_sz_sq", 0x50, 15, 0);

    public static final Field SHAMPO = LAYOUT.bit("shampo", 0x54, 20);

    /** Bytes. */
    public static final Field MAX_WQE_SZ_RQ = LAYOUT.field("max_wqe_sz_rq", 0x54, 15, 0);

    public static final Field MAX_FLOW_COUNTER_31_16 =
            LAYOUT.field("max_flow_counter_31_16", 0x58, 31, 16);

    /** Bytes. */
    public static final Field MAX_WQE_SZ_SQ_DC = LAYOUT.field("max_wqe_sz_sq_dc", 0x58, 15, 0);

    public static final Field MAX_QP_MCG = LAYOUT.field("max_qp_mcg", 0x5c, 24, 0);

    public static final Field FLOW_COUNTER_BULK_ALLOC =
            LAYOUT.field("flow_counter_bulk_alloc", 0x60, 15, 8);
    public static final Field LOG_MAX_MCG = LAYOUT.field("log_max_mcg", 0x60, 7, 0);

    public static final Field LOG_MAX_TRANSPORT_DOMAIN =
            LAYOUT.field("log_max_transport_domain", 0x64, 28, 24);
    public static final Field RELAXED_ORDERING_READ = LAYOUT.bit("relaxed_ordering_read", 0x64, 21);
    public static final Field LOG_MAX_PD = LAYOUT.field("log_max_pd", 0x64, 20, 16);
    public static final Field PCIE_RESET_USING_HOTRESET_METHOD =
            LAYOUT.bit("pcie_reset_using_hotreset_method", 0x64, 10);
    public static final Field PCI_SYNC_FOR_FW_UPDATE_WITH_DRIVER_UNLOAD =
            LAYOUT.bit("pci_sync_for_fw_update_with_driver_unload", 0x64, 9);
    public static final Field VNIC_ENV_CNT_STEERING_FAIL =
            LAYOUT.bit("vnic_env_cnt_steering_fail", 0x64, 8);
    public static final Field VPORT_COUNTER_LOCAL_LOOPBACK =
            LAYOUT.bit("vport_counter_local_loopback", 0x64, 7);
    public static final Field Q_COUNTER_AGGREGATION = LAYOUT.bit("q_counter_aggregation", 0x64, 6);
    public static final Field Q_COUNTER_OTHER_VPORT = LAYOUT.bit("q_counter_other_vport", 0x64, 5);
    public static final Field LOG_MAX_XRCD = LAYOUT.field("log_max_xrcd", 0x64, 4, 0);

    public static final Field NIC_RECEIVE_STEERING_DISCARD =
            LAYOUT.bit("nic_receive_steering_discard", 0x68, 31);
    public static final Field RECEIVE_DISCARD_VPORT_DOWN =
            LAYOUT.bit("receive_discard_vport_down", 0x68, 30);
    public static final Field TRANSMIT_DISCARD_VPORT_DOWN =
            LAYOUT.bit("transmit_discard_vport_down", 0x68, 29);
    public static final Field EQ_OVERRUN_COUNT = LAYOUT.bit("eq_overrun_count", 0x68, 28);
    public static final Field INVALID_COMMAND_COUNT = LAYOUT.bit("invalid_command_count", 0x68, 26);
    public static final Field QUOTA_EXCEEDED_COUNT = LAYOUT.bit("quota_exceeded_count", 0x68, 25);
    public static final Field LOG_MAX_FLOW_COUNTER_BULK =
            LAYOUT.field("log_max_flow_counter_bulk", 0x68, 23, 16);
    public static final Field MAX_FLOW_COUNTER_15_0 =
            LAYOUT.field("max_flow_counter_15_0", 0x68, 15, 0);

    public static final Field LOG_MAX_RQ = LAYOUT.field("log_max_rq", 0x6c, 28, 24);
    public static final Field LOG_MAX_SQ = LAYOUT.field("log_max_sq", 0x6c, 20, 16);
    public static final Field LOG_MAX_TIR = LAYOUT.field("log_max_tir", 0x6c, 12, 8);
    public static final Field LOG_MAX_TIS = LAYOUT.field("log_max_tis", 0x6c, 4, 0);

    public static final Field BASIC_CYCLIC_RCV_WQE = LAYOUT.bit("basic_cyclic_rcv_wqe", 0x70, 31);
    public static final Field LOG_MAX_RMP = LAYOUT.field("log_max_rmp", 0x70, 28, 24);
    public static final Field LOG_MAX_RQT = LAYOUT.field("log_max_rqt", 0x70, 20, 16);
    public static final Field LOG_MAX_RQT_SIZE = LAYOUT.field("log_max_rqt_size", 0x70, 12, 8);
    public static final Field LOG_MAX_TIS_PER_SQ = LAYOUT.field("log_max_tis_per_sq", 0x70, 4, 0);

    public static final Field EXT_STRIDE_NUM_RANGE = LAYOUT.bit("ext_stride_num_range", 0x74, 31);

    /** The roce bit may be set. */
    public static final Field ROCE_RW_SUPPORTED = LAYOUT.bit("roce_rw_supported", 0x74, 30);

    public static final Field LOG_MAX_CURRENT_UC_LIST_WR_SUPPORTED =
            LAYOUT.bit("log_max_current_uc_list_wr_supported", 0x74, 29);
    public static final Field LOG_MAX_STRIDE_SZ_RQ =
            LAYOUT.field("log_max_stride_sz_rq", 0x74, 28, 24);
    public static final Field LOG_MIN_STRIDE_SZ_RQ =
            LAYOUT.field("log_min_stride_sz_rq", 0x74, 20, 16);
    public static final Field LOG_MAX_STRIDE_SZ_SQ =
            LAYOUT.field("log_max_stride_sz_sq", 0x74, 12, 8);
    public static final Field LOG_MIN_STRIDE_SZ_SQ =
            LAYOUT.field("log_min_stride_sz_sq", 0x74, 4, 0);

    public static final Field HAIRPIN = LAYOUT.bit("hairpin", 0x78, 31);
    public static final Field LOG_MAX_HAIRPIN_QUEUES =
            LAYOUT.field("log_max_hairpin_queues", 0x78, 28, 24);
    public static final Field LOG_MAX_HAIRPIN_WQ_DATA_SZ =
            LAYOUT.field("log_max_hairpin_wq_data_sz", 0x78, 20, 16);
    public static final Field LOG_MAX_HAIRPIN_NUM_PACKETS =
            LAYOUT.field("log_max_hairpin_num_packets", 0x78, 12, 8);
    public static final Field LOG_MAX_WQ_SZ = LAYOUT.field("log_max_wq_sz", 0x78, 4, 0);

    public static final Field NIC_VPORT_CHANGE_EVENT =
            LAYOUT.bit("nic_vport_change_event", 0x7c, 31);
    public static final Field DISABLE_LOCAL_LB_UC = LAYOUT.bit("disable_local_lb_uc", 0x7c, 30);
    public static final Field DISABLE_LOCAL_LB_MC = LAYOUT.bit("disable_local_lb_mc", 0x7c, 29);
    public static final Field LOG_MIN_HAIRPIN_WQ_DATA_SZ =
            LAYOUT.field("log_min_hairpin_wq_data_sz", 0x7c, 28, 24);
    public static final Field SILENT_MODE = LAYOUT.bit("silent_mode", 0x7c, 22);
    public static final Field VHCA_STATE = LAYOUT.bit("vhca_state", 0x7c, 21);
    public static final Field LOG_MAX_VLAN_LIST = LAYOUT.field("log_max_vlan_list", 0x7c, 20, 16);
    public static final Field LOG_MAX_CURRENT_MC_LIST =
            LAYOUT.field("log_max_current_mc_list", 0x7c, 12, 8);
    public static final Field LOG_MAX_CURRENT_UC_LIST =
            LAYOUT.field("log_max_current_uc_list", 0x7c, 4, 0);

    /** Bit n: CREATE_GENERAL_OBJECT type n. */
    public static final Field GENERAL_OBJ_TYPES = LAYOUT.qword("general_obj_types", 0x80);

    /** 0 free running, 1 real time, 2 both. */
    public static final Field SQ_TS_FORMAT = LAYOUT.field("sq_ts_format", 0x88, 31, 30);

    /** 0 free running, 1 real time, 2 both. */
    public static final Field RQ_TS_FORMAT = LAYOUT.field("rq_ts_format", 0x88, 29, 28);

    public static final Field STEERING_FORMAT_VERSION =
            LAYOUT.field("steering_format_version", 0x88, 27, 24);
    public static final Field CREATE_QP_START_HINT =
            LAYOUT.field("create_qp_start_hint", 0x88, 23, 0);

    public static final Field ATS = LAYOUT.bit("ats", 0x8c, 30);
    public static final Field CROSS_VHCA_RQT = LAYOUT.bit("cross_vhca_rqt", 0x8c, 29);
    public static final Field LOG_MAX_UCTX = LAYOUT.field("log_max_uctx", 0x8c, 28, 24);
    public static final Field CRYPTO = LAYOUT.bit("crypto", 0x8c, 22);
    public static final Field IPSEC_OFFLOAD = LAYOUT.bit("ipsec_offload", 0x8c, 21);
    public static final Field LOG_MAX_UMEM = LAYOUT.field("log_max_umem", 0x8c, 20, 16);
    public static final Field MAX_NUM_EQS = LAYOUT.field("max_num_eqs", 0x8c, 15, 0);

    public static final Field TLS_TX = LAYOUT.bit("tls_tx", 0x90, 30);
    public static final Field TLS_RX = LAYOUT.bit("tls_rx", 0x90, 29);
    public static final Field LOG_MAX_L2_TABLE = LAYOUT.field("log_max_l2_table", 0x90, 28, 24);

    /** Log2 of a UAR page's bytes, less 12. */
    public static final Field LOG_UAR_PAGE_SZ = LAYOUT.field("log_uar_page_sz", 0x90, 15, 0);

    /** Rate of the internal timer. */
    public static final Field DEVICE_FREQUENCY_MHZ = LAYOUT.dword("device_frequency_mhz", 0x98);

    /** Rate of the internal timer. */
    public static final Field DEVICE_FREQUENCY_KHZ = LAYOUT.dword("device_frequency_khz", 0x9c);

    public static final Field NUM_OF_UARS_PER_PAGE = LAYOUT.dword("num_of_uars_per_page", 0xa4);

    public static final Field FLEX_PARSER_PROTOCOLS = LAYOUT.dword("flex_parser_protocols", 0xa8);

    public static final Field MAX_GENEVE_TLV_OPTIONS =
            LAYOUT.field("max_geneve_tlv_options", 0xac, 31, 24);
    public static final Field MAX_GENEVE_TLV_OPTION_DATA_LEN =
            LAYOUT.field("max_geneve_tlv_option_data_len", 0xac, 20, 16);
    public static final Field ADV_VIRTUALIZATION = LAYOUT.bit("adv_virtualization", 0xac, 6);

    public static final Field LOG_MAX_DCI_STREAM_CHANNELS =
            LAYOUT.field("log_max_dci_stream_channels", 0xb0, 20, 16);
    public static final Field LOG_MAX_DCI_ERRORED_STREAMS =
            LAYOUT.field("log_max_dci_errored_streams", 0xb0, 12, 8);

    public static final Field ENHANCED_CQE_COMPRESSION =
            LAYOUT.bit("enhanced_cqe_compression", 0xb4, 15);
    public static final Field CROSSING_VHCA_MKEY = LAYOUT.bit("crossing_vhca_mkey", 0xb4, 13);
    public static final Field LOG_MAX_DEK = LAYOUT.field("log_max_dek", 0xb4, 12, 8);
    public static final Field MINI_CQE_RESP_STRIDE_INDEX =
            LAYOUT.bit("mini_cqe_resp_stride_index", 0xb4, 3);
    public static final Field CQE_128_ALWAYS = LAYOUT.bit("cqe_128_always", 0xb4, 2);
    public static final Field CQE_COMPRESSION_128 = LAYOUT.bit("cqe_compression_128", 0xb4, 1);
    public static final Field CQE_COMPRESSION = LAYOUT.bit("cqe_compression", 0xb4, 0);

    public static final Field CQE_COMPRESSION_TIMEOUT =
            LAYOUT.field("cqe_compression_timeout", 0xb8, 31, 16);
    public static final Field CQE_COMPRESSION_MAX_NUM =
            LAYOUT.field("cqe_compression_max_num", 0xb8, 15, 0);

    public static final Field FLEX_PARSER_ID_GTPU_DW_0 =
            LAYOUT.field("flex_parser_id_gtpu_dw_0", 0xbc, 23, 20);
    public static final Field TAG_MATCHING = LAYOUT.bit("tag_matching", 0xbc, 15);
    public static final Field RNDV_OFFLOAD_RC = LAYOUT.bit("rndv_offload_rc", 0xbc, 14);
    public static final Field RNDV_OFFLOAD_DC = LAYOUT.bit("rndv_offload_dc", 0xbc, 13);
    public static final Field LOG_TAG_MATCHING_LIST_SZ =
            LAYOUT.field("log_tag_matching_list_sz", 0xbc, 12, 8);
    public static final Field LOG_MAX_XRQ = LAYOUT.field("log_max_xrq", 0xbc, 4, 0);

    public static final Field AFFILIATE_NIC_VPORT_CRITERIA =
            LAYOUT.field("affiliate_nic_vport_criteria", 0xc0, 31, 24);
    public static final Field NATIVE_PORT_NUM = LAYOUT.field("native_port_num", 0xc0, 23, 16);
    public static final Field NUM_VHCA_PORTS = LAYOUT.field("num_vhca_ports", 0xc0, 15, 8);
    public static final Field FLEX_PARSER_ID_GTPU_TEID =
            LAYOUT.field("flex_parser_id_gtpu_teid", 0xc0, 7, 4);

    /** INIT_HCA takes an owner ID. */
    public static final Field SW_OWNER_ID = LAYOUT.bit("sw_owner_id", 0xc0, 1);

    public static final Field MAX_NUM_OF_MONITOR_COUNTERS =
            LAYOUT.field("max_num_of_monitor_counters", 0xc4, 31, 16);
    public static final Field NUM_PPCNT_MONITOR_COUNTERS =
            LAYOUT.field("num_ppcnt_monitor_counters", 0xc4, 15, 0);

    public static final Field MAX_NUM_SF = LAYOUT.field("max_num_sf", 0xc8, 31, 16);
    public static final Field NUM_Q_MONITOR_COUNTERS =
            LAYOUT.field("num_q_monitor_counters", 0xc8, 15, 0);

    public static final Field SF = LAYOUT.bit("sf", 0xd0, 31);
    public static final Field SF_SET_PARTITION = LAYOUT.bit("sf_set_partition", 0xd0, 30);
    public static final Field LOG_MAX_SF = LAYOUT.field("log_max_sf", 0xd0, 28, 24);
    public static final Field APU = LAYOUT.bit("apu", 0xd0, 23);
    public static final Field MIGRATION = LAYOUT.bit("migration", 0xd0, 18);
    public static final Field LOG_MIN_SF_SIZE = LAYOUT.field("log_min_sf_size", 0xd0, 15, 8);
    public static final Field MAX_NUM_SF_PARTITIONS =
            LAYOUT.field("max_num_sf_partitions", 0xd0, 7, 0);

    public static final Field UCTX_CAP = LAYOUT.dword("uctx_cap", 0xd4);

    public static final Field FLEX_PARSER_ID_GENEVE_TLV_OPTION_0 =
            LAYOUT.field("flex_parser_id_geneve_tlv_option_0", 0xd8, 27, 24);
    public static final Field FLEX_PARSER_ID_ICMP_DW1 =
            LAYOUT.field("flex_parser_id_icmp_dw1", 0xd8, 23, 20);
    public static final Field FLEX_PARSER_ID_ICMP_DW0 =
            LAYOUT.field("flex_parser_id_icmp_dw0", 0xd8, 19, 16);
    public static final Field FLEX_PARSER_ID_ICMPV6_DW1 =
            LAYOUT.field("flex_parser_id_icmpv6_dw1", 0xd8, 15, 12);
    public static final Field FLEX_PARSER_ID_ICMPV6_DW0 =
            LAYOUT.field("flex_parser_id_icmpv6_dw0", 0xd8, 11, 8);
    public static final Field FLEX_PARSER_ID_OUTER_FIRST_MPLS_OVER_GRE =
            LAYOUT.field("flex_parser_id_outer_first_mpls_over_gre", 0xd8, 7, 4);
    public static final Field FLEX_PARSER_ID_OUTER_FIRST_MPLS_OVER_UDP_LABEL =
            LAYOUT.field("flex_parser_id_outer_first_mpls_over_udp_label", 0xd8, 3, 0);

    public static final Field MAX_NUM_MATCH_DEFINER =
            LAYOUT.field("max_num_match_definer", 0xdc, 31, 16);
    public static final Field SF_BASE_ID = LAYOUT.field("sf_base_id", 0xdc, 15, 0);

    public static final Field FLEX_PARSER_ID_GTPU_DW_2 =
            LAYOUT.field("flex_parser_id_gtpu_dw_2", 0xe0, 31, 28);
    public static final Field FLEX_PARSER_ID_GTPU_FIRST_EXT_DW_0 =
            LAYOUT.field("flex_parser_id_gtpu_first_ext_dw_0", 0xe0, 27, 24);
    public static final Field NUM_TOTAL_DYNAMIC_VF_MSIX =
            LAYOUT.field("num_total_dynamic_vf_msix", 0xe0, 23, 0);

    public static final Field DYNAMIC_MSIX_TABLE_SIZE =
            LAYOUT.field("dynamic_msix_table_size", 0xe4, 11, 0);

    public static final Field MIN_DYNAMIC_VF_MSIX_TABLE_SIZE =
            LAYOUT.field("min_dynamic_vf_msix_table_size", 0xe8, 19, 16);
    public static final Field DATA_DIRECT = LAYOUT.bit("data_direct", 0xe8, 13);
    public static final Field MAX_DYNAMIC_VF_MSIX_TABLE_SIZE =
            LAYOUT.field("max_dynamic_vf_msix_table_size", 0xe8, 11, 0);

    public static final Field LOG_MAX_NUM_HEADER_MODIFY_ARGUMENT =
            LAYOUT.field("log_max_num_header_modify_argument", 0xec, 28, 24);
    public static final Field LOG_HEADER_MODIFY_ARGUMENT_GRANULARITY_OFFSET =
            LAYOUT.field("log_header_modify_argument_granularity_offset", 0xec, 23, 20);
    public static final Field LOG_HEADER_MODIFY_ARGUMENT_GRANULARITY =
            LAYOUT.field("log_header_modify_argument_granularity", 0xec, 19, 16);
    public static final Field LOG_HEADER_MODIFY_ARGUMENT_MAX_ALLOC =
            LAYOUT.field("log_header_modify_argument_max_alloc", 0xec, 12, 8);

    public static final Field VHCA_TUNNEL_COMMANDS = LAYOUT.qword("vhca_tunnel_commands", 0xf0);

    public static final Field MATCH_DEFINER_FORMAT_SUPPORTED =
            LAYOUT.qword("match_definer_format_supported", 0xf8);

    private CmdHcaCap() {
        super("cmd_hca_cap", 0x100);
    }
}
