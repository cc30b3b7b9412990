package org.ringside.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.WqeOpcode;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.WorkCompletions;
import org.ringside.vfio.Mmio;

/** Post and poll make no garbage: a warmed loop over rings in memory, with a stand-in completer. */
final class ZeroAllocationTest {
    private static final int QPN = 0x77;
    private static final int LOG = 6;
    private static final int WARM_UP = 200_000;
    private static final int MEASURED = 100_000;

    private final RingMemory wqes = RingMemory.of(Arena.ofAuto().allocate(64 * 128, 64));
    private final RingMemory record = RingMemory.of(Arena.ofAuto().allocate(64, 64));
    private final RingMemory cqes = RingMemory.of(Arena.ofAuto().allocate(64 << LOG, 64));
    private final SendQueue send =
            new SendQueue(
                    wqes,
                    0,
                    record,
                    new Register(),
                    new SendQueue.Config(QPN, 64, 2, 64, false, 1 << 30));
    private final ReceiveQueue receive = new ReceiveQueue(wqes, 4096, record, 64, 5, 2, 1 << 30);
    private final QpTable table = new QpTable();
    private final CompletionRing ring = completionRing();
    private final WorkCompletions batch = new WorkCompletions(16);
    private final MemorySegment source = Arena.ofAuto().allocate(64);
    private int produced;
    private int sendPosition;

    private CompletionRing completionRing() {
        CompletionRing.initialize(cqes, LOG);
        table.put(new WorkQueues(QPN, send, receive));
        send.setLimit(true, PostResult.POSTED);
        receive.setLimit(true, PostResult.POSTED);
        return new CompletionRing(cqes, LOG, RingMemory.of(Arena.ofAuto().allocate(64, 64)), table);
    }

    /** What the device does: the last eight bytes of a CQE, with the owner of this round. */
    private void complete(int opcode, int wqeOpcode, int counter) {
        long at = ((long) (produced & 63) << 6) + 56;
        long word =
                (long) wqeOpcode << 56
                        | (long) QPN << 32
                        | (long) (counter & 0xffff) << 16
                        | opcode << 4
                        | produced >>> LOG & 1;
        cqes.putLong(at, word);
        produced++;
    }

    private long round(int i) {
        long sum = 0;
        sum += send.postWrite(i, SendFlags.SIGNALED, 1, 2, 3, 4, 5).ordinal();
        complete(CqeOpcode.REQ, WqeOpcode.RDMA_WRITE, sendPosition);
        sendPosition++;
        send.start();
        send.begin(WqeOpcode.SEND_IMM, i, SendFlags.SIGNALED, i);
        send.sge(1, 2, 3);
        send.sge(4, 5, 6);
        send.begin(WqeOpcode.SEND, i, SendFlags.SIGNALED, 0);
        send.inline(source, 0, 48);
        sum += send.submit().ordinal();
        // Two entries: one block; 48 inline bytes: two.
        complete(CqeOpcode.REQ, WqeOpcode.SEND, sendPosition + 1);
        sendPosition += 3;
        sum += receive.post(i, 1, 2, 3).ordinal();
        complete(CqeOpcode.RESP_SEND, 0, i);
        sum += ring.poll(batch);
        if (ring.startPoll()) {
            sum += ring.wrId() + ring.byteLength() + ring.opcode().ordinal();
            ring.endPoll();
        }
        return sum;
    }

    @Test
    void shouldMakeNoGarbageInPostAndPoll() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().threadId();
        long sum = 0;
        for (int i = 0; i < WARM_UP; i++) {
            sum += round(i);
        }
        long before = threads.getThreadAllocatedBytes(self);
        for (int i = 0; i < MEASURED; i++) {
            sum += round(i);
        }
        long allocated = threads.getThreadAllocatedBytes(self) - before;
        assertThat(sum).as("all posted, three polled each").isEqualTo(3L * (WARM_UP + MEASURED));
        assertThat((double) allocated / MEASURED).as("bytes per round").isLessThan(0.1);
    }

    /** A doorbell page that keeps the last value, nothing else. */
    private static final class Register extends Mmio {
        private long last;

        @Override
        public long size() {
            return 4096;
        }

        @Override
        public byte getByte(long offset) {
            return (byte) last;
        }

        @Override
        public short getShort(long offset) {
            return (short) last;
        }

        @Override
        public int getInt(long offset) {
            return (int) last;
        }

        @Override
        public long getLong(long offset) {
            return last;
        }

        @Override
        public void putByte(long offset, byte value) {
            last = value;
        }

        @Override
        public void putShort(long offset, short value) {
            last = value;
        }

        @Override
        public void putInt(long offset, int value) {
            last = value;
        }

        @Override
        public void putLong(long offset, long value) {
            last = value;
        }

        @Override
        public Mmio slice(long offset, long size) {
            return this;
        }

        @Override
        public Optional<MemorySegment> mapped() {
            return Optional.empty();
        }
    }
}
