package org.ringside.vfio.user;

import java.util.Arrays;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.IrqSetter;
import org.ringside.vfio.user.Payload.IrqSet;

/** DEVICE_SET_IRQS: our eventfds go to the server, which writes to them. */
final class MessageIrqs implements IrqSetter {
    private final Connection connection;
    private final InterruptType type;
    private final int maxFds;

    /**
     * For one kind of interrupt.
     *
     * @param maxFds descriptors that the server takes beside one message
     */
    MessageIrqs(Connection connection, InterruptType type, int maxFds) {
        this.connection = connection;
        this.type = type;
        this.maxFds = Math.max(1, Math.min(maxFds, SystemCalls.MAX_MESSAGE_FDS));
    }

    /**
     * As {@link IrqSetter#set}. A socket cannot carry the -1 of a vector that is not in use: a run
     * of those goes as a message without descriptors, which detaches them.
     */
    @Override
    public int set(int flags, int start, int count, int[] fds) throws VfioException {
        if (fds.length == 0) {
            send(flags, start, count, fds);
            return 0;
        }
        int end;
        for (int from = 0; from < count; from = end) {
            boolean used = fds[from] >= 0;
            end = from + 1;
            while (end < count && end - from < maxFds && fds[end] >= 0 == used) {
                end++;
            }
            int[] run = used ? Arrays.copyOfRange(fds, from, end) : new int[0];
            send(flags, start + from, end - from, run);
        }
        return 0;
    }

    private void send(int flags, int start, int count, int[] fds) throws VfioException {
        Exchange exchange = connection.begin();
        try {
            exchange.request(Command.DEVICE_SET_IRQS, IrqSet.SIZE)
                    .putInt(IrqSet.ARGSZ, IrqSet.SIZE)
                    .putInt(IrqSet.FLAGS, flags)
                    .putInt(IrqSet.INDEX, type.index())
                    .putInt(IrqSet.START, start)
                    .putInt(IrqSet.COUNT, count)
                    .withFds(fds);
            connection.call(exchange, 0);
        } finally {
            connection.end(exchange);
        }
    }
}
