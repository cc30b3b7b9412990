package org.ringside.mlx5.layout;

/**
 * Types of events: {@link Eqe#EVENT_TYPE}, and bit numbers in {@link CreateEqIn#EVENT_BITMASK}.
 *
 * <p>Source: Linux device.h, {@code enum mlx5_event}.
 */
public final class EventType {
    /** A CQ has CQEs; goes to the EQ that the CQ names, whatever the bitmask. */
    public static final int COMP = 0x00;

    public static final int PATH_MIG = 0x01;

    /** First packet to a QP in RTR. */
    public static final int COMM_EST = 0x02;

    public static final int SQ_DRAINED = 0x03;

    /** Overrun, or the CQ could not be written. */
    public static final int CQ_ERROR = 0x04;

    /** Local work queue catastrophic error. */
    public static final int WQ_CATAS_ERROR = 0x05;

    public static final int PATH_MIG_FAILED = 0x07;
    public static final int INTERNAL_ERROR = 0x08;

    /** Subtype as in {@link PortChange}. */
    public static final int PORT_CHANGE = 0x09;

    /** Commands are complete; one bit per slot. */
    public static final int CMD = 0x0a;

    /** Firmware wants pages, or wants to give some back. */
    public static final int PAGE_REQUEST = 0x0b;

    /** On-demand paging. */
    public static final int PAGE_FAULT = 0x0c;

    public static final int NIC_VPORT_CHANGE = 0x0d;
    public static final int ESW_FUNCTIONS_CHANGED = 0x0e;
    public static final int VHCA_STATE_CHANGE = 0x0f;

    /** The peer asked for what is not allowed. */
    public static final int WQ_INVAL_REQ_ERROR = 0x10;

    /** The peer's key or address was wrong. */
    public static final int WQ_ACCESS_ERROR = 0x11;

    public static final int SRQ_CATAS_ERROR = 0x12;
    public static final int SRQ_LAST_WQE = 0x13;

    /** Fewer WQEs than the limit are left. */
    public static final int SRQ_RQ_LIMIT = 0x14;

    public static final int GPIO_EVENT = 0x15;
    public static final int PORT_MODULE_EVENT = 0x16;
    public static final int TEMP_WARN_EVENT = 0x17;
    public static final int XRQ_ERROR = 0x18;
    public static final int REMOTE_CONFIG = 0x19;
    public static final int DB_BF_CONGESTION = 0x1a;
    public static final int STALL_EVENT = 0x1b;
    public static final int DCT_DRAINED = 0x1c;
    public static final int DCT_KEY_VIOLATION = 0x1d;
    public static final int FPGA_ERROR = 0x20;
    public static final int FPGA_QP_ERROR = 0x21;
    public static final int GENERAL_EVENT = 0x22;
    public static final int MONITOR_COUNTER = 0x24;
    public static final int PPS_EVENT = 0x25;
    public static final int DEVICE_TRACER = 0x26;
    public static final int OBJECT_CHANGE = 0x27;

    private static final Names NAMES = Names.of(EventType.class);

    private EventType() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int type) {
        return NAMES.name(type);
    }
}
