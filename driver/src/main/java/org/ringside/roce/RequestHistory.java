package org.ringside.roce;

import org.jspecify.annotations.Nullable;

/**
 * The last READs and atomics of a peer, kept so that a repeated request is answered as it was the
 * first time: a READ from memory, an atomic from here, since it must not run twice (IBTA
 * 9.7.5.1.2).
 */
final class RequestHistory {
    /** One request. */
    static final class Entry {
        boolean valid;
        boolean atomic;
        long firstPsn;
        long lastPsn;
        long address;
        int rkey;
        long length;
        long value;
    }

    private final Entry[] entries;
    private int next;

    /**
     * @param size max_dest_rd_atomic
     */
    RequestHistory(int size) {
        entries = new Entry[size];
        for (int i = 0; i < size; i++) {
            entries[i] = new Entry();
        }
    }

    int size() {
        return entries.length;
    }

    void read(long firstPsn, long lastPsn, long address, int rkey, long length) {
        Entry entry = replaceOldest();
        entry.atomic = false;
        entry.firstPsn = firstPsn;
        entry.lastPsn = lastPsn;
        entry.address = address;
        entry.rkey = rkey;
        entry.length = length;
    }

    void atomic(long psn, long address, int rkey, long value) {
        Entry entry = replaceOldest();
        entry.atomic = true;
        entry.firstPsn = psn;
        entry.lastPsn = psn;
        entry.address = address;
        entry.rkey = rkey;
        entry.value = value;
    }

    private Entry replaceOldest() {
        Entry entry = entries[next];
        next = next + 1 == entries.length ? 0 : next + 1;
        entry.valid = true;
        return entry;
    }

    /** The READ or atomic that used this PSN; null when it is forgotten. */
    @Nullable Entry find(long psn) {
        for (Entry entry : entries) {
            if (entry.valid && psn >= entry.firstPsn && psn <= entry.lastPsn) {
                return entry;
            }
        }
        return null;
    }
}
