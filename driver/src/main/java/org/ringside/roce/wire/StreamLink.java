package org.ringside.roce.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.Link;
import org.ringside.roce.packet.Frame;

/**
 * Frames over a byte stream as QEMU's {@code -netdev stream} has them: four bytes of length, big
 * endian, then the frame. So a plain process is on the other end of a guest's NIC, without
 * privileges.
 *
 * <pre>
 *   | length 4 | frame ... | length 4 | frame ...
 * </pre>
 *
 * <p>One thread. Never blocks: what the socket does not take waits in a buffer, and when that is
 * full there are no frames to acquire.
 */
public final class StreamLink implements Link, AutoCloseable {
    private static final int BUFFER = 1 << 20;
    private static final int PREFIX = Integer.BYTES;
    private static final int FRAMES = 64;

    private final SocketChannel channel;
    private final FramePool pool = new FramePool(FRAMES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
    private final Frame arriving;
    private @Nullable PcapngWriter capture;
    private long now;

    /**
     * @param channel connected; closed with this
     */
    public StreamLink(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        Frame frame = pool.take();
        if (frame == null) {
            throw new IllegalStateException("an empty pool");
        }
        arriving = frame;
    }

    /** Writes each frame of both directions there, from now on. */
    public void capture(PcapngWriter to) {
        capture = to;
    }

    @Override
    public @Nullable Frame acquire() {
        return out.remaining() < Frame.CAPACITY + PREFIX ? null : pool.take();
    }

    @Override
    public void transmit(Frame frame) {
        record(frame);
        int length = frame.length();
        out.putInt(length);
        out.put(out.position(), frame.bytes(), 0, length);
        out.position(out.position() + length);
        pool.give(frame);
    }

    @Override
    public void abandon(Frame frame) {
        pool.give(frame);
    }

    /**
     * Moves bytes both ways and hands on the frames that are complete.
     *
     * @return frames received
     * @throws EOFException when the other end has closed
     */
    public int poll(FrameReceiver receiver, long time) throws IOException {
        now = time;
        flush();
        if (channel.read(in) < 0) {
            throw new EOFException("the other end of the wire has closed its socket");
        }
        in.flip();
        int frames = 0;
        while (in.remaining() >= PREFIX) {
            int length = in.getInt(in.position());
            if (length < 0 || length > BUFFER - PREFIX) {
                throw new IOException(
                        "a frame of "
                                + Integer.toUnsignedString(length)
                                + " bytes: not QEMU's framing");
            }
            if (in.remaining() < PREFIX + length) {
                break;
            }
            if (length <= arriving.capacity()) {
                arriving.length(length);
                arriving.bytes().put(0, in, in.position() + PREFIX, length);
                record(arriving);
                receiver.receive(arriving, time);
                frames++;
            }
            in.position(in.position() + PREFIX + length);
        }
        in.compact();
        flush();
        return frames;
    }

    private void flush() throws IOException {
        if (out.position() > 0) {
            out.flip();
            channel.write(out);
            out.compact();
        }
    }

    private void record(Frame frame) {
        PcapngWriter to = capture;
        if (to != null) {
            to.write(frame, now);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
