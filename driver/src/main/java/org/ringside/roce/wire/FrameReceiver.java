package org.ringside.roce.wire;

import org.ringside.roce.packet.Frame;

/** Takes frames that came from a wire. */
@FunctionalInterface
public interface FrameReceiver {
    /** The frame is the wire's again after the call. */
    void receive(Frame frame, long now);
}
