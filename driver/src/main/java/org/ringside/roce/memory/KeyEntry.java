package org.ringside.roce.memory;

import java.lang.foreign.MemorySegment;
import org.ringside.roce.Memory;

/** What a key stands for: bytes of a segment, and what may be done to them by whom. */
final class KeyEntry {
    /** Kind of key. */
    enum Kind {
        REGION,
        WINDOW_TYPE_1,
        WINDOW_TYPE_2
    }

    /** {@link #qpn} of a key for all QPs of its PD. */
    static final int ANY_QP = -1;

    final Kind kind;
    final int pd;
    int key;
    int qpn = ANY_QP;
    int rights;
    long address;
    long length;
    MemorySegment segment = MemorySegment.NULL;
    long offset;

    /** Windows: bound or not. Regions: always. */
    boolean valid;

    /** Regions: windows that are bound to it. */
    int windows;

    /** Windows: the region they are bound to. */
    int regionIndex;

    KeyEntry(Kind kind, int pd, int key) {
        this.kind = kind;
        this.pd = pd;
        this.key = key;
    }

    /** Whether all of the range belongs to the key; no sum here can overflow. */
    boolean covers(long from, long bytes) {
        return bytes >= 0
                && Long.compareUnsigned(from, address) >= 0
                && bytes <= length
                && Long.compareUnsigned(from - address, length - bytes) <= 0;
    }

    /** Offset in {@link #segment} of an address that it covers. */
    long at(long covered) {
        return offset + (covered - address);
    }

    boolean permits(int byPd, int byQp, int right, long from, long bytes) {
        return valid
                && pd == byPd
                && (qpn == ANY_QP || qpn == byQp)
                && (rights & right) == right
                && covers(from, bytes);
    }

    void unbind() {
        valid = false;
        rights = 0;
        length = 0;
        segment = MemorySegment.NULL;
    }

    @Override
    public String toString() {
        return "%s key 0x%x (PD 0x%x, rights %s, 0x%x + 0x%x)"
                .formatted(kind, key, pd, rightsText(), address, length);
    }

    private String rightsText() {
        StringBuilder text = new StringBuilder();
        append(text, Memory.LOCAL_WRITE, "LW");
        append(text, Memory.REMOTE_READ, "RR");
        append(text, Memory.REMOTE_WRITE, "RW");
        append(text, Memory.REMOTE_ATOMIC, "RA");
        return text.isEmpty() ? "none" : text.toString();
    }

    private void append(StringBuilder text, int right, String name) {
        if ((rights & right) != 0) {
            text.append(text.isEmpty() ? "" : "|").append(name);
        }
    }
}
