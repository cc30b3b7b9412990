package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.UmrLayout;
import org.ringside.mlx5.layout.WqeLayout;

/**
 * Changes memory keys as send WQEs of opcode UMR ask for (IBTA 10.6.7, memory windows): binds a
 * window, that is a key with a list of other keys, to a range of one of them; frees it; gives a key
 * with memory of its own other rights or another PD, as Linux does to register a region anew. A key
 * is replaced as a whole, or stays as it was. QPs for nothing else (UMR) reach keys of every PD.
 */
final class Umr {
    private static final int CONTROL = WqeLayout.CTRL_SIZE;
    private static final int CONTEXT = CONTROL + UmrLayout.CONTROL_SIZE;
    private static final int LIST = CONTEXT + UmrLayout.CONTEXT_SIZE;
    private static final int VARIANT = 0xff;
    private static final long MAX_KLM = 1L << 31;
    private static final long KNOWN_MASK =
            UmrLayout.MASK_LENGTH
                    | UmrLayout.MASK_START
                    | UmrLayout.MASK_PD
                    | UmrLayout.MASK_LOCAL_READ
                    | UmrLayout.MASK_VARIANT
                    | UmrLayout.MASK_QPN
                    | UmrLayout.MASK_LOCAL_WRITE
                    | UmrLayout.MASK_REMOTE_READ
                    | UmrLayout.MASK_REMOTE_WRITE
                    | UmrLayout.MASK_ATOMIC
                    | UmrLayout.MASK_FREE;
    private static final long RANGE = UmrLayout.MASK_LENGTH | UmrLayout.MASK_START;
    private static final int KNOWN_FLAGS =
            UmrLayout.FLAG_INLINE
                    | UmrLayout.FLAG_CHECK_FREE
                    | UmrLayout.FLAG_CHECK_USED
                    | UmrLayout.FLAG_TRANSLATION_OFFSET
                    | UmrLayout.FLAG_CHECK_QPN;

    private final Engine engine;
    private @Nullable String problem;

    Umr(Engine engine) {
        this.engine = engine;
    }

    /** Why {@link #execute} returned a syndrome. */
    String problem() {
        return String.valueOf(problem);
    }

    /**
     * Does what a WQE says.
     *
     * @param wqe as it was fetched
     * @param end bytes of it
     * @param key that its control segment names
     * @return {@link Syndrome#NONE}, or why nothing was changed
     */
    int execute(QpState qp, MemorySegment wqe, int end, int key) {
        if (end < LIST) {
            return bad(
                    CqeSyndrome.LOCAL_QP_OP_ERR,
                    "UMR of 0x%x bytes, at least 0x%x".formatted(end, LIST));
        }
        int flags = wqe.get(ValueLayout.JAVA_BYTE, CONTROL + UmrLayout.FLAGS) & 0xff;
        long mask = BigEndian.getLong(wqe, CONTROL + UmrLayout.MASK);
        int octwords = BigEndian.getInt(wqe, CONTROL + UmrLayout.LIST_OCTWORDS) >>> 16;
        int offset = BigEndian.getInt(wqe, CONTROL + UmrLayout.LIST_OCTWORDS) & 0xffff;
        if ((flags & ~KNOWN_FLAGS) != 0 || (mask & ~KNOWN_MASK) != 0 || offset != 0) {
            return bad(
                    CqeSyndrome.LOCAL_QP_OP_ERR,
                    "UMR with flags 0x%x, mask 0x%x, translation offset 0x%x; this device has not all of it"
                            .formatted(flags, mask, offset));
        }
        MkeyState old = engine.mkeys.get(key >>> Byte.SIZE);
        String why = forbidden(qp, old, key, flags);
        if (old == null || why != null) {
            return bad(CqeSyndrome.MW_BIND_ERR, "UMR: " + why);
        }
        return change(qp, wqe, end, old, mask, octwords, (flags & UmrLayout.FLAG_INLINE) != 0);
    }

