package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import org.ringside.vfio.backend.VfioAbi.CapHeader;

/**
 * The chain of capabilities behind an info structure: each says how far from the start of the
 * structure the next one is.
 */
public final class CapabilityChain {
    private CapabilityChain() {}

    /**
     * Offset of the capability with that id, or -1. A chain that leaves the structure or goes
     * backwards ends there.
     *
     * @param info the structure and all that follows it
     * @param first offset of the first capability, 0 for none
     */
    public static int find(MemorySegment info, int first, int id) {
        long at = Integer.toUnsignedLong(first);
        long least = CapHeader.SIZE;
        while (at >= least && at <= info.byteSize() - CapHeader.SIZE) {
            if (Short.toUnsignedInt(info.get(JAVA_SHORT, at + CapHeader.ID)) == id) {
                return (int) at;
            }
            least = at + CapHeader.SIZE;
            at = Integer.toUnsignedLong(info.get(JAVA_INT, at + CapHeader.NEXT));
        }
        return -1;
    }
}
