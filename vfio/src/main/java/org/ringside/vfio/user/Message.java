package org.ringside.vfio.user;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

/**
 * A message in native memory, with the descriptors that came or go beside it. Can be used again;
 * grows as needed. Offsets of the accessors count from the start of the payload and are checked
 * against the memory, not against the message: handlers check {@link #payloadSize()} first.
 *
 * <p>Threading: one thread at a time.
 */
public final class Message {
    private static final Logger LOG = System.getLogger(Message.class.getName());
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int[] NONE = {};

    private MemorySegment memory;
    private @Nullable MemorySegment wire;
    private int[] fds = NONE;

    /** A message with room for a payload of that many bytes. */
    public Message(int payloadCapacity) {
        this.memory = Arena.ofAuto().allocate(Header.SIZE + payloadCapacity, 8);
    }

    /** Starts a request with a payload of zeros. */
    public Message request(Command command, int id, int payloadSize) {
        return begin(command.number(), id, Header.TYPE_REQUEST, 0, payloadSize);
    }

    /** Starts a good reply with a payload of zeros. */
    public Message reply(int command, int id, int payloadSize) {
        return begin(command, id, Header.TYPE_REPLY, 0, payloadSize);
    }

    /** Makes it the reply that reports a failure. */
    public Message error(int command, int id, int errno) {
        return begin(command, id, Header.TYPE_REPLY | Header.FLAG_ERROR, errno, 0);
    }

    private Message begin(int command, int id, int flags, int error, int payloadSize) {
        int size = Header.SIZE + payloadSize;
        ensure(size);
        memory.set(U32, Header.MESSAGE_SIZE, size);
        wire().fill((byte) 0);
        memory.set(U16, Header.MESSAGE_ID, (short) id);
        memory.set(U16, Header.COMMAND, (short) command);
        memory.set(U32, Header.MESSAGE_SIZE, size);
        memory.set(U32, Header.FLAGS, flags);
        memory.set(U32, Header.ERROR, error);
        fds = NONE;
        return this;
    }

    /** Makes room for {@code size} bytes with the header; keeps what is there. */
    void ensure(int size) {
        if (size > memory.byteSize()) {
            MemorySegment larger =
                    Arena.ofAuto().allocate(Math.max(size, 2 * memory.byteSize()), 8);
            MemorySegment.copy(memory, 0, larger, 0, memory.byteSize());
            memory = larger;
        }
    }

    /**
     * Header and payload, as they go over the socket; the same object as long as the size stays.
     */
    MemorySegment wire() {
        int size = size();
        MemorySegment known = wire;
        if (known == null || known.byteSize() != size || known.address() != memory.address()) {
            known = memory.asSlice(0, size);
            wire = known;
        }
        return known;
    }

    /** Header and payload, and perhaps room behind. */
    public MemorySegment memory() {
        return memory;
    }

    /** Room for header and payload. */
    public long capacity() {
        return memory.byteSize();
    }

    /** Where a payload offset lies in {@link #memory()}. */
    public static long at(long payloadOffset) {
        return Header.SIZE + payloadOffset;
    }

    /** Message id. */
    public int id() {
        return Short.toUnsignedInt(memory.get(U16, Header.MESSAGE_ID));
    }

    /** Number of the command. */
    public int command() {
        return Short.toUnsignedInt(memory.get(U16, Header.COMMAND));
    }

    /**
     * Bytes of header and payload as the header says; a u32 that can look negative until it was
     * checked.
     */
    public int size() {
        return memory.get(U32, Header.MESSAGE_SIZE);
    }

    /** Bytes of the payload. */
    public int payloadSize() {
        return size() - Header.SIZE;
    }

    /** Flags of the header. */
    public int flags() {
        return memory.get(U32, Header.FLAGS);
    }

    /** Sets a flag of the header, such as {@link Header#FLAG_NO_REPLY}. */
    public Message flag(int flag) {
        memory.set(U32, Header.FLAGS, flags() | flag);
        return this;
    }

    /** Whether it is a reply. */
    public boolean isReply() {
        return (flags() & Header.TYPE_MASK) == Header.TYPE_REPLY;
    }

    /**
     * The errno of a reply that reports a failure, else 0. A failure without an errno is EINVAL.
     */
    public int error() {
        if ((flags() & Header.FLAG_ERROR) == 0) {
            return 0;
        }
        int errno = memory.get(U32, Header.ERROR);
        return errno == 0 ? Errno.EINVAL : errno;
    }

    public int getShort(long offset) {
        return Short.toUnsignedInt(memory.get(U16, at(offset)));
    }

    public int getInt(long offset) {
        return memory.get(U32, at(offset));
    }

    public long getLong(long offset) {
        return memory.get(U64, at(offset));
    }

    public byte getByte(long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, at(offset));
    }

    public Message putShort(long offset, int value) {
        memory.set(U16, at(offset), (short) value);
        return this;
    }

    public Message putByte(long offset, byte value) {
        memory.set(ValueLayout.JAVA_BYTE, at(offset), value);
        return this;
    }

    public Message putInt(long offset, int value) {
        memory.set(U32, at(offset), value);
        return this;
    }

    public Message putLong(long offset, long value) {
        memory.set(U64, at(offset), value);
        return this;
    }

    /** The descriptors; of a message received they are this message's to close until taken. */
    public int[] fds() {
        return fds;
    }

    /** Puts descriptors beside the message; they stay the caller's. */
    public Message withFds(int... descriptors) {
        fds = descriptors;
        return this;
    }

    /** Hands the descriptors to the caller, who closes them from now on. */
    public int[] takeFds() {
        int[] taken = fds;
        fds = NONE;
        return taken;
    }

    /** Adds received descriptors. */
    void addFds(int[] more) {
        if (more.length != 0) {
            int[] all = Arrays.copyOf(fds, fds.length + more.length);
            System.arraycopy(more, 0, all, fds.length, more.length);
            fds = all;
        }
    }

    /** Closes descriptors that nobody took. Harmless when there are none. */
    public void closeFds(SystemCalls calls) {
        for (int fd : takeFds()) {
            try {
                calls.close(fd);
            } catch (LinuxException e) {
                // Linux has released the descriptor all the same; nothing was written through it.
                LOG.log(Level.DEBUG, "close of a received descriptor", e);
            }
        }
    }

    @Override
    public String toString() {
        String kind = isReply() ? "reply" : "request";
        String error = error() == 0 ? "" : " error " + error();
        String noReply = (flags() & Header.FLAG_NO_REPLY) == 0 ? "" : " (no reply)";
        return "%s %s #%d, %s bytes, %d fds%s%s"
                .formatted(
                        Command.nameOf(command()),
                        kind,
                        id(),
                        Integer.toUnsignedString(size()),
                        fds.length,
                        noReply,
                        error);
    }
}
