package org.ringside.ethernet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FrameReceiver;
import org.ringside.roce.wire.PcapngWriter;

/**
 * A port whose frames go to a file too, both those that it sends and those that it receives, each
 * when this end hands it on. A file that cannot be written any more is given up with a warning; the
 * port goes on.
 *
 * <p>Threading: as the port's. The file is complete when this is closed.
 */
public final class CapturedPort implements EthernetPort {
    private static final Logger LOG = System.getLogger(CapturedPort.class.getName());

    private final EthernetPort port;
    private final Path path;
    private final FrameReceiver tee = this::received;
    private @Nullable PcapngWriter file;
    private @Nullable FrameReceiver receiver;

    /**
     * @param port belongs to this
     * @param path of the pcapng file, in place of what was there
     * @throws IOException when there can be no such file; the port is as it was then
     */
    public CapturedPort(EthernetPort port, Path path) throws IOException {
        this.port = port;
        this.path = path;
        long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        file = new PcapngWriter(path, now - System.nanoTime());
    }

    @Override
    public String description() {
        return port.description();
    }

    @Override
    public long mac() {
        return port.mac();
    }

    @Override
    public int mtu() {
        return port.mtu();
    }

    @Override
    public boolean isUp() {
        return port.isUp();
    }

    @Override
    public boolean isLost() {
        return port.isLost();
    }

    @Override
    public @Nullable Frame acquire() {
        return port.acquire();
    }

    @Override
    public void transmit(Frame frame) {
        record(frame);
        port.transmit(frame);
    }

    @Override
    public void abandon(Frame frame) {
        port.abandon(frame);
    }

    @Override
    public int poll(FrameReceiver to, long now) {
        receiver = to;
        return port.poll(tee, now);
    }

    private void received(Frame frame, long now) {
        record(frame);
        Objects.requireNonNull(receiver).receive(frame, now);
    }

    private void record(Frame frame) {
        PcapngWriter to = file;
        if (to == null) {
            return;
        }
        try {
            to.write(frame, System.nanoTime());
        } catch (UncheckedIOException e) {
            file = null;
            giveUp(String.valueOf(e.getCause()));
        }
    }

    private void giveUp(String why) {
        LOG.log(
                Level.WARNING,
                "%s: the capture in %s ends before its end: %s"
                        .formatted(port.description(), path, why));
    }

    @Override
    public void close() {
        port.close();
        PcapngWriter to = file;
        file = null;
        if (to != null) {
            try {
                to.close();
            } catch (IOException | UncheckedIOException e) {
                giveUp(String.valueOf(e.getMessage()));
            }
        }
    }
}
