package org.ringside.roce;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;

/**
 * Where frames go. A frame is taken, filled, and given back by exactly one of the two ways. Called
 * on the agent's thread only.
 */
public interface Link {
    /**
     * A frame to fill, with room for the longest that the link carries.
     *
     * @return null when the link has none to spare: the caller comes again in a later turn
     */
    @Nullable Frame acquire();

    /** Sends a frame that was taken; it may be lost, as on any wire. */
    void transmit(Frame frame);

    /** Gives a frame back unsent. */
    void abandon(Frame frame);
}
