package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;

/**
 * A memory key: which bytes of host memory a local or remote key reaches, and for what (PRM, Memory
 * Key Context). Its key is {@code index << 8 | variant}.
 *
 * <p>Either the key has a page list, and virtual addresses from {@link #start} on go through it, or
 * it is physical (access mode PA) and a virtual address is the IO virtual address.
 */
public final class MkeyState {
    /** The device may read for WQEs of its own side. */
    public static final int LOCAL_READ = 1;

    /** The device may write for WQEs of its own side: receives, READ and atomic results. */
    public static final int LOCAL_WRITE = 1 << 1;

    /** Peers may READ. */
    public static final int REMOTE_READ = 1 << 2;

    /** Peers may WRITE. */
    public static final int REMOTE_WRITE = 1 << 3;

    /** Peers may do atomics. */
    public static final int ATOMIC = 1 << 4;

    /** Peers may invalidate it with a SEND (en_rinval). */
    public static final int REMOTE_INVALIDATE = 1 << 5;

    /** QPN of a key that is not bound to one QP. */
    public static final int ANY_QP = 0xff_ffff;

    /** Length of a physical key without bounds (length64). */
    public static final long UNBOUNDED = -1L;

    final int key;
    final int pd;
    final int access;
    final int qpn;
    final long start;
    final long length;
    private final @Nullable PageList pages;
    private @Nullable DmaWindow window;

    /** It was invalidated: it gives no access until it is made anew. */
    private boolean free;

    private MkeyState(
            int key,
            int pd,
            int access,
            int qpn,
            long start,
            long length,
            @Nullable PageList pages) {
        this.key = key;
        this.pd = pd;
        this.access = access;
        this.qpn = qpn;
        this.start = start;
        this.length = length;
        this.pages = pages;
    }

    /**
     * A key with a page list (access mode MTT).
     *
     * @param key index and variant
     * @param pd protection domain
     * @param access sum of the access constants
     * @param qpn the only QP that may use it, or {@link #ANY_QP}
     * @param start virtual address of the first byte of {@code pages}
     * @param pages the memory; its length is the key's
     */
    public static MkeyState paged(
            int key, int pd, int access, int qpn, long start, PageList pages) {
        return new MkeyState(key, pd, access, qpn, start, pages.length(), pages);
    }

    /**
     * A physical key (access mode PA): virtual addresses are IO virtual addresses.
     *
     * @param length in bytes, or {@link #UNBOUNDED}
     */
    public static MkeyState physical(
            int key, int pd, int access, int qpn, long start, long length) {
        return new MkeyState(key, pd, access, qpn, start, length, null);
    }

    /** Index and variant, as WQEs name it. */
    public int key() {
        return key;
    }

    /** Index in the key table. */
    public int index() {
        return key >>> 8;
    }

    /** Protection domain. */
    public int pd() {
        return pd;
    }

    /** Sum of the access constants. */
    public int access() {
        return access;
    }

    /** Virtual address of the first byte. */
    public long start() {
        return start;
    }

    /** Bytes, or {@link #UNBOUNDED}. */
    public long length() {
        return length;
    }

    /** Whether it was invalidated; what is free gives no access. */
    public boolean isFree() {
        return free;
    }

    void invalidate() {
        free = true;
    }

    /** Whether all of the range belongs to the key; no sum here can overflow. */
    boolean covers(long va, long bytes) {
        if (length == UNBOUNDED) {
            return bytes <= -va || va >= 0;
        }
        return Long.compareUnsigned(va, start) >= 0
                && Long.compareUnsigned(bytes, length) <= 0
                && Long.compareUnsigned(va - start, length - bytes) <= 0;
    }

    /** IO virtual address of a virtual address that the key covers. */
    long iova(long va) {
        return pages == null ? va : pages.iova(va - start);
    }

    /** Bytes from {@code va} on with consecutive IO virtual addresses; at most what it covers. */
    long run(long va) {
        if (pages != null) {
            return pages.run(va - start);
        }
        return length == UNBOUNDED ? Long.MAX_VALUE : length - (va - start);
    }

    /** The function's memory through this key; set when an engine takes the key. */
    DmaWindow window() {
        if (window == null) {
            throw new IllegalStateException(this + " belongs to no engine");
        }
        return window;
    }

    void attach(HostMemory memory) {
        window = new DmaWindow(memory);
    }

    @Override
    public String toString() {
        StringBuilder rights = new StringBuilder();
        append(rights, LOCAL_READ, "LR");
        append(rights, LOCAL_WRITE, "LW");
        append(rights, REMOTE_READ, "RR");
        append(rights, REMOTE_WRITE, "RW");
        append(rights, ATOMIC, "A");
        append(rights, REMOTE_INVALIDATE, "RI");
        return "MKEY 0x%x (PD 0x%x, %s, %s 0x%x + 0x%x)"
                .formatted(key, pd, rights, pages == null ? "PA" : "VA", start, length);
    }

    private void append(StringBuilder text, int right, String name) {
        if ((access & right) != 0) {
            text.append(text.isEmpty() ? "" : "|").append(name);
        }
    }
}
