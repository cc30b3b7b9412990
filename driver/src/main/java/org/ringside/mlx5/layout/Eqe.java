package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An event queue entry, 64 bytes. The meaning of its data depends on the type.
 *
 * <p>Byte offsets are for the interrupt path, fields for all else. Source: Linux mlx5_ifc.h, {@code
 * mlx5_ifc_eqe_bits}; device.h, {@code struct mlx5_eqe}.
 */
public final class Eqe extends Layout {
    public static final Eqe LAYOUT = new Eqe();

    /** Bytes. */
    public static final int SIZE = 0x40;

    public static final int TYPE_OFFSET = 0x01;
    public static final int SUB_TYPE_OFFSET = 0x03;
    public static final int DATA_OFFSET = 0x20;
    public static final int SIGNATURE_OFFSET = 0x3e;
    public static final int OWNER_OFFSET = 0x3f;

    /** {@link EventType#COMP}: dword with the CQN in bits 23-0. */
    public static final int COMP_CQN_OFFSET = 0x38;

    /** {@link EventType#CMD}: dword with a bit per slot. */
    public static final int CMD_VECTOR_OFFSET = 0x20;

    /** {@link EventType#PAGE_REQUEST}: 16 bits. */
    public static final int PAGE_FUNCTION_OFFSET = 0x22;

    /** {@link EventType#PAGE_REQUEST}: signed dword. */
    public static final int PAGE_COUNT_OFFSET = 0x24;

    /** {@link EventType#CQ_ERROR}: dword with the CQN in bits 23-0. */
    public static final int CQ_ERROR_CQN_OFFSET = 0x20;

    /** QP and SRQ events: dword with the number in bits 23-0. */
    public static final int QP_NUMBER_OFFSET = 0x38;

    public static final Field EVENT_TYPE =
            LAYOUT.field("event_type", 0x00, 23, 16, EventType::name);
    public static final Field EVENT_SUB_TYPE = LAYOUT.field("event_sub_type", 0x00, 7, 0);
    public static final ArrayField EVENT_DATA = LAYOUT.bytes("event_data", 0x20, 28);

    /** XOR of the entry is 0xff with it, when enabled. */
    public static final Field SIGNATURE = LAYOUT.field("signature", 0x3c, 15, 8);

    /** (index &gt;&gt; log2 of entries) &amp; 1 once the device has written it; starts as 1. */
    public static final Field OWNER = LAYOUT.bit("owner", 0x3c, 0);

    private Eqe() {
        super("eqe", SIZE);
    }

    /** The entry with its data as its type has them, for logs. */
    public static String describe(MemorySegment segment, long base) {
        int type = segment.get(JAVA_BYTE, base + TYPE_OFFSET) & 0xff;
        int subType = segment.get(JAVA_BYTE, base + SUB_TYPE_OFFSET) & 0xff;
        Layout data = data(type);
        return "EQE %s(0x%x) sub_type=%s owner=%d %s"
                .formatted(
                        EventType.name(type),
                        type,
                        type == EventType.PORT_CHANGE
                                ? PortChange.name(subType)
                                : Integer.toString(subType),
                        OWNER.get(segment, base),
                        data == null
                                ? "data=" + Decoder.hex(segment, base + DATA_OFFSET, 28)
                                : data.decode(segment, base + DATA_OFFSET));
    }

    /**
     * The layout of {@link #EVENT_DATA} in events of a type; null for types that have none here.
     */
    public static @Nullable Layout data(int type) {
        return switch (type) {
            case EventType.COMP -> CompEvent.LAYOUT;
            case EventType.CMD -> CmdInterCompEvent.LAYOUT;
            case EventType.PAGE_REQUEST -> PagesReqEvent.LAYOUT;
            case EventType.CQ_ERROR -> CqError.LAYOUT;
            case EventType.PORT_CHANGE -> PortStateChangeEvent.LAYOUT;
            case EventType.PATH_MIG,
                    EventType.COMM_EST,
                    EventType.SQ_DRAINED,
                    EventType.WQ_CATAS_ERROR,
                    EventType.PATH_MIG_FAILED,
                    EventType.WQ_INVAL_REQ_ERROR,
                    EventType.WQ_ACCESS_ERROR,
                    EventType.SRQ_CATAS_ERROR,
                    EventType.SRQ_LAST_WQE,
                    EventType.SRQ_RQ_LIMIT ->
                    QpEvents.LAYOUT;
            default -> null;
        };
    }
}
