package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;

/**
 * A memory key: which bytes of host memory a local or remote key reaches, and for what (PRM, Memory
 * Key Context). Its key is {@code index << 8 | variant}.
 *
 * <p>Either the key has a page list, and virtual addresses from {@link #start} on go through it, or
 * it is physical (access mode PA) and a virtual address is the IO virtual address, or it is
 * indirect (access mode KLM) and has a list of ranges of other keys: a memory window. Work requests
 * change such a key; a new state takes the place of the old one then.
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

    /** Entries that an indirect key has room for; 0 when it is none. */
    private final int capacity;

    private final Klm[] list;
    private @Nullable DmaWindow window;

    /** It was invalidated: it gives no access until it is made anew. */
    private boolean free;

    /** Work requests may change it. */
    private boolean changeable;

    /** It is not in the table any more. */
    private boolean gone;

    private MkeyState(
            int key,
            int pd,
            int access,
            int qpn,
            long start,
            long length,
            @Nullable PageList pages,
            int capacity,
            Klm[] list) {
        this.capacity = capacity;
        this.list = list;
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
        return new MkeyState(key, pd, access, qpn, start, pages.length(), pages, 0, Klm.NONE);
    }

    /**
     * A physical key (access mode PA): virtual addresses are IO virtual addresses.
     *
     * @param length in bytes, or {@link #UNBOUNDED}
     */
    public static MkeyState physical(
            int key, int pd, int access, int qpn, long start, long length) {
        return new MkeyState(key, pd, access, qpn, start, length, null, 0, Klm.NONE);
    }

    /**
     * A free key without list, which work requests give one (access mode KLM, umr_en).
     *
     * @param capacity entries of the longest list, at least 1
     */
    public static MkeyState indirect(int key, int pd, int access, int qpn, int capacity) {
        MkeyState mkey = new MkeyState(key, pd, access, qpn, 0, 0, null, capacity, Klm.NONE);
        mkey.free = true;
        mkey.changeable = true;
        return mkey;
    }

    /** Work requests may change it from now on (umr_en). */
    public MkeyState changeable() {
        changeable = true;
        return this;
    }

    /** As a work request leaves it, with the same memory of its own. */
    MkeyState changed(
            int variant,
            int newPd,
            int newAccess,
            int newQpn,
            long newStart,
            long newLength,
            Klm[] newList,
            boolean isFree) {
        MkeyState mkey =
                new MkeyState(
                        key & ~0xff | variant,
                        newPd,
                        newAccess,
                        newQpn,
                        newStart,
                        newLength,
                        pages,
                        capacity,
                        newList);
        mkey.free = isFree;
        mkey.changeable = true;
        return mkey;
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

    void drop() {
        gone = true;
    }

    /** Whether it is there and gives access to anything. */
    boolean isUsable() {
        return !free && !gone;
    }

    /** Whether work requests may change it. */
    boolean isChangeable() {
        return changeable;
    }

    /** Whether it has ranges of other keys, no memory of its own. */
    public boolean isIndirect() {
        return capacity > 0;
    }

    /** The only QP that may use it, or {@link #ANY_QP}. */
    public int qpn() {
        return qpn;
    }

    int capacity() {
        return capacity;
    }

    Klm[] list() {
        return list;
    }

    /** Whether all of the range belongs to the key, and to usable ones behind it. */
    boolean covers(long va, long bytes) {
        return inRange(va, bytes) && (capacity == 0 || reaches(va - start, bytes));
    }

    private boolean reaches(long offset, long bytes) {
        long at = offset;
        long left = bytes;
        while (left > 0) {
            int i = Klm.at(list, at);
            if (i < 0) {
                return false;
            }
            long inside = at - Klm.before(list, i);
            long part = Math.min(left, list[i].bytes() - inside);
            MkeyState target = list[i].target();
            if (!target.isUsable() || !target.covers(list[i].address() + inside, part)) {
                return false;
            }
            at += part;
            left -= part;
        }
        return true;
    }

    /** No sum here can overflow. */
    private boolean inRange(long va, long bytes) {
        if (length == UNBOUNDED) {
            return bytes <= -va || va >= 0;
        }
        return Long.compareUnsigned(va, start) >= 0
                && Long.compareUnsigned(bytes, length) <= 0
                && Long.compareUnsigned(va - start, length - bytes) <= 0;
    }

    /** IO virtual address of a virtual address that the key covers. */
    long iova(long va) {
        if (capacity > 0) {
            int i = Klm.at(list, va - start);
            return list[i].target().iova(list[i].address() + va - start - Klm.before(list, i));
        }
        return pages == null ? va : pages.iova(va - start);
    }

    /** Bytes from {@code va} on with consecutive IO virtual addresses; at most what it covers. */
    long run(long va) {
        if (pages != null) {
            return pages.run(va - start);
        }
        if (capacity > 0) {
            int i = Klm.at(list, va - start);
            long inside = va - start - Klm.before(list, i);
            return Math.min(
                    Math.min(list[i].bytes() - inside, length - (va - start)),
                    list[i].target().run(list[i].address() + inside));
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
                .formatted(key, pd, rights, kind(), start, length);
    }

    private String kind() {
        if (capacity > 0) {
            return free ? "free window" : "window";
        }
        return pages == null ? "PA" : "VA";
    }

    private void append(StringBuilder text, int right, String name) {
        if ((access & right) != 0) {
            text.append(text.isEmpty() ? "" : "|").append(name);
        }
    }
}
