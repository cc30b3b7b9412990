package org.ringside.vfio.user;

import org.ringside.linux.Errno;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.RegionAccess;

/**
 * Access to a region by messages. Writes wait for their reply unless they are posted: then they are
 * as fast as the socket, but a store to a mapped page could overtake them.
 */
final class MessageRegion implements RegionAccess {
    private final Connection connection;
    private final int index;
    private final boolean posted;

    MessageRegion(Connection connection, int index, boolean posted) {
        this.connection = connection;
        this.index = index;
        this.posted = posted;
    }

    @Override
    public long read(long offset, int width) throws VfioException {
        Exchange exchange = connection.begin();
        try {
            fill(exchange.request(Command.REGION_READ, Payload.RegionAccess.SIZE), offset, width);
            Message reply = connection.call(exchange, Payload.RegionAccess.SIZE + width);
            if (reply.getInt(Payload.RegionAccess.COUNT) != width) {
                throw new VfioException(
                        Errno.EPROTO,
                        "REGION_READ of %d bytes at 0x%x of region %d gave %d"
                                .formatted(
                                        width,
                                        offset,
                                        index,
                                        reply.getInt(Payload.RegionAccess.COUNT)));
            }
            long at = Payload.RegionAccess.DATA;
            return switch (width) {
                case 1 -> reply.getByte(at) & 0xffL;
                case 2 -> reply.getShort(at);
                case 4 -> reply.getInt(at) & 0xffff_ffffL;
                default -> reply.getLong(at);
            };
        } finally {
            connection.end(exchange);
        }
    }

    @Override
    public void write(long offset, int width, long value) throws VfioException {
        Exchange exchange = connection.begin();
        try {
            int size = Payload.RegionAccess.SIZE + width;
            Message request = exchange.request(Command.REGION_WRITE, size);
            fill(request, offset, width);
            long at = Payload.RegionAccess.DATA;
            switch (width) {
                case 1 -> request.putByte(at, (byte) value);
                case 2 -> request.putShort(at, (int) value);
                case 4 -> request.putInt(at, (int) value);
                default -> request.putLong(at, value);
            }
            if (posted) {
                connection.post(exchange);
            } else {
                connection.call(exchange, 0);
            }
        } finally {
            connection.end(exchange);
        }
    }

    private void fill(Message request, long offset, int width) {
        request.putLong(Payload.RegionAccess.OFFSET, offset)
                .putInt(Payload.RegionAccess.REGION, index)
                .putInt(Payload.RegionAccess.COUNT, width);
    }
}
