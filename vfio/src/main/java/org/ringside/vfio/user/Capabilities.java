package org.ringside.vfio.user;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one side of the connection says that it can do, in the JSON of {@link Command#VERSION}. Keys
 * of others are ignored, those missing have the protocol's defaults.
 *
 * @param maxMsgFds descriptors beside one message
 * @param maxDataXferSize bytes of data in one message
 * @param maxDmaMaps mappings at a time
 * @param pageSizes bitmap of page sizes for mappings
 * @param writeMultiple whether {@link Command#REGION_WRITE_MULTI} is understood
 */
public record Capabilities(
        int maxMsgFds, int maxDataXferSize, int maxDmaMaps, long pageSizes, boolean writeMultiple) {
    /** What holds for a side that says nothing. */
    public static final Capabilities DEFAULTS = new Capabilities(1, 1 << 20, 65535, 4096, false);

    private static final int MAX = Integer.MAX_VALUE;

    /** Reads the JSON in {@code length} bytes at {@code offset}; none at all gives the defaults. */
    public static Capabilities parse(MemorySegment memory, long offset, long length)
            throws ProtocolException {
        if (length == 0) {
            return DEFAULTS;
        }
        byte[] bytes = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        if (bytes[bytes.length - 1] != 0) {
            throw new ProtocolException("JSON of VERSION does not end with a NUL");
        }
        String text = new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8);
        if (!(Json.parse(text) instanceof Map<?, ?> root)) {
            throw new ProtocolException("JSON of VERSION is not an object");
        }
        Map<?, ?> keys = Json.member(root, "capabilities", Map.class);
        if (keys == null) {
            return DEFAULTS;
        }
        Boolean writeMultiple = Json.member(keys, "write_multiple", Boolean.class);
        return new Capabilities(
                (int) number(keys, "max_msg_fds", 0, MAX, DEFAULTS.maxMsgFds),
                (int) number(keys, "max_data_xfer_size", 1, MAX, DEFAULTS.maxDataXferSize),
                (int) number(keys, "max_dma_maps", 0, MAX, DEFAULTS.maxDmaMaps),
                number(keys, "pgsizes", 1, Long.MAX_VALUE, DEFAULTS.pageSizes),
                writeMultiple != null && writeMultiple);
    }

    private static long number(Map<?, ?> keys, String key, long min, long max, long absent)
            throws ProtocolException {
        BigDecimal value = Json.member(keys, key, BigDecimal.class);
        if (value == null) {
            return absent;
        }
        // Compared first: the exact conversion of 1e999999999 would take all memory.
        if (value.compareTo(BigDecimal.valueOf(min)) < 0
                || value.compareTo(BigDecimal.valueOf(max)) > 0
                || value.stripTrailingZeros().scale() > 0) {
            throw new ProtocolException(
                    "JSON of VERSION: %s must be a whole number from %d to %d"
                            .formatted(key, min, max));
        }
        return value.longValueExact();
    }

    /**
     * As JSON with its NUL, no longer than {@code maxLength} bytes: QEMU takes a VERSION reply that
     * is longer than its request for the end of the session. Keys that do not fit are left out, the
     * least important first; empty when not even the braces fit.
     */
    public byte[] toJson(int maxLength) {
        StringBuilder json = new StringBuilder("{\"capabilities\":{");
        int tail = 3; // braces and NUL
        if (json.length() + tail > maxLength) {
            return new byte[0];
        }
        List<String> members = new ArrayList<>();
        members.add("\"max_msg_fds\":" + maxMsgFds);
        members.add("\"max_data_xfer_size\":" + maxDataXferSize);
        if (writeMultiple) {
            members.add("\"write_multiple\":true");
        }
        members.add("\"pgsizes\":" + pageSizes);
        members.add("\"max_dma_maps\":" + maxDmaMaps);
        String comma = "";
        for (String member : members) {
            if (json.length() + comma.length() + member.length() + tail <= maxLength) {
                json.append(comma).append(member);
                comma = ",";
            }
        }
        return json.append("}}\0").toString().getBytes(StandardCharsets.US_ASCII);
    }
}
