package org.ringside.roce;

/** One work request of a receive queue, filled by a {@link ReceiveSource}. */
public final class ReceiveRequest {
    /** For the owner of the queue: his number of it. */
    public long id;

    /** For the owner of the queue: where in his ring it lies. */
    public int index;

    private final SgeList sges;

    /**
     * @param maxSges entries of its list
     */
    public ReceiveRequest(int maxSges) {
        sges = new SgeList(maxSges);
    }

    /** To the state in which a source fills it. */
    public void clear() {
        id = 0;
        index = 0;
        sges.clear();
    }

    /** Where data goes. */
    public SgeList sges() {
        return sges;
    }
}
