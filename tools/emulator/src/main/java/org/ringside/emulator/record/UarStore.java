package org.ringside.emulator.record;

import java.util.LinkedHashMap;
import java.util.Map;
import org.ringside.mlx5.layout.Uar;
import org.ringside.mlx5.layout.WqeOpcode;

/**
 * A store to a UAR page, taken apart.
 *
 * @param name which doorbell
 * @param fields what it says, zero or not
 */
record UarStore(String name, Map<String, String> fields) {
    private static final int NUMBER_MASK = 0xff_ffff;

    /**
     * @param value in the manual's order
     */
    static UarStore of(int offset, long value) {
        Map<String, String> fields = new LinkedHashMap<>();
        int high = (int) (value >>> Integer.SIZE);
        int low = (int) value;
        if (offset >= Uar.SEND_DOORBELL) {
            fields.put("opcode", WqeOpcode.name(high & 0xff));
            fields.put("wqe_index", Integer.toString(high >>> 8 & 0xffff));
            fields.put("op_mod", Integer.toString(high >>> 24));
            fields.put("qpn", hex(low >>> 8));
            fields.put("ds", Integer.toString(low & 0xff));
            return new UarStore("send", fields);
        }
        return switch (offset) {
            case Uar.CQ_ARM -> {
                fields.put("sn", Integer.toString(high >>> 28 & 3));
                fields.put("kind", (high >>> 24 & 1) == 1 ? "solicited" : "next");
                fields.put("consumer_index", hex(high & NUMBER_MASK));
                fields.put("cqn", hex(low & NUMBER_MASK));
                yield new UarStore("cq_arm", fields);
            }
            case Uar.EQ_ARM, Uar.EQ_CONSUMER -> {
                fields.put("eqn", hex(low >>> 24));
                fields.put("consumer_index", hex(low & NUMBER_MASK));
                yield new UarStore(offset == Uar.EQ_ARM ? "eq_arm" : "eq_consumer", fields);
            }
            default -> new UarStore("unknown", fields);
        };
    }

    /** As fields of commands are written, so that numbers of objects can be compared. */
    static String hex(int value) {
        return value >= 0 && value < 10
                ? Integer.toString(value)
                : "0x" + Integer.toHexString(value);
    }
}
