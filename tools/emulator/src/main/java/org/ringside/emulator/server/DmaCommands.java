package org.ringside.emulator.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import org.ringside.linux.Errno;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.user.LocalMemory;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.DmaMap;
import org.ringside.vfio.user.Payload.DmaUnmap;

/**
 * DMA_MAP and DMA_UNMAP. Maps are taken strictly, unmaps leniently: whatever lies in the range
 * goes, holes are no error. A guest's virtual IOMMU unmaps powers of two that cover hundreds of
 * maps, or none, and goes on when we refuse; what we kept would then point at memory that the guest
 * has given to others.
 */
final class DmaCommands {
    private static final Logger LOG = System.getLogger(DmaCommands.class.getName());
    private static final long PAGE_MASK = 4095;
    private static final int FLAGS =
            DmaMap.READABLE | DmaMap.WRITABLE | DmaMap.BY_MMAP | DmaMap.BY_FILE_IO;
    private static final int MODES = DmaMap.BY_MMAP | DmaMap.BY_FILE_IO;

    private final BusFunction bus;
    private final DmaChannel channel;

    DmaCommands(BusFunction bus, DmaChannel channel) {
        this.bus = bus;
        this.channel = channel;
    }

    void map(Message request, Message reply) throws RequestException {
        Session.exactPayload(request, DmaMap.SIZE);
        Session.argsz(request, DmaMap.SIZE);
        int flags = request.getInt(DmaMap.FLAGS);
        long offset = request.getLong(DmaMap.FILE_OFFSET);
        long iova = request.getLong(DmaMap.IOVA);
        long length = request.getLong(DmaMap.LENGTH);
        long last = last(iova, length);
        int access = flags & (DmaMap.READABLE | DmaMap.WRITABLE);
        boolean hasFd = request.fds().length == 1;
        if ((flags & ~FLAGS) != 0 || access == 0 || (flags & MODES) == MODES) {
            throw RequestException.invalid("flags 0x%x".formatted(flags));
        }
        if (request.fds().length > 1 || ((flags & MODES) != 0 && !hasFd)) {
            throw RequestException.invalid(
                    "%d descriptors with flags 0x%x".formatted(request.fds().length, flags));
        }
        if (((iova | length) & PAGE_MASK) != 0 || (hasFd && (offset & PAGE_MASK) != 0)) {
            throw RequestException.invalid(
                    "0x%x bytes at 0x%x, file offset 0x%x: not whole pages"
                            .formatted(length, iova, offset));
        }
        bus.dmaTable().check(iova, last);
        DmaRange range =
                hasFd
                        ? ofFile(request, iova, last, access, offset)
                        : new MessageRange(iova, last, access, channel);
        bus.dmaTable().add(range);
        LOG.log(Level.DEBUG, () -> bus.function().roleName() + ": DMA_MAP " + range);
        reply.reply(request.command(), request.id(), 0);
    }

    private DmaRange ofFile(Message request, long iova, long last, int access, long offset)
            throws RequestException {
        boolean mapped = (request.getInt(DmaMap.FLAGS) & DmaMap.BY_FILE_IO) == 0;
        long end = offset + (last - iova) + 1;
        if (offset < 0 || end <= offset) {
            throw RequestException.invalid("file offset 0x%x".formatted(offset));
        }
        int fd = request.takeFds()[0];
        Backing file = bus.files().open(fd, mapped, end);
        if ((access & DmaMap.WRITABLE) != 0 && file.key().accessMode() == 0) {
            bus.files().release(file);
            throw new RequestException(
                    Errno.EACCES, "the device may write, but the descriptor is read-only");
        }
        if (file instanceof MappedFile memory) {
            return new MappedRange(iova, last, access, memory, offset);
        }
        OpenFile open = (OpenFile) file;
        FileRange range = new FileRange(iova, last, access, open, offset);
        MemorySegment local =
                open.isOwnMemory()
                        ? LocalMemory.find(offset, end - offset, Thread.currentThread())
                        : null;
        boolean usable = local != null && !(local.isReadOnly() && range.allows(DmaMap.WRITABLE));
        return local != null && usable ? new LocalRange(range, local, iova - offset) : range;
    }

    void unmap(Message request, Message reply, SystemCalls calls) throws RequestException {
        // SPDK's client sends the descriptor of the map once more.
        request.closeFds(calls);
        Session.exactPayload(request, DmaUnmap.SIZE);
        Session.argsz(request, DmaUnmap.SIZE);
        int flags = request.getInt(DmaUnmap.FLAGS);
        long iova = request.getLong(DmaUnmap.IOVA);
        long length = request.getLong(DmaUnmap.LENGTH);
        if (flags == DmaUnmap.ALL) {
            if (iova != 0 || length != 0) {
                throw RequestException.invalid("all, but with address or size");
            }
            bus.dmaTable().clear();
        } else if (flags == 0) {
            bus.dmaTable().remove(iova, last(iova, length));
        } else {
            throw RequestException.invalid("flags 0x%x".formatted(flags));
        }
        LOG.log(
                Level.DEBUG,
                () ->
                        "%s: DMA_UNMAP 0x%x bytes at 0x%x, flags %d, %d ranges left"
                                .formatted(
                                        bus.function().roleName(),
                                        length,
                                        iova,
                                        flags,
                                        bus.dmaTable().count()));
        reply.reply(request.command(), request.id(), DmaUnmap.SIZE)
                .putInt(DmaUnmap.ARGSZ, DmaUnmap.SIZE)
                .putInt(DmaUnmap.FLAGS, flags)
                .putLong(DmaUnmap.IOVA, iova)
                .putLong(DmaUnmap.LENGTH, length);
    }

    /** The last address; ranges may end with the address space. */
    private static long last(long iova, long length) throws RequestException {
        long last = iova + length - 1;
        if (length == 0 || Long.compareUnsigned(last, iova) < 0) {
            throw RequestException.invalid("0x%x bytes at 0x%x".formatted(length, iova));
        }
        return last;
    }
}
