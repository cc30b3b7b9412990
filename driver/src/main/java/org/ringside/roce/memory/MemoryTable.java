package org.ringside.roce.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.Memory;
import org.ringside.roce.SendRequest;

/**
 * The keys of a device. A key is {@code index << 8 | variant}; the variant changes with each use of
 * an index, so that a stale key is refused.
 *
 * <p>Not thread safe: keys are made and used on the agent's thread. Atomics are atomic to the CPU's
 * own as well.
 */
public final class MemoryTable implements Memory {
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = 0xff;
    private static final int FIRST_VARIANT = 0x11;

    private @Nullable KeyEntry[] entries = new @Nullable KeyEntry[64];
    private int[] variants = new int[64];
    private long original;

    /**
     * Makes a key for memory. The segment must live as long as the key; a key whose segment was
     * closed refuses.
     *
     * @param address by which users of the key name the segment's first byte
     * @param rights sum of the rights of {@link Memory}; reading locally is always allowed
     * @return the key, local and remote
     */
    public int register(int pd, MemorySegment segment, long address, int rights) {
        KeyEntry entry = add(KeyEntry.Kind.REGION, pd);
        entry.rights = rights | LOCAL_READ;
        entry.address = address;
        entry.length = segment.byteSize();
        entry.segment = segment;
        entry.valid = true;
        return entry.key;
    }

    /**
     * Makes a memory window that is bound to nothing.
     *
     * @param type2 bound by work requests that choose its variant; type 1 keeps its key
     */
    public int allocateWindow(int pd, boolean type2) {
        return add(type2 ? KeyEntry.Kind.WINDOW_TYPE_2 : KeyEntry.Kind.WINDOW_TYPE_1, pd).key;
    }

    /**
     * Ends a key.
     *
     * @throws IllegalArgumentException when there is none
     * @throws IllegalStateException when windows are bound to it
     */
    public void release(int key) {
        KeyEntry entry = find(key);
        if (entry == null) {
            throw new IllegalArgumentException("no key 0x" + Integer.toHexString(key));
        }
        if (entry.windows != 0) {
            throw new IllegalStateException(
                    entry + " has " + entry.windows + " windows bound to it; release them first");
        }
        unbind(entry);
        entries[key >>> VARIANT_BITS] = null;
    }

    private KeyEntry add(KeyEntry.Kind kind, int pd) {
        int index = 1; // Key 0 stays unused.
        while (index < entries.length && entries[index] != null) {
            index++;
        }
        if (index == entries.length) {
            entries = Arrays.copyOf(entries, 2 * index);
            variants = Arrays.copyOf(variants, 2 * index);
        }
        int variant = variants[index] == 0 ? FIRST_VARIANT : variants[index] + 1 & VARIANT_MASK;
        variants[index] = Math.max(variant, 1);
        KeyEntry entry = new KeyEntry(kind, pd, index << VARIANT_BITS | variants[index]);
        entries[index] = entry;
        return entry;
    }

    private @Nullable KeyEntry find(int key) {
        int index = key >>> VARIANT_BITS;
        KeyEntry entry = index < entries.length ? entries[index] : null;
        return entry != null && entry.key == key ? entry : null;
    }

    private void unbind(KeyEntry entry) {
        if (entry.kind != KeyEntry.Kind.REGION && entry.valid) {
            KeyEntry region = entries[entry.regionIndex];
            if (region != null) {
                region.windows--;
            }
        }
        entry.unbind();
    }

    private @Nullable KeyEntry permitted(
            int pd, int qpn, int key, int right, long address, long length) {
        KeyEntry entry = find(key);
        return entry != null && entry.permits(pd, qpn, right, address, length) ? entry : null;
    }

    // ---- use

    @Override
    public boolean permits(int pd, int qpn, int key, int right, long address, long length) {
        return length == 0 || permitted(pd, qpn, key, right, address, length) != null;
    }

