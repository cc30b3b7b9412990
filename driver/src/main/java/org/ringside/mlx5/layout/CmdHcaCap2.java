package org.ringside.mlx5.layout;

/**
 * Capability group 0x20, more of the general ones.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cmd_hca_cap_2_bits}.
 */
public final class CmdHcaCap2 extends Layout {
    public static final CmdHcaCap2 LAYOUT = new CmdHcaCap2();

    public static final Field MIGRATABLE = LAYOUT.bit("migratable", 0x10, 31);
    public static final Field QUERY_VUID = LAYOUT.bit("query_vuid", 0x10, 13);
    public static final Field UMR_LOG_ENTITY_SIZE_5 = LAYOUT.bit("umr_log_entity_size_5", 0x10, 7);

    public static final Field MAX_REFORMAT_INSERT_SIZE =
            LAYOUT.field("max_reformat_insert_size", 0x14, 31, 24);
    public static final Field MAX_REFORMAT_INSERT_OFFSET =
            LAYOUT.field("max_reformat_insert_offset", 0x14, 23, 16);
    public static final Field MAX_REFORMAT_REMOVE_SIZE =
            LAYOUT.field("max_reformat_remove_size", 0x14, 15, 8);
    public static final Field MAX_REFORMAT_REMOVE_OFFSET =
            LAYOUT.field("max_reformat_remove_offset", 0x14, 7, 0);

    public static final Field MIGRATION_MULTI_LOAD = LAYOUT.bit("migration_multi_load", 0x18, 23);
    public static final Field MIGRATION_TRACKING_STATE =
            LAYOUT.bit("migration_tracking_state", 0x18, 22);
    public static final Field MULTIPLANE_QP_UD = LAYOUT.bit("multiplane_qp_ud", 0x18, 21);
    public static final Field MIGRATION_IN_CHUNKS = LAYOUT.bit("migration_in_chunks", 0x18, 15);
    public static final Field SF_EQ_USAGE = LAYOUT.bit("sf_eq_usage", 0x18, 13);
    public static final Field MULTIPLANE = LAYOUT.bit("multiplane", 0x18, 7);

    public static final Field CROSS_VHCA_OBJECT_TO_OBJECT_SUPPORTED =
            LAYOUT.dword("cross_vhca_object_to_object_supported", 0x1c);

    public static final Field ALLOWED_OBJECT_FOR_OTHER_VHCA_ACCESS =
            LAYOUT.qword("allowed_object_for_other_vhca_access", 0x20);

    public static final Field FLOW_TABLE_TYPE_2_TYPE =
            LAYOUT.field("flow_table_type_2_type", 0x34, 31, 24);
    public static final Field FORMAT_SELECT_DW_8_6_EXT =
            LAYOUT.bit("format_select_dw_8_6_ext", 0x34, 21);
    public static final Field LOG_MIN_MKEY_ENTITY_SIZE =
            LAYOUT.field("log_min_mkey_entity_size", 0x34, 20, 16);

    public static final Field SW_VHCA_ID_VALID = LAYOUT.bit("sw_vhca_id_valid", 0x44, 30);
    public static final Field SW_VHCA_ID = LAYOUT.field("sw_vhca_id", 0x44, 29, 16);

    public static final Field TS_CQE_METADATA_SIZE2WQE_COUNTER =
            LAYOUT.field("ts_cqe_metadata_size2wqe_counter", 0x48, 20, 16);

    public static final Field FORMAT_SELECT_DW_GTPU_DW_0 =
            LAYOUT.field("format_select_dw_gtpu_dw_0", 0x50, 31, 24);
    public static final Field FORMAT_SELECT_DW_GTPU_DW_1 =
            LAYOUT.field("format_select_dw_gtpu_dw_1", 0x50, 23, 16);
    public static final Field FORMAT_SELECT_DW_GTPU_DW_2 =
            LAYOUT.field("format_select_dw_gtpu_dw_2", 0x50, 15, 8);
    public static final Field FORMAT_SELECT_DW_GTPU_FIRST_EXT_DW_0 =
            LAYOUT.field("format_select_dw_gtpu_first_ext_dw_0", 0x50, 7, 0);

    public static final Field GENERATE_WQE_TYPE = LAYOUT.dword("generate_wqe_type", 0x54);

    public static final Field MIN_MKEY_LOG_ENTITY_SIZE_FIXED_BUFFER =
            LAYOUT.field("min_mkey_log_entity_size_fixed_buffer", 0x70, 20, 16);
    public static final Field EC_VF_VPORT_BASE = LAYOUT.field("ec_vf_vport_base", 0x70, 15, 0);

    public static final Field MAX_MKEY_LOG_ENTITY_SIZE_MTT =
            LAYOUT.field("max_mkey_log_entity_size_mtt", 0x74, 21, 16);
    public static final Field MAX_RQT_VHCA_ID = LAYOUT.field("max_rqt_vhca_id", 0x74, 15, 0);

    public static final Field PCC_IFA2 = LAYOUT.bit("pcc_ifa2", 0x7c, 15);

    public static final Field MIN_MKEY_LOG_ENTITY_SIZE_FIXED_BUFFER_VALID =
            LAYOUT.bit("min_mkey_log_entity_size_fixed_buffer_valid", 0x80, 30);
    public static final Field RETURN_REG_ID = LAYOUT.field("return_reg_id", 0x80, 15, 0);

    public static final Field FLOW_TABLE_HASH_TYPE =
            LAYOUT.field("flow_table_hash_type", 0x84, 3, 0);

    public static final Field MAX_NUM_EQS_24B = LAYOUT.field("max_num_eqs_24b", 0x88, 23, 0);

    private CmdHcaCap2() {
        super("cmd_hca_cap_2", 0x100);
    }
}
