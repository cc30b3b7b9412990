package org.ringside.ethernet.virtio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VirtqueueTest {
    private static final int SIZE = 8;
    private static final long IOVA = 0x1_2345_6000L;

    private final Arena arena = Arena.ofConfined();

    /** Both kinds. */
    enum Kind {
        SPLIT,
        PACKED
    }

    private MemorySegment memory;
    private Virtqueue queue;
    private QueueDevice device;

    private void make(Kind kind) {
        long bytes = kind == Kind.SPLIT ? SplitQueue.bytes(SIZE) : PackedQueue.bytes(SIZE);
        memory = arena.allocate(bytes, 4096);
        if (kind == Kind.SPLIT) {
            queue = new SplitQueue("q", SIZE, memory, IOVA);
            device = new QueueDevice.Split(memory, SIZE);
        } else {
            queue = new PackedQueue("q", SIZE, memory, IOVA);
            device = new QueueDevice.Packed(memory, SIZE);
        }
        for (int i = 0; i < SIZE; i++) {
            queue.prepare(i, 0x1000L * (i + 1), i % 2 == 0);
        }
    }

    @AfterEach
    void free() {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowEachBufferOnce(Kind kind) {
        make(kind);
        assertThat(device.collect()).isEmpty();
        queue.offer(3, 100);
        queue.offer(2, 50);
        assertThat(device.collect())
                .containsExactly(
                        new QueueDevice.Buffer(3, 0x4000, 100, false),
                        new QueueDevice.Buffer(2, 0x3000, 50, true));
        assertThat(device.collect()).isEmpty();
        assertThat(queue.take()).isEqualTo(Virtqueue.NONE);
        device.use(2, 17);
        assertThat(queue.take()).isEqualTo(2);
        assertThat(queue.usedLength()).isEqualTo(17);
        assertThat(queue.take()).isEqualTo(Virtqueue.NONE);
        assertThat(queue.outstanding()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoRoundInAnyOrder(Kind kind) {
        make(kind);
        Random random = new Random(7);
        ArrayDeque<Integer> free = new ArrayDeque<>();
        for (int i = 0; i < SIZE; i++) {
            free.add(i);
        }
        List<Integer> held = new ArrayList<>();
        int[] length = new int[SIZE];
        for (int step = 0; step < 200_000; step++) {
            if (!free.isEmpty() && random.nextBoolean()) {
                int buffer = free.remove();
                length[buffer] = random.nextInt(1, 5000);
                queue.offer(buffer, length[buffer]);
                for (QueueDevice.Buffer each : device.collect()) {
                    assertThat(each.length()).isEqualTo(length[each.id()]);
                    assertThat(each.address()).isEqualTo(0x1000L * (each.id() + 1));
                    held.add(each.id());
                }
            } else if (!held.isEmpty()) {
                int at = random.nextInt(held.size());
                int buffer = held.get(at);
                held.set(at, held.getLast());
                held.removeLast();
                device.use(buffer, step);
                assertThat(queue.take()).isEqualTo(buffer);
                assertThat(queue.usedLength()).isEqualTo(step);
                free.add(buffer);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellWhenNotificationsAreWanted(Kind kind) {
        make(kind);
        assertThat(queue.wantsNotification()).isTrue();
        device.quiet(true);
        assertThat(queue.wantsNotification()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseABufferThatTheDeviceDoesNotHave(Kind kind) {
        make(kind);
        queue.offer(3, 100);
        assertThat(device.collect()).hasSize(1);
        device.use(4, 1);
        assertThatThrownBy(queue::take)
                .isInstanceOf(QueueFault.class)
                .hasMessage("q: buffer 0x4 comes back, which the device does not have");
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseABufferThatIsNone(Kind kind) {
        for (int id : new int[] {SIZE, 0x7fff, 0xffff}) {
            make(kind);
            queue.offer(3, 100);
            device.use(id, 1);
            assertThatThrownBy(queue::take)
                    .isInstanceOf(QueueFault.class)
                    .hasMessageContaining("which the device does not have");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseABufferTwice(Kind kind) {
        make(kind);
        queue.offer(3, 100);
        queue.offer(4, 100);
        device.use(3, 1);
        device.use(3, 1);
        assertThat(queue.take()).isEqualTo(3);
        assertThatThrownBy(queue::take).isInstanceOf(QueueFault.class);
    }

    @Test
    void shouldRefuseNumbersOfThirtyTwoBits() {
        for (int id : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x1_0003}) {
            make(Kind.SPLIT);
            queue.offer(3, 100);
            device.use(id, 1);
            assertThatThrownBy(queue::take).isInstanceOf(QueueFault.class);
        }
    }

    @Test
    void shouldRefuseMoreThanTheDeviceHas() {
        make(Kind.SPLIT);
        queue.offer(3, 100);
        ((QueueDevice.Split) device).jump(2);
        assertThatThrownBy(queue::take)
                .isInstanceOf(QueueFault.class)
                .hasMessage("q: 2 buffers come back, the device has 1");
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheDriverFromOfferingTwice(Kind kind) {
        make(kind);
        queue.offer(3, 100);
        assertThatThrownBy(() -> queue.offer(3, 100)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void shouldPlaceItsPartsAsTheSpecificationAligns(Kind kind) {
        make(kind);
        assertThat(queue.descriptors()).isEqualTo(IOVA);
        assertThat(queue.driverArea() % (kind == Kind.SPLIT ? 2 : 4)).isZero();
        assertThat(queue.deviceArea() % 4).isZero();
        assertThat(queue.driverArea()).isEqualTo(IOVA + 16 * SIZE);
        assertThat(queue.deviceArea() + (kind == Kind.SPLIT ? 6 + 8 * SIZE : 4))
                .isLessThanOrEqualTo(IOVA + memory.byteSize());
    }
}
