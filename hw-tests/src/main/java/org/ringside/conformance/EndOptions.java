package org.ringside.conformance;

/**
 * Sizes of an {@link End}.
 *
 * @param wrs work requests each way
 * @param sges scatter/gather entries
 * @param inlineBytes inline data
 * @param cqEntries entries of the CQ
 * @param signalAll whether every send completes
 */
record EndOptions(int wrs, int sges, int inlineBytes, int cqEntries, boolean signalAll) {
    static final EndOptions USUAL = new EndOptions(64, 4, 128, 256, false);

    EndOptions wrs(int wrs) {
        return new EndOptions(wrs, sges, inlineBytes, cqEntries, signalAll);
    }

    EndOptions cqEntries(int cqEntries) {
        return new EndOptions(wrs, sges, inlineBytes, cqEntries, signalAll);
    }

    EndOptions signalAll(boolean signalAll) {
        return new EndOptions(wrs, sges, inlineBytes, cqEntries, signalAll);
    }
}
