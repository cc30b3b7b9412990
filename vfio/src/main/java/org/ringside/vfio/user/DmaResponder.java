package org.ringside.vfio.user;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.backend.PooledDmaSpace;
import org.ringside.vfio.user.Payload.DmaAccess;

/**
 * Answers DMA_READ and DMA_WRITE of the server: reads and writes what this client has mapped.
 *
 * <p>Through /proc/self/mem, not through the segments: those may belong to another thread, and
 * memory that the application has given back in the meantime must fail the device's access, not
 * this JVM.
 *
 * <p>Threading: the thread that receives.
 */
final class DmaResponder {
    private static final Logger LOG = System.getLogger(DmaResponder.class.getName());

    private final SystemCalls calls;
    private final SelfMemory self;
    private final Message reply = new Message(4096);
    private volatile @Nullable PooledDmaSpace space;

    DmaResponder(SystemCalls calls, SelfMemory self) {
        this.calls = calls;
        this.self = self;
    }

    /** Tells where mappings are; until then there are none. */
    void serve(PooledDmaSpace dmaSpace) {
        space = dmaSpace;
    }

    /** Answers any request of the server. */
    void answer(Message request, MessageSocket socket) throws LinuxException {
        int errno = execute(request);
        if (errno != 0) {
            LOG.log(Level.WARNING, "the device''s {0} failed: {1}", request, Errno.describe(errno));
            reply.error(request.command(), request.id(), errno);
        }
        if ((request.flags() & Header.FLAG_NO_REPLY) == 0) {
            socket.send(reply);
        }
    }

    private int execute(Message request) {
        boolean write = request.command() == Command.DMA_WRITE.number();
        if (!write && request.command() != Command.DMA_READ.number()) {
            return Errno.ENOSYS;
        }
        if (request.fds().length != 0 || request.payloadSize() < DmaAccess.SIZE) {
            return Errno.EINVAL;
        }
        long address = request.getLong(DmaAccess.ADDRESS);
        long count = request.getLong(DmaAccess.COUNT);
        if (count < 0 || count > Connection.MAX_DATA) {
            return Errno.E2BIG;
        }
        if (request.payloadSize() != DmaAccess.SIZE + (write ? count : 0)) {
            return Errno.EINVAL;
        }
        PooledDmaSpace mapped = space;
        Optional<MemorySegment> memory =
                mapped == null ? Optional.empty() : mapped.find(address, count, write);
        if (memory.isEmpty()) {
            return Errno.EFAULT;
        }
        int data = write ? 0 : (int) count;
        reply.reply(request.command(), request.id(), DmaAccess.SIZE + data)
                .putLong(DmaAccess.ADDRESS, address)
                .putLong(DmaAccess.COUNT, count);
        MemorySegment bytes =
                (write ? request : reply).memory().asSlice(Message.at(DmaAccess.DATA), count);
        return transfer(bytes, memory.get().address(), write);
    }

    private int transfer(MemorySegment bytes, long address, boolean write) {
        try {
            int fd = self.fd();
            long done = 0;
            while (done < bytes.byteSize()) {
                MemorySegment rest = bytes.asSlice(done);
                long n =
                        write
                                ? calls.pwrite(fd, rest, address + done)
                                : calls.pread(fd, rest, address + done);
                if (n <= 0) {
                    return Errno.EFAULT;
                }
                done += n;
            }
            return 0;
        } catch (LinuxException e) {
            return e.errno();
        }
    }
}
