package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ringside.linux.PollSet;
import org.ringside.linux.SystemCalls;
import org.ringside.linux.UnixSockets;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.MessageSocket;
import org.ringside.vfio.user.Payload.DmaMap;
import org.ringside.vfio.user.Payload.DmaUnmap;
import org.ringside.vfio.user.Payload.IrqSet;
import org.ringside.vfio.user.Payload.RegionAccess;
import org.ringside.vfio.user.Payload.Version;

/** A client that sends what it is told, byte by byte if need be. */
final class RawClient implements AutoCloseable {
    static final SystemCalls CALLS = SystemCalls.host();

    /** What QEMU 11.1 sends. */
    static final String QEMU_JSON =
            "{\"capabilities\":{\"migration\":{\"max_bitmap_size\":268435456,\"pgsize\":4096},"
                    + "\"max_msg_fds\":16,\"max_data_xfer_size\":1048576,\"write_multiple\":true,"
                    + "\"max_dma_maps\":65535,\"pgsizes\":4096}}\0";

    private static final int PATIENCE_MILLIS = 10_000;

    final int fd;
    private final MessageSocket socket;
    private int id;

    RawClient(Path path) throws IOException {
        fd = UnixSockets.connect(CALLS, path, Duration.ofSeconds(10));
        socket = new MessageSocket(CALLS, fd, 8 << 20);
    }

    /** Connects and negotiates as QEMU does. */
    static RawClient qemu(Path path) throws IOException {
        RawClient client = new RawClient(path);
        Message reply = client.call(client.version(0, 0, QEMU_JSON));
        assertThat(reply.error()).isZero();
        return client;
    }

    Message request(Command command, int payload) {
        return new Message(Math.max(payload, 64)).request(command, id++, payload);
    }

    Message version(int major, int minor, String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        Message message = request(Command.VERSION, Version.JSON + bytes.length);
        message.putShort(Version.MAJOR, major).putShort(Version.MINOR, minor);
        for (int i = 0; i < bytes.length; i++) {
            message.putByte(Version.JSON + i, bytes[i]);
        }
        return message;
    }

    void send(Message message) throws IOException {
        socket.send(message);
    }

    /** Sends bytes that need not be a message. */
    void sendBytes(byte[] bytes, int... fds) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Math.max(1, bytes.length));
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
            CALLS.sendmsg(fd, memory.asSlice(0, bytes.length), fds);
        }
    }

    /** The next message; fails when none comes, or the server closes. */
    Message receive() throws IOException {
        assertThat(isReadableWithin(PATIENCE_MILLIS)).as("a message in time").isTrue();
        Message message = new Message(4096);
        assertThat(socket.receive(message)).as("a message, not the end").isTrue();
        return message;
    }

    /** Takes the next message, or the end of the session. */
    void receiveOrEnd() throws IOException {
        Message message = new Message(4096);
        if (socket.receive(message)) {
            message.closeFds(CALLS);
        }
    }

    /** Reads so many bytes, be it the middle of a message. Returns how many came. */
    int readBytes(int count) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return CALLS.recvmsg(fd, arena.allocate(count), 0).bytes();
        }
    }

    /** Reads until the server has closed, wherever in a message that is. */
    void awaitEndOfStream() throws IOException {
        do {
            assertThat(isReadableWithin(PATIENCE_MILLIS)).as("end of session in time").isTrue();
        } while (readBytes(1 << 16) > 0);
    }

    boolean isReadableWithin(int millis) throws IOException {
        return new PollSet(CALLS, fd).await(millis) > 0;
    }

    /** Reads until the server closes; fails when it does not. */
    void awaitEnd() throws IOException {
        Message message = new Message(4096);
        do {
            assertThat(isReadableWithin(PATIENCE_MILLIS)).as("end of session in time").isTrue();
        } while (socket.receive(message));
    }

    Message call(Message request) throws IOException {
        send(request);
        Message reply = receive();
        assertThat(reply.isReply()).isTrue();
        assertThat(reply.id()).isEqualTo(request.id());
        assertThat(reply.command()).isEqualTo(request.command());
        return reply;
    }

    /** The errno that a request gets, 0 for none. */
    int errno(Message request) throws IOException {
        return call(request).error();
    }

    Message dmaMap(long iova, long length, int flags, long offset, int... fds) {
        return request(Command.DMA_MAP, DmaMap.SIZE)
                .putInt(DmaMap.ARGSZ, DmaMap.SIZE)
                .putInt(DmaMap.FLAGS, flags)
                .putLong(DmaMap.FILE_OFFSET, offset)
                .putLong(DmaMap.IOVA, iova)
                .putLong(DmaMap.LENGTH, length)
                .withFds(fds);
    }

    Message dmaUnmap(long iova, long length, int flags) {
        return request(Command.DMA_UNMAP, DmaUnmap.SIZE)
                .putInt(DmaUnmap.ARGSZ, DmaUnmap.SIZE)
                .putInt(DmaUnmap.FLAGS, flags)
                .putLong(DmaUnmap.IOVA, iova)
                .putLong(DmaUnmap.LENGTH, length);
    }

    Message setIrqs(int index, int flags, int start, int count, int... fds) {
        return request(Command.DEVICE_SET_IRQS, IrqSet.SIZE)
                .putInt(IrqSet.ARGSZ, IrqSet.SIZE)
                .putInt(IrqSet.FLAGS, flags)
                .putInt(IrqSet.INDEX, index)
                .putInt(IrqSet.START, start)
                .putInt(IrqSet.COUNT, count)
                .withFds(fds);
    }

    Message regionRead(int region, long offset, int count) {
        return request(Command.REGION_READ, RegionAccess.SIZE)
                .putLong(RegionAccess.OFFSET, offset)
                .putInt(RegionAccess.REGION, region)
                .putInt(RegionAccess.COUNT, count);
    }

    Message regionWrite(int region, long offset, int count, long value) {
        Message message =
                request(Command.REGION_WRITE, RegionAccess.SIZE + count)
                        .putLong(RegionAccess.OFFSET, offset)
                        .putInt(RegionAccess.REGION, region)
                        .putInt(RegionAccess.COUNT, count);
        for (int i = 0; i < count; i++) {
            message.putByte(RegionAccess.DATA + i, (byte) (value >>> (8 * (i % 8))));
        }
        return message;
    }

    long read(int region, long offset, int count) throws IOException {
        Message reply = call(regionRead(region, offset, count));
        assertThat(reply.error()).isZero();
        assertThat(reply.payloadSize()).isEqualTo(RegionAccess.SIZE + count);
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << 8 | (reply.getByte(RegionAccess.DATA + i) & 0xff);
        }
        return value;
    }

    void write(int region, long offset, int count, long value) throws IOException {
        assertThat(errno(regionWrite(region, offset, count, value))).isZero();
    }

    /** Memory decode and bus master on. */
    void enable() throws IOException {
        write(Region.CONFIG, 4, 2, 6);
    }

    /** A memfd, for the caller to close. */
    static int memfd(long size) throws IOException {
        int memfd = CALLS.memfdCreate("test-memory", 0);
        CALLS.ftruncate(memfd, size);
        return memfd;
    }

    /** Descriptors that this process has open. */
    static List<String> openFiles() {
        List<String> names = new ArrayList<>();
        for (String name : Path.of("/proc/self/fd").toFile().list()) {
            names.add(name);
        }
        return names;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
