package org.ringside.softroce;

import org.ringside.roce.ReceiveRequest;
import org.ringside.roce.ReceiveSource;

/** The receive half of a QP. */
final class ReceiveRing extends WorkRing implements ReceiveSource {
    /**
     * @param slots a power of two
     */
    ReceiveRing(int slots, int maxSges, long maxMessage) {
        super(slots, maxSges, maxMessage);
    }

    /** Ends the request before and begins one. */
    void begin(long wrId) {
        beginSlot(wrId);
    }

    @Override
    public boolean next(ReceiveRequest into) {
        if (!hasNext()) {
            return false;
        }
        into.clear();
        into.id = nextWrId();
        into.index = position();
        copySges(into.sges());
        take();
        return true;
    }

    @Override
    public boolean isShared() {
        return false;
    }
}
