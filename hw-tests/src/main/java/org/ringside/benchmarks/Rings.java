package org.ringside.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.mlx5.CompletionRing;
import org.ringside.mlx5.QpTable;
import org.ringside.mlx5.ReceiveQueue;
import org.ringside.mlx5.RingMemory;
import org.ringside.mlx5.SendQueue;
import org.ringside.mlx5.WorkQueues;
import org.ringside.verbs.PostResult;
import org.ringside.vfio.backend.DeviceState;
import org.ringside.vfio.backend.MappedMmio;

/**
 * The driver's own rings over plain memory: no device, so that the cost is the driver's alone. The
 * register page is cached memory here; on a BAR each doorbell costs an uncached store more.
 */
final class Rings {
    static final int QP_NUMBER = 0x123;
    static final int LOG_CQES = 8;
    static final int CQES = 1 << LOG_CQES;
    static final int BLOCKS = 256;

    final MemorySegment sendRing;
    final MemorySegment sendRecord;
    final MemorySegment registers;
    final MemorySegment cqes;
    final SendQueue send;
    final CompletionRing completions;

    Rings(Arena arena) {
        sendRing = arena.allocate(BLOCKS * 64L, 4096);
        sendRecord = arena.allocate(64, 64);
        registers = arena.allocate(4096, 4096);
        cqes = arena.allocate((long) CompletionRing.CQE << LOG_CQES, 4096);
        MemorySegment cqRecord = arena.allocate(64, 64);
        MemorySegment recvRing = arena.allocate(4096, 4096);
        RingMemory qpRecord = RingMemory.of(sendRecord);
        send =
                new SendQueue(
                        RingMemory.of(sendRing),
                        0,
                        qpRecord,
                        new MappedMmio(registers, new DeviceState("benchmark")),
                        new SendQueue.Config(QP_NUMBER, BLOCKS, 1, 64, false, 1L << 30));
        send.setLimit(true, PostResult.POSTED);
        ReceiveQueue receive =
                new ReceiveQueue(RingMemory.of(recvRing), 0, qpRecord, 64, 4, 1, 1L << 30);
        QpTable qps = new QpTable();
        qps.put(new WorkQueues(QP_NUMBER, send, receive));
        RingMemory ring = RingMemory.of(cqes);
        CompletionRing.initialize(ring, LOG_CQES);
        completions = new CompletionRing(ring, LOG_CQES, RingMemory.of(cqRecord), qps);
    }
}
