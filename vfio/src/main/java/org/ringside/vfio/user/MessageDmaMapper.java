package org.ringside.vfio.user;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.ringside.linux.LinuxException;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.DeviceState;
import org.ringside.vfio.backend.DmaMapper;
import org.ringside.vfio.backend.DmaRange;
import org.ringside.vfio.user.Payload.DmaMap;
import org.ringside.vfio.user.Payload.DmaUnmap;

/**
 * Maps ranges by DMA_MAP. Memory of a memfd goes with it, and the server maps it. Other memory of
 * the application goes as a part of /proc/self/mem, for the server to read and write there; a
 * server that does not know that way asks us for every byte.
 */
final class MessageDmaMapper implements DmaMapper {
    private static final Logger LOG = System.getLogger(MessageDmaMapper.class.getName());

    private final Connection connection;
    private final SelfMemory self;
    private final DeviceState state;

    /** Whether the server takes file I/O; it is asked with the first range that needs it. */
    private boolean fileIo = true;

    MessageDmaMapper(Connection connection, SelfMemory self, DeviceState state) {
        this.connection = connection;
        this.self = self;
        this.state = state;
    }

    @Override
    public void map(DmaRange range) throws VfioException {
        if (range.fd() != DmaRange.NO_FD) {
            map(range, 0, range.fileOffset(), range.fd());
            return;
        }
        if (fileIo) {
            LocalMemory.add(range.address(), range.size(), range.memory());
            try {
                map(range, DmaMap.BY_FILE_IO, range.address(), self.fd());
                return;
            } catch (LinuxException e) {
                LocalMemory.remove(range.address(), range.size(), range.memory());
                refused(e);
            } catch (VfioException e) {
                LocalMemory.remove(range.address(), range.size(), range.memory());
                if (state.isLost()) {
                    throw e;
                }
                // It may not like the way, or the range; without a descriptor it tells.
                map(range, 0, 0);
                refused(e);
                return;
            }
        }
        map(range, 0, 0);
    }

    private void refused(Exception why) {
        fileIo = false;
        LOG.log(
                Level.INFO,
                "{0}: memory of the application is reached by messages, which is slow: {1}",
                state.name(),
                why.getMessage());
    }

    private void map(DmaRange range, int mode, long fileOffset, int... fds) throws VfioException {
        Exchange exchange = connection.begin();
        try {
            int access = DmaMap.READABLE | (range.writable() ? DmaMap.WRITABLE : 0);
            exchange.request(Command.DMA_MAP, DmaMap.SIZE)
                    .putInt(DmaMap.ARGSZ, DmaMap.SIZE)
                    .putInt(DmaMap.FLAGS, access | mode)
                    .putLong(DmaMap.FILE_OFFSET, fileOffset)
                    .putLong(DmaMap.IOVA, range.iova())
                    .putLong(DmaMap.LENGTH, range.size())
                    .withFds(fds);
            connection.call(exchange, 0);
        } finally {
            connection.end(exchange);
        }
    }

    @Override
    public void unmap(DmaRange range) throws VfioException {
        if (range.fd() == DmaRange.NO_FD) {
            LocalMemory.remove(range.address(), range.size(), range.memory());
        }
        if (state.isLost()) {
            return;
        }
        Exchange exchange = connection.begin();
        try {
            exchange.request(Command.DMA_UNMAP, DmaUnmap.SIZE)
                    .putInt(DmaUnmap.ARGSZ, DmaUnmap.SIZE)
                    .putLong(DmaUnmap.IOVA, range.iova())
                    .putLong(DmaUnmap.LENGTH, range.size());
            connection.call(exchange, 0);
        } finally {
            connection.end(exchange);
        }
    }
}
