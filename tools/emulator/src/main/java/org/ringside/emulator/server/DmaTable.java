package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.DmaFault.Reason;
import org.ringside.emulator.device.HostMemory;
import org.ringside.linux.Errno;
import org.ringside.vfio.user.Payload.DmaMap;

/**
 * What the client has mapped: ranges that do not overlap, ordered by address. A look-up first tries
 * a small cache by page, then searches.
 *
 * <p>Threading: the agent's thread.
 */
final class DmaTable implements HostMemory {
    /** Ranges at a time; what we promise in VERSION. */
    static final int MAX_RANGES = 65535;

    private static final int CACHE_SIZE = 64;
    private static final int READ = DmaMap.READABLE;
    private static final int WRITE = DmaMap.WRITABLE;

    private final BackingStore files;
    private final @Nullable DmaRange[] cache = new @Nullable DmaRange[CACHE_SIZE];
    private DmaRange[] ranges = new DmaRange[16];
    private int count;
    private boolean enabled;
    private int generation;

    DmaTable(BackingStore files) {
        this.files = files;
    }

    /** Lets the device reach memory, or not. */
    void enable(boolean busMaster) {
        if (enabled != busMaster) {
            enabled = busMaster;
            generation++;
        }
    }

    /** Ranges that there are. */
    int count() {
        return count;
    }

    /** Refuses a range that cannot be added, with the errno that says why. */
    void check(long first, long last) throws RequestException {
        if (count == MAX_RANGES) {
            throw new RequestException(
                    Errno.ENOSPC, "there are %d ranges already".formatted(count));
        }
        int at = firstNotBelow(first);
        if (at < count && Long.compareUnsigned(ranges[at].first(), last) <= 0) {
            throw new RequestException(Errno.EEXIST, "overlaps " + ranges[at]);
        }
    }

    /** Adds a range that {@link #check} has let through; owns it from now on. */
    void add(DmaRange range) {
        insert(firstNotBelow(range.first()), range);
        changed();
    }

    /**
     * Removes everything within the limits, both inclusive; what sticks out stays. Holes are no
     * error.
     */
    void remove(long first, long last) {
        int at = firstNotBelow(first);
        int end = at;
        DmaRange before = null;
        DmaRange behind = null;
        while (end < count && Long.compareUnsigned(ranges[end].first(), last) <= 0) {
            DmaRange range = ranges[end++];
            if (Long.compareUnsigned(range.first(), first) < 0) {
                before = range.part(range.first(), first - 1);
            }
            if (Long.compareUnsigned(range.last(), last) > 0) {
                behind = range.part(last + 1, range.last());
            }
            release(range);
        }
        System.arraycopy(ranges, end, ranges, at, count - end);
        int left = count - (end - at);
        Arrays.fill(ranges, left, count, null);
        count = left;
        if (before != null) {
            insert(at++, before);
        }
        if (behind != null) {
            insert(at, behind);
        }
        changed();
    }

    /** Removes everything. */
    void clear() {
        for (int i = 0; i < count; i++) {
            release(ranges[i]);
        }
        Arrays.fill(ranges, 0, count, null);
        count = 0;
        changed();
    }

    private void insert(int at, DmaRange range) {
        if (count == ranges.length) {
            ranges = Arrays.copyOf(ranges, 2 * count);
        }
        System.arraycopy(ranges, at, ranges, at + 1, count - at);
        ranges[at] = range;
        count++;
    }

    private void release(DmaRange range) {
        Backing backing = range.backing();
        if (backing != null) {
            files.release(backing);
        }
    }

    private void changed() {
        generation++;
        Arrays.fill(cache, null);
    }

    /** Index of the first range that ends at or behind an address. */
    private int firstNotBelow(long iova) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(ranges[middle].last(), iova) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private @Nullable DmaRange lookUp(long iova) {
        int slot = (int) (iova >>> 12) & (CACHE_SIZE - 1);
        DmaRange cached = cache[slot];
        if (cached != null && cached.holds(iova)) {
            return cached;
        }
        int at = firstNotBelow(iova);
        if (at == count || !ranges[at].holds(iova)) {
            return null;
        }
        cache[slot] = ranges[at];
        return ranges[at];
    }

