package org.ringside.roce.packet;

/**
 * The syndrome byte of an AETH (IBTA table 43): two bits of kind, five of value.
 *
 * <pre>
 *   0 00 ccccc   ACK, credit code c; 31 tells nothing of credits
 *   0 01 ttttt   RNR NAK, timer code t
 *   0 11 nnnnn   NAK, code n
 * </pre>
 */
public final class Syndrome {
    /** ACK without credits. */
    public static final int ACK = 0x1f;

    /** RNR NAK with timer code 0. */
    public static final int RNR = 0x20;

    /** NAK: PSN sequence error. */
    public static final int NAK_SEQUENCE = 0x60;

    /** NAK: invalid request. */
    public static final int NAK_INVALID_REQUEST = 0x61;

    /** NAK: remote access error. */
    public static final int NAK_REMOTE_ACCESS = 0x62;

    /** NAK: remote operational error. */
    public static final int NAK_REMOTE_OPERATION = 0x63;

    /** In units of 10 us, by timer code (IBTA table 45). */
    private static final int[] RNR_UNITS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
        1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private static final long RNR_UNIT_NANOS = 10_000;

    private Syndrome() {}

    /** Whether it is an ACK of any credit. */
    public static boolean isAck(int syndrome) {
        return (syndrome & 0xe0) == 0;
    }

    /** Whether it is an RNR NAK of any timer. */
    public static boolean isRnr(int syndrome) {
        return (syndrome & 0xe0) == RNR;
    }

    /** Whether it is a NAK other than RNR. */
    public static boolean isNak(int syndrome) {
        return (syndrome & 0xe0) == 0x60;
    }

    /** How long a requester waits at least after an RNR NAK. */
    public static long rnrNanos(int timerCode) {
        return RNR_UNITS[timerCode & 31] * RNR_UNIT_NANOS;
    }

    /** For people. */
    public static String describe(int syndrome) {
        if (isAck(syndrome)) {
            return "ACK";
        }
        if (isRnr(syndrome)) {
            return "RNR NAK, " + rnrNanos(syndrome) / 1000 + " us";
        }
        return switch (syndrome) {
            case NAK_SEQUENCE -> "NAK sequence";
            case NAK_INVALID_REQUEST -> "NAK invalid request";
            case NAK_REMOTE_ACCESS -> "NAK remote access";
            case NAK_REMOTE_OPERATION -> "NAK remote operation";
            default -> "reserved syndrome 0x" + Integer.toHexString(syndrome);
        };
    }
}
