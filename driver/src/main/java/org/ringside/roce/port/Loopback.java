package org.ringside.roce.port;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.Link;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FrameReceiver;

/**
 * A link that turns frames for the port's own MAC back, since no switch and no NIC does: two QPs of
 * one port can talk. All others go on to the link below.
 */
public final class Loopback implements Link {
    private final Link below;
    private final long mac;
    private final @Nullable Frame[] turning;
    private int first;
    private int count;

    /**
     * @param frames that may wait to be received; what is more is lost, as on any wire
     */
    public Loopback(Link below, long mac, int frames) {
        this.below = below;
        this.mac = mac;
        this.turning = new @Nullable Frame[frames];
    }

    @Override
    public @Nullable Frame acquire() {
        return below.acquire();
    }

    @Override
    public void transmit(Frame frame) {
        if (Ethernet.destination(frame.bytes()) != mac) {
            below.transmit(frame);
        } else if (count == turning.length) {
            below.abandon(frame);
        } else {
            turning[(first + count++) % turning.length] = frame;
        }
    }

    @Override
    public void abandon(Frame frame) {
        below.abandon(frame);
    }

    /**
     * Delivers what waits now; what that causes waits for the next time.
     *
     * @return frames delivered
     */
    public int poll(FrameReceiver receiver, long now) {
        int due = count;
        for (int i = 0; i < due; i++) {
            Frame frame = turning[first];
            turning[first] = null;
            first = (first + 1) % turning.length;
            count--;
            if (frame != null) {
                receiver.receive(frame, now);
                below.abandon(frame);
            }
        }
        return due;
    }
}