    @Override
    public boolean read(
            int pd,
            int qpn,
            int key,
            int right,
            long address,
            MemorySegment into,
            long offset,
            int length) {
        if (length == 0) {
            return true;
        }
        KeyEntry entry = permitted(pd, qpn, key, right, address, length);
        if (entry == null) {
            return false;
        }
        try {
            MemorySegment.copy(entry.segment, entry.at(address), into, offset, length);
            return true;
        } catch (IllegalStateException e) {
            return false; // Its memory was closed.
        }
    }

    @Override
    public boolean write(
            int pd,
            int qpn,
            int key,
            int right,
            long address,
            MemorySegment from,
            long offset,
            int length) {
        if (length == 0) {
            return true;
        }
        KeyEntry entry = permitted(pd, qpn, key, right, address, length);
        if (entry == null) {
            return false;
        }
        try {
            MemorySegment.copy(from, offset, entry.segment, entry.at(address), length);
            return true;
        } catch (IllegalStateException e) {
            return false; // Its memory was closed.
        }
    }

    @Override
    public boolean fetchAdd(int pd, int qpn, int key, long address, long add) {
        KeyEntry entry = permitted(pd, qpn, key, REMOTE_ATOMIC, address, Long.BYTES);
        if (entry == null) {
            return false;
        }
        try {
            original = (long) LONG.getAndAdd(entry.segment, entry.at(address), add);
            return true;
        } catch (IllegalStateException e) {
            return false; // Its memory was closed.
        }
    }

    @Override
    public boolean compareSwap(int pd, int qpn, int key, long address, long compare, long swap) {
        KeyEntry entry = permitted(pd, qpn, key, REMOTE_ATOMIC, address, Long.BYTES);
        if (entry == null) {
            return false;
        }
        try {
            original =
                    (long) LONG.compareAndExchange(entry.segment, entry.at(address), compare, swap);
            return true;
        } catch (IllegalStateException e) {
            return false; // Its memory was closed.
        }
    }

    @Override
    public long original() {
        return original;
    }

    // ---- windows

    @Override
    public boolean invalidate(int pd, int qpn, int key, boolean remote) {
        KeyEntry entry = find(key);
        if (entry == null
                || entry.pd != pd
                || entry.kind != KeyEntry.Kind.WINDOW_TYPE_2
                || !entry.valid
                || entry.qpn != KeyEntry.ANY_QP && entry.qpn != qpn) {
            return false;
        }
        unbind(entry);
        return true;
    }

    /**
     * Binds as IBTA 10.6.7.2 wants: the window's index with a new variant for type 2, a valid
     * region of the same PD that allows windows what they ask for, the whole range inside of it.
     */
    @Override
    public boolean bind(int pd, int qpn, SendRequest request) {
        int index = request.windowKey >>> VARIANT_BITS;
        KeyEntry window = index < entries.length ? entries[index] : null;
        KeyEntry region = find(request.regionKey);
        if (window == null
                || window.kind == KeyEntry.Kind.REGION
                || window.pd != pd
                || window.kind == KeyEntry.Kind.WINDOW_TYPE_2 && window.valid) {
            return false;
        }
        if (region == null || region.kind != KeyEntry.Kind.REGION || region.pd != pd) {
            return false;
        }
        boolean writes = (request.windowRights & (REMOTE_WRITE | REMOTE_ATOMIC)) != 0;
        if (writes && (region.rights & LOCAL_WRITE) == 0
                || !region.covers(request.remoteAddress, request.windowLength)) {
            return false;
        }
        unbind(window);
        if (request.windowLength == 0 && window.kind == KeyEntry.Kind.WINDOW_TYPE_1) {
            return true; // A bind of nothing unbinds.
        }
        window.key = request.windowKey;
        variants[index] = request.windowKey & VARIANT_MASK;
        window.qpn = window.kind == KeyEntry.Kind.WINDOW_TYPE_2 ? qpn : KeyEntry.ANY_QP;
        window.rights = request.windowRights & (REMOTE_READ | REMOTE_WRITE | REMOTE_ATOMIC);
        window.address = request.remoteAddress;
        window.length = request.windowLength;
        window.segment = region.segment;
        window.offset = region.offset + (request.remoteAddress - region.address);
        window.regionIndex = request.regionKey >>> VARIANT_BITS;
        window.valid = true;
        region.windows++;
        return true;
    }
}
