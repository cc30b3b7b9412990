package org.ringside.cli;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;

/**
 * One end of a ping-pong. Its buffer has two halves of the message's size: what it sends, and what
 * it receives.
 */
final class Side implements AutoCloseable {
    private static final int QUEUE = 64;

    /**
     * What lies in front of a datagram that came (IBTA 8.3), and room for it that keeps alignment.
     */
    private static final int GRH = 40;

    private static final int GRH_ROOM = 64;

    final ProtectionDomain pd;
    final CompletionQueue sendCq;
    final CompletionQueue recvCq;
    final QueuePair qp;
    final DeviceBuffer buffer;
    final MemoryRegion mr;
    final MemorySegment source;
    final MemorySegment target;
    private final int front;

    /** If a step fails the context's close gives back the earlier ones. */
    Side(Context context, long size) throws VerbsException {
        this(context, QpType.RC, size);
    }

    /** The same of another service. Of datagrams, both halves have room in front for a GRH. */
    Side(Context context, QpType type, long size) throws VerbsException {
        pd = context.createPd();
        sendCq = context.createCq(QUEUE);
        recvCq = context.createCq(QUEUE);
        qp = pd.createQp(new QpOptions(sendCq, recvCq).type(type).sendWrs(QUEUE).recvWrs(QUEUE));
        int room = type == QpType.UD ? GRH_ROOM : 0;
        front = type == QpType.UD ? GRH : 0;
        long half = room + (size + 63) / 64 * 64;
        buffer = context.allocate(2 * half);
        mr = pd.register(buffer, EnumSet.allOf(Access.class));
        source = buffer.memory().asSlice(room, size);
        target = buffer.memory().asSlice(half + room, size);
    }

    /** Posts a receive whose message shall come to one of the halves. */
    void receive(long message, MemorySegment into) {
        Messages.posted(
                qp.postRecv(message, mr.lkey(), into.address() - front, into.byteSize() + front));
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        mr.close();
        buffer.close();
        sendCq.close();
        recvCq.close();
        pd.close();
    }
}
