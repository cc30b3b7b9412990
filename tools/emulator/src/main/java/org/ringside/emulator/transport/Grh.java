package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;

/**
 * Global route header, as the receiver of a datagram finds it before the data (IBTA 8.3).
 *
 * <pre>
 *   +0   version:4 class:8 flow label:20 | payload length:16 next header:8 hop limit:8
 *   +8   source GID:128
 *   +24  destination GID:128
 * </pre>
 */
final class Grh {
    /** Bytes; a receive WQE of a datagram QP needs as many before the data, GRH or not. */
    static final int BYTES = 40;

    private static final int VERSION = 6;
    private static final int NEXT_HEADER_IBA = 0x1b;

    /** BTH, DETH and invariant CRC, which the payload length counts too. */
    private static final int OTHER_HEADERS = 12 + 8 + 4;

    private Grh() {}

    static void clear(MemorySegment into, long at) {
        for (int i = 0; i < BYTES; i += 8) {
            BigEndian.putLong(into, at + i, 0);
        }
    }

    static void write(
            MemorySegment into,
            long at,
            AddressVector to,
            long sourceHigh,
            long sourceLow,
            int payload) {
        int bytes = OTHER_HEADERS + (payload + 3 & ~3);
        BigEndian.putInt(into, at, VERSION << 28 | to.trafficClass << 20 | to.flowLabel);
        BigEndian.putInt(into, at + 4, bytes << 16 | NEXT_HEADER_IBA << 8 | to.hopLimit);
        BigEndian.putLong(into, at + 8, sourceHigh);
        BigEndian.putLong(into, at + 16, sourceLow);
        BigEndian.putLong(into, at + 24, to.gidHigh);
        BigEndian.putLong(into, at + 32, to.gidLow);
    }
}
