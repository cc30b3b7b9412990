package org.ringside.vfio.user;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Memory that clients of this JVM have mapped as a part of /proc/self/mem, for a server in the same
 * JVM: it can use the segment itself, which saves the system calls. A segment stays safe whatever
 * the application does with it: access after its arena was closed is an exception, not a crash.
 *
 * <p>Threading: any thread may call any method.
 */
public final class LocalMemory {
    private static final Map<Range, List<MemorySegment>> MAPPED = new HashMap<>();

    private LocalMemory() {}

    private record Range(long address, long size) {}

    /** Some memory in the whole pages {@code [address, address + size)} is mapped. */
    static synchronized void add(long address, long size, MemorySegment memory) {
        MAPPED.computeIfAbsent(new Range(address, size), range -> new CopyOnWriteArrayList<>())
                .add(memory);
    }

    /** It is not any more. */
    static synchronized void remove(long address, long size, MemorySegment memory) {
        Range range = new Range(address, size);
        List<MemorySegment> all = MAPPED.get(range);
        if (all != null && all.remove(memory) && all.isEmpty()) {
            MAPPED.remove(range);
        }
    }

    /**
     * Memory in exactly these pages that a thread may use; null when there is none, as it belongs
     * to another thread, say. It need not fill the pages.
     */
    public static synchronized @Nullable MemorySegment find(
            long address, long size, Thread thread) {
        List<MemorySegment> all = MAPPED.get(new Range(address, size));
        if (all != null) {
            for (MemorySegment memory : all) {
                if (memory.isAccessibleBy(thread)) {
                    return memory;
                }
            }
        }
        return null;
    }
}
