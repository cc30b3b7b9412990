package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;

/** Sees each CQE that the data path writes. Called on the agent's thread. */
@FunctionalInterface
public interface CqeTap {
    /**
     * @param cqn completion queue
     * @param index of the CQE, as the producer counts, 24 bits
     * @param cqe 64 bytes with the owner bit; only for the duration of the call
     */
    void cqe(int cqn, int index, MemorySegment cqe);
}