    private static @Nullable String forbidden(
            QpState qp, @Nullable MkeyState mkey, int key, int flags) {
        if (mkey == null || mkey.key != key) {
            return "key 0x%x does not exist".formatted(key);
        }
        if (!mkey.isChangeable()) {
            return "%s is not one that work requests may change (umr_en)".formatted(mkey);
        }
        if (mkey.pd != qp.pd && qp.service != Service.UMR) {
            return "%s is not in the QP's PD 0x%x".formatted(mkey, qp.pd);
        }
        if ((flags & UmrLayout.FLAG_CHECK_USED) != 0 && mkey.isFree()) {
            return "%s is free".formatted(mkey);
        }
        if ((flags & UmrLayout.FLAG_CHECK_FREE) != 0 && !mkey.isFree()) {
            return "%s is not free".formatted(mkey);
        }
        if ((flags & UmrLayout.FLAG_CHECK_QPN) != 0 && mkey.qpn != qp.qpn) {
            return "%s is not bound to the QP".formatted(mkey);
        }
        return null;
    }

    private int change(
            QpState qp,
            MemorySegment wqe,
            int end,
            MkeyState old,
            long mask,
            int octwords,
            boolean inline) {
        int qpnVariant = BigEndian.getInt(wqe, CONTEXT + UmrLayout.QPN_VARIANT);
        int variant =
                (mask & UmrLayout.MASK_VARIANT) != 0 ? qpnVariant & VARIANT : old.key & VARIANT;
        int qpn = (mask & UmrLayout.MASK_QPN) != 0 ? qpnVariant >>> Byte.SIZE : old.qpn;
        boolean free =
                (mask & UmrLayout.MASK_FREE) != 0
                        ? (wqe.get(ValueLayout.JAVA_BYTE, CONTEXT + UmrLayout.FREE)
                                        & UmrLayout.CONTEXT_FREE)
                                != 0
                        : old.isFree();
        long start =
                (mask & UmrLayout.MASK_START) != 0
                        ? BigEndian.getLong(wqe, CONTEXT + UmrLayout.START)
                        : old.start;
        long length =
                (mask & UmrLayout.MASK_LENGTH) != 0
                        ? BigEndian.getLong(wqe, CONTEXT + UmrLayout.LENGTH)
                        : old.length;
        if (old.capacity() == 0 && (octwords > 0 || (mask & RANGE) != 0)) {
            return bad(
                    CqeSyndrome.LOCAL_QP_OP_ERR,
                    "UMR: another range for %s, whose memory is its own".formatted(old));
        }
        int access = access(wqe, old.access, mask);
        Klm[] list = old.list();
        if (octwords > 0) {
            if (!inline
                    || LIST + octwords * UmrLayout.KLM_SIZE > end
                    || octwords > old.capacity()) {
                return bad(
                        CqeSyndrome.LOCAL_QP_OP_ERR,
                        "UMR with a list of %d entries, %s; the WQE has room for %d, the key for %d"
                                .formatted(
                                        octwords,
                                        inline ? "inline" : "elsewhere",
                                        (end - LIST) / UmrLayout.KLM_SIZE,
                                        old.capacity()));
            }
            list = list(qp, wqe, octwords, access);
            if (list == null) {
                return CqeSyndrome.MW_BIND_ERR;
            }
        }
        long listed = Klm.bytes(list);
        if (!free && old.capacity() > 0 && (length < 0 || length > listed)) {
            return bad(
                    CqeSyndrome.MW_BIND_ERR,
                    "UMR: 0x%x bytes of a list with 0x%x".formatted(length, listed));
        }
        int pd = BigEndian.getInt(wqe, CONTEXT + UmrLayout.PD) & 0xff_ffff;
        boolean moves = (mask & UmrLayout.MASK_PD) != 0 && pd != old.pd;
        if (moves && !engine.events.keyMoved(old.index(), pd)) {
            return bad(CqeSyndrome.MW_BIND_ERR, "UMR: there is no PD 0x%x".formatted(pd));
        }
        engine.replace(
                old,
                old.changed(variant, moves ? pd : old.pd, access, qpn, start, length, list, free));
        return Syndrome.NONE;
    }

