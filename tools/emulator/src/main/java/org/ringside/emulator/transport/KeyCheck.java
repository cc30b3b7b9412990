package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;

/**
 * Whether a key may be used for a range: it exists with this variant, belongs to the PD, is not
 * bound to another QP, gives the right, and covers the range.
 */
final class KeyCheck {
    private static final int KEY_VARIANT_BITS = 8;

    private final NumberedTable<MkeyState> mkeys;

    KeyCheck(NumberedTable<MkeyState> mkeys) {
        this.mkeys = mkeys;
    }

    /** The key when it has a right, whatever the range, else null. */
    @Nullable MkeyState named(int pd, int qpn, int key, int right) {
        MkeyState mkey = mkeys.get(key >>> KEY_VARIANT_BITS);
        return mkey != null
                        && mkey.key == key
                        && !mkey.isFree()
                        && mkey.pd == pd
                        && (mkey.access & right) == right
                        && (mkey.qpn == MkeyState.ANY_QP || mkey.qpn == qpn)
                ? mkey
                : null;
    }

    /** The key when the range may be used, else null. */
    @Nullable MkeyState allowed(int pd, int qpn, int key, int right, long va, long length) {
        MkeyState mkey = named(pd, qpn, key, right);
        return mkey != null && mkey.covers(va, length) ? mkey : null;
    }

    /** Why {@link #allowed} said no. */
    String explain(int pd, int qpn, int key, int right, long va, long length) {
        MkeyState mkey = mkeys.get(key >>> KEY_VARIANT_BITS);
        if (mkey == null) {
            return "key 0x%x does not exist".formatted(key);
        }
        if (mkey.key != key) {
            return "key 0x%x has the wrong variant, it is %s".formatted(key, mkey);
        }
        if (mkey.isFree()) {
            return "%s was invalidated".formatted(mkey);
        }
        if (mkey.pd != pd) {
            return "%s is not in the QP's PD 0x%x".formatted(mkey, pd);
        }
        if ((mkey.access & right) != right) {
            return "%s does not allow %s".formatted(mkey, rightName(right));
        }
        if (mkey.qpn != MkeyState.ANY_QP && mkey.qpn != qpn) {
            return "%s is bound to QP 0x%x".formatted(mkey, mkey.qpn);
        }
        return "0x%x bytes at 0x%x are not inside of %s".formatted(length, va, mkey);
    }

    private static String rightName(int right) {
        return switch (right) {
            case MkeyState.LOCAL_READ -> "local read";
            case MkeyState.LOCAL_WRITE -> "local write";
            case MkeyState.REMOTE_READ -> "remote read";
            case MkeyState.REMOTE_WRITE -> "remote write";
            case MkeyState.ATOMIC -> "atomics";
            case MkeyState.REMOTE_INVALIDATE -> "remote invalidation";
            default -> "access 0x" + Integer.toHexString(right);
        };
    }
}
