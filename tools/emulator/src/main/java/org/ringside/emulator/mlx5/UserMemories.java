package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;

/**
 * What CREATE_UMEM told of the memory of a queue.
 *
 * @param ring where its ring is; null when it has a page list of its own
 * @param record where its doorbell record is; null when that has an address
 */
record UserMemories(@Nullable UserMemory ring, @Nullable UserMemory record) {
    /** No umem is asked for. */
    static final long NONE = -1;

    /** The ones with these numbers, each {@link #NONE} for none. */
    static UserMemories of(Hca hca, long ring, long record) {
        ObjectTable<UserMemory> table = hca.objects().umems();
        return new UserMemories(
                ring == NONE ? null : table.get(ring), record == NONE ? null : table.get(record));
    }

    /**
     * IO virtual address of the doorbell record, checked.
     *
     * @param place what the queue's context says: an offset in the umem, or that address
     */
    long recordAddress(long place, HostMemory dma) {
        return record == null ? RingPages.record(place, dma) : record.record(place, dma);
    }

    /** Of a queue. */
    void use() {
        if (ring != null) {
            ring.addUser();
        }
        if (record != null) {
            record.addUser();
        }
    }

    /** The queue is gone. */
    void release() {
        if (ring != null) {
            ring.removeUser();
        }
        if (record != null) {
            record.removeUser();
        }
    }
}
