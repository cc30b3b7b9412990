package org.ringside.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringside.roce.packet.Frame;

class FrameQueueTest {
    private final FrameQueue queue = new FrameQueue(4);

    private static Frame frame(int content) {
        Frame frame = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 8));
        frame.copyOf(new byte[] {(byte) (content >>> 8), (byte) content});
        return frame;
    }

    private List<Integer> drain() {
        List<Integer> got = new ArrayList<>();
        int count = queue.drain((frame, now) -> got.add(frame.bytes().getShort(0) & 0xffff), 0);
        assertThat(count).isEqualTo(got.size());
        return got;
    }

    @Test
    void shouldHandOnCopiesInOrder() {
        Frame frame = frame(1);
        assertThat(queue.offer(frame)).isTrue();
        frame.copyOf(new byte[] {0, 2});
        assertThat(queue.offer(frame)).isTrue();

        assertThat(drain()).containsExactly(1, 2);
        assertThat(drain()).isEmpty();
    }

    @Test
    void shouldRefuseWhatFindsNoRoomAndTakeItLater() {
        for (int i = 0; i < 4; i++) {
            assertThat(queue.offer(frame(i))).isTrue();
        }
        assertThat(queue.offer(frame(9))).isFalse();
        assertThat(drain()).containsExactly(0, 1, 2, 3);
        assertThat(queue.offer(frame(5))).isTrue();
        assertThat(drain()).containsExactly(5);
    }

    @Test
    void shouldKeepEachSendersOrderThroughManyWraps() throws Exception {
        int senders = 3;
        int each = 10_000;
        List<Thread> threads = new ArrayList<>();
        for (int s = 0; s < senders; s++) {
            int high = s << 14;
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < each; i++) {
                                            Frame frame = frame(high | i);
                                            while (!queue.offer(frame)) {
                                                Thread.onSpinWait();
                                            }
                                        }
                                    }));
        }
        int[] next = new int[senders];
        int left = senders * each;
        while (left > 0) {
            for (int content : drain()) {
                int sender = content >>> 14;
                assertThat(content & 0x3fff).isEqualTo(next[sender]++);
                left--;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
