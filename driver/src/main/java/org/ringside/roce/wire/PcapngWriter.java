package org.ringside.roce.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ringside.roce.packet.Frame;

/**
 * Frames into a file that Wireshark reads: pcapng with one Ethernet interface and times in
 * nanoseconds (draft-ietf-opsawg-pcapng, 4.1 to 4.3).
 *
 * <p>Not thread safe. Frames are buffered until {@link #close}, or until the buffer is full.
 */
public final class PcapngWriter implements AutoCloseable {
    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int BYTE_ORDER = 0x1a2b3c4d;
    private static final int INTERFACE = 1;
    private static final int ENHANCED_PACKET = 6;
    private static final int ETHERNET = 1;
    private static final int OPTION_RESOLUTION = 9;
    private static final int NANOSECONDS = 9;
    private static final int PACKET_OVERHEAD = 32;
    private static final int BUFFER = 1 << 18;

    private final FileChannel file;
    private final long epochOffset;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    private long frames;

    /**
     * Starts a file, in place of what was there.
     *
     * @param epochOffset nanoseconds to add to the times of frames for time since 1970
     */
    public PcapngWriter(Path path, long epochOffset) throws IOException {
        this.epochOffset = epochOffset;
        file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        out.putInt(SECTION_HEADER).putInt(28).putInt(BYTE_ORDER);
        out.putShort((short) 1).putShort((short) 0).putLong(-1).putInt(28);
        out.putInt(INTERFACE).putInt(32).putShort((short) ETHERNET).putShort((short) 0).putInt(0);
        out.putShort((short) OPTION_RESOLUTION).putShort((short) 1).putInt(NANOSECONDS);
        out.putInt(0).putInt(32);
    }

    /** Appends a frame. */
    public void write(Frame frame, long nanos) {
        int length = frame.length();
        int padded = length + 3 & ~3;
        if (out.remaining() < padded + PACKET_OVERHEAD) {
            flush();
        }
        long time = nanos + epochOffset;
        out.putInt(ENHANCED_PACKET).putInt(padded + PACKET_OVERHEAD).putInt(0);
        out.putInt((int) (time >>> 32)).putInt((int) time).putInt(length).putInt(length);
        out.put(out.position(), frame.bytes(), 0, length);
        out.position(out.position() + length);
        for (int i = length; i < padded; i++) {
            out.put((byte) 0);
        }
        out.putInt(padded + PACKET_OVERHEAD);
        frames++;
    }

    /** Frames written so far. */
    public long frames() {
        return frames;
    }

    private void flush() {
        out.flip();
        try {
            while (out.hasRemaining()) {
                file.write(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the capture file cannot be written", e);
        }
        out.clear();
    }

    @Override
    public void close() throws IOException {
        if (file.isOpen()) {
            flush();
            file.close();
        }
    }
}
