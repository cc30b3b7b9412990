package org.ringside.mlx5.layout;

/**
 * Board vendor and vital product data; the last 16 bytes are the PSID, the board's name for
 * firmware updates.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_adapter_param_block_bits}.
 */
public final class QueryAdapterParamBlock extends Layout {
    public static final QueryAdapterParamBlock LAYOUT = new QueryAdapterParamBlock();

    public static final Field IEEE_VENDOR_ID = LAYOUT.field("ieee_vendor_id", 0x18, 23, 0);
    public static final Field VSD_VENDOR_ID = LAYOUT.field("vsd_vendor_id", 0x1c, 15, 0);
    public static final ArrayField VSD = LAYOUT.bytes("vsd", 0x20, 208);
    public static final ArrayField VSD_CONTD_PSID = LAYOUT.bytes("vsd_contd_psid", 0xf0, 16);

    private QueryAdapterParamBlock() {
        super("query_adapter_param_block", 0x100);
    }
}