    private static int access(MemorySegment wqe, int before, long mask) {
        int bits = wqe.get(ValueLayout.JAVA_BYTE, CONTEXT + UmrLayout.ACCESS);
        int access = before;
        access =
                take(
                        access,
                        mask,
                        UmrLayout.MASK_LOCAL_READ,
                        bits,
                        UmrLayout.ACCESS_LOCAL_READ,
                        MkeyState.LOCAL_READ);
        access =
                take(
                        access,
                        mask,
                        UmrLayout.MASK_LOCAL_WRITE,
                        bits,
                        UmrLayout.ACCESS_LOCAL_WRITE,
                        MkeyState.LOCAL_WRITE);
        access =
                take(
                        access,
                        mask,
                        UmrLayout.MASK_REMOTE_READ,
                        bits,
                        UmrLayout.ACCESS_REMOTE_READ,
                        MkeyState.REMOTE_READ);
        access =
                take(
                        access,
                        mask,
                        UmrLayout.MASK_REMOTE_WRITE,
                        bits,
                        UmrLayout.ACCESS_REMOTE_WRITE,
                        MkeyState.REMOTE_WRITE);
        return take(
                access,
                mask,
                UmrLayout.MASK_ATOMIC,
                bits,
                UmrLayout.ACCESS_ATOMIC,
                MkeyState.ATOMIC);
    }

    private static int take(int access, long mask, long selected, int bits, int bit, int right) {
        if ((mask & selected) == 0) {
            return access;
        }
        return (bits & bit) != 0 ? access | right : access & ~right;
    }

    /** The list of a WQE, or null when it names what the window may not reach. */
    private Klm @Nullable [] list(QpState qp, MemorySegment wqe, int octwords, int access) {
        int used = octwords;
        while (used > 0
                && BigEndian.getInt(
                                wqe,
                                LIST + (long) (used - 1) * UmrLayout.KLM_SIZE + UmrLayout.KLM_KEY)
                        == 0) {
            used--; // Lists are filled up to 64 bytes.
        }
        Klm[] list = new Klm[used];
        for (int i = 0; i < used; i++) {
            long at = LIST + (long) i * UmrLayout.KLM_SIZE;
            int count = BigEndian.getInt(wqe, at + UmrLayout.KLM_BYTE_COUNT);
            int key = BigEndian.getInt(wqe, at + UmrLayout.KLM_KEY);
            long address = BigEndian.getLong(wqe, at + UmrLayout.KLM_ADDRESS);
            long bytes = count == 0 ? MAX_KLM : Integer.toUnsignedLong(count);
            MkeyState target = engine.mkeys.get(key >>> Byte.SIZE);
            if (target == null || target.key != key || !target.isUsable() || target.pd != qp.pd) {
                problem =
                        "UMR: entry %d names key 0x%x, which is none of PD 0x%x"
                                .formatted(i, key, qp.pd);
                return null;
            }
            if (!target.covers(address, bytes)) {
                problem =
                        "UMR: entry %d: 0x%x bytes at 0x%x are not inside of %s"
                                .formatted(i, bytes, address, target);
                return null;
            }
            boolean written =
                    (access & (MkeyState.LOCAL_WRITE | MkeyState.REMOTE_WRITE | MkeyState.ATOMIC))
                            != 0;
            if (written && (target.access & MkeyState.LOCAL_WRITE) == 0) {
                problem = "UMR: entry %d: a window that is written, on %s".formatted(i, target);
                return null;
            }
            list[i] = new Klm(target, address, bytes);
        }
        return list;
    }

    private int bad(int syndrome, String why) {
        problem = why;
        return syndrome;
    }
}