    /** The range that holds an address, if the device may reach it so. */
    private DmaRange range(long iova, long length, int access) {
        DmaRange range = lookUp(iova);
        if (!enabled || range == null || !range.allows(access)) {
            throw refusal(range, iova, length, access);
        }
        return range;
    }

    private DmaFault refusal(@Nullable DmaRange range, long iova, long length, int access) {
        Reason reason = Reason.NOT_WRITABLE;
        if (!enabled) {
            reason = Reason.NOT_BUS_MASTER;
        } else if (range == null) {
            reason = Reason.NOT_MAPPED;
        } else if (!range.allows(access & READ)) {
            reason = Reason.NOT_READABLE;
        }
        return new DmaFault(reason, iova, length, access != READ);
    }

    private DmaRange word(long iova, int width, int access) {
        if ((iova & (width - 1)) != 0) {
            throw new DmaFault(Reason.MISALIGNED, iova, width, access != READ);
        }
        return range(iova, width, access);
    }

    @Override
    public void read(long iova, MemorySegment into, long offset, long length) {
        if (length == 0) {
            return;
        }
        DmaRange range = range(iova, length, READ);
        if (range.from(iova) >= length) {
            range.read(iova, into, offset, length);
            return;
        }
        checkAll(iova, length, READ);
        for (long done = 0; done < length; ) {
            DmaRange piece = range(iova + done, length - done, READ);
            long n = Math.min(length - done, piece.from(iova + done));
            piece.read(iova + done, into, offset + done, n);
            done += n;
        }
    }

    @Override
    public void write(long iova, MemorySegment from, long offset, long length) {
        if (length == 0) {
            return;
        }
        DmaRange range = range(iova, length, WRITE);
        if (range.from(iova) >= length) {
            range.write(iova, from, offset, length);
            return;
        }
        checkAll(iova, length, WRITE);
        for (long done = 0; done < length; ) {
            DmaRange piece = range(iova + done, length - done, WRITE);
            long n = Math.min(length - done, piece.from(iova + done));
            piece.write(iova + done, from, offset + done, n);
            done += n;
        }
    }

    private void checkAll(long iova, long length, int access) {
        if (Long.compareUnsigned(iova + length - 1, iova) < 0) {
            throw new DmaFault(Reason.NOT_MAPPED, iova, length, access != READ);
        }
        for (long done = 0; done < length; ) {
            DmaRange piece = range(iova + done, length - done, access);
            done += Math.min(length - done, piece.from(iova + done));
        }
    }

    @Override
    public int getInt(long iova) {
        return word(iova, Integer.BYTES, READ).getInt(iova);
    }

    @Override
    public void putInt(long iova, int value) {
        word(iova, Integer.BYTES, WRITE).putInt(iova, value);
    }

    @Override
    public long getLong(long iova) {
        return word(iova, Long.BYTES, READ).getLong(iova);
    }

    @Override
    public void putLong(long iova, long value) {
        word(iova, Long.BYTES, WRITE).putLong(iova, value);
    }

    @Override
    public long compareAndSwap(long iova, long expected, long value) {
        return word(iova, Long.BYTES, READ | WRITE).compareAndSwap(iova, expected, value);
    }

    @Override
    public long fetchAndAdd(long iova, long addend) {
        return word(iova, Long.BYTES, READ | WRITE).fetchAndAdd(iova, addend);
    }

    @Override
    public @Nullable MemorySegment direct(long iova, long length, boolean write) {
        DmaRange range = range(iova, length, write ? WRITE : READ);
        return range.from(iova) >= length ? range.direct(iova, length) : null;
    }

    @Override
    public boolean isMapped(long iova, long length, boolean write) {
        if (!enabled || Long.compareUnsigned(iova + length - 1, iova) < 0) {
            return false;
        }
        for (long done = 0; done < length; ) {
            DmaRange range = lookUp(iova + done);
            if (range == null || !range.allows(write ? WRITE : READ)) {
                return false;
            }
            done += Math.min(length - done, range.from(iova + done));
        }
        return true;
    }

    @Override
    public int generation() {
        return generation;
    }
}
