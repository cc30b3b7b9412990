package org.ringside.mlx5.layout;

/**
 * Registers behind ACCESS_REG: {@link AccessRegisterIn#REGISTER_ID}.
 *
 * <p>Source: Linux driver.h, {@code MLX5_REG_}.
 */
public final class Register {
    public static final int QPTS = 0x4002;
    public static final int QETCR = 0x4005;
    public static final int QTCT = 0x400a;
    public static final int QPDPM = 0x4013;
    public static final int QCAM = 0x4019;
    public static final int DCBX_PARAM = 0x4020;
    public static final int DCBX_APP = 0x4021;
    public static final int FPGA_CAP = 0x4022;
    public static final int FPGA_CTRL = 0x4023;
    public static final int FPGA_ACCESS_REG = 0x4024;
    public static final int CORE_DUMP = 0x402e;

    public static final int PCAP = 0x5001;
    public static final int PMLP = 0x5002;
    public static final int PMTU = 0x5003;
    public static final int PTYS = 0x5004;
    public static final int PAOS = 0x5006;
    public static final int PFCC = 0x5007;
    public static final int PPCNT = 0x5008;
    public static final int PUDE = 0x5009;
    public static final int PPTB = 0x500b;
    public static final int PBMC = 0x500c;
    public static final int PELC = 0x500e;
    public static final int PVLC = 0x500f;
    public static final int PMPE = 0x5010;
    public static final int PMAOS = 0x5012;
    public static final int PPLM = 0x5023;
    public static final int PDDR = 0x5031;
    public static final int PCMR = 0x5041;
    public static final int PCAM = 0x507f;

    public static final int NODE_DESC = 0x6001;

    public static final int HOST_ENDIANNESS = 0x7004;

    public static final int MTCAP = 0x9009;
    public static final int MTMP = 0x900a;
    public static final int MCIA = 0x9014;
    public static final int MFRL = 0x9028;
    public static final int MLCR = 0x902b;
    public static final int MRTC = 0x902d;
    public static final int MTRC_CAP = 0x9040;
    public static final int MTRC_CONF = 0x9041;
    public static final int MTRC_STDB = 0x9042;
    public static final int MTRC_CTRL = 0x9043;
    public static final int MPEIN = 0x9050;
    public static final int MPCNT = 0x9051;
    public static final int MTPPS = 0x9053;
    public static final int MTPPSE = 0x9054;
    public static final int MTUTC = 0x9055;
    public static final int MPEGC = 0x9056;
    public static final int MPIR = 0x9059;
    public static final int MCQS = 0x9060;
    public static final int MCQI = 0x9061;
    public static final int MCC = 0x9062;
    public static final int MCDA = 0x9063;
    public static final int MCAM = 0x907f;
    public static final int MSECQ = 0x9155;
    public static final int MSEES = 0x9156;
    public static final int MIRC = 0x9162;
    public static final int MTPTM = 0x9180;
    public static final int MTCTR = 0x9181;

    public static final int SBPR = 0xb001;
    public static final int SBCM = 0xb002;
    public static final int SBCAM = 0xb01f;

    public static final int RESOURCE_DUMP = 0xc000;
    public static final int DTOR = 0xc00e;

    private static final Names NAMES = Names.of(Register.class);

    private Register() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int register) {
        return NAMES.name(register);
    }
}
