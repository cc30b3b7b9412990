package org.ringside.emulator.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeviceAgentTest {
    private final DeviceAgent agent = new DeviceAgent("test agent");

    @AfterEach
    void close() {
        agent.close();
    }

    /** Counts its duty cycles. */
    private static final class Counter implements Agent {
        final AtomicLong cycles = new AtomicLong();
        final long park;

        Counter(long park) {
            this.park = park;
        }

        @Override
        public String roleName() {
            return "counter";
        }

        @Override
        public int poll() {
            cycles.incrementAndGet();
            return 0;
        }

        @Override
        public long maxParkNanos() {
            return park;
        }
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    private Thread thread() {
        return agent.call(Thread::currentThread);
    }

    @Test
    void shouldRunTasksInOrderOnItsThread() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            int n = i;
            agent.submit(() -> order.add(n));
        }
        assertThat(agent.call(order::size)).isEqualTo(1000);
        assertThat(order).isSorted();
        assertThat(agent.call(agent::isAgentThread)).isTrue();
        assertThat(agent.isAgentThread()).isFalse();
    }

    @Test
    void shouldRunNestedCallAtOnce() {
        assertThat(agent.call(() -> agent.call(() -> 7))).isEqualTo(7);
    }

    @Test
    void shouldGiveExceptionsBackAsTheyAre() {
        DmaFault fault = new DmaFault(DmaFault.Reason.NOT_MAPPED, 1, 2, false);
        assertThatThrownBy(
                        () ->
                                agent.run(
                                        () -> {
                                            throw fault;
                                        }))
                .isSameAs(fault);
    }

    @Test
    void shouldParkForGoodWhenNothingCanComeUnseen() {
        Counter counter = new Counter(Agent.NO_PARK_LIMIT);
        agent.add(counter);
        awaitParked(thread());
        long cycles = counter.cycles.get();
        assertThat(agent.call(() -> 5)).isEqualTo(5);
        assertThat(counter.cycles.get()).isGreaterThanOrEqualTo(cycles);
    }

    @Test
    void shouldKeepPollingWhileSharedMemoryIsInUse() throws InterruptedException {
        CountDownLatch polled = new CountDownLatch(100);
        agent.add(
                new Agent() {
                    @Override
                    public String roleName() {
                        return "doorbells";
                    }

                    @Override
                    public int poll() {
                        polled.countDown();
                        return 0;
                    }

                    @Override
                    public long maxParkNanos() {
                        return SHARED_MEMORY_PARK_NANOS;
                    }
                });
        assertThat(polled.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldNotPollAgentThatIsRemoved() {
        Counter counter = new Counter(Agent.SHARED_MEMORY_PARK_NANOS);
        agent.add(counter);
        agent.remove(counter);
        long cycles = agent.call(counter.cycles::get);
        agent.run(() -> {});
        agent.run(() -> {});
        assertThat(counter.cycles.get()).isEqualTo(cycles);
        agent.remove(counter);
    }

    @Test
    void shouldWakeAtOnceHoweverOftenItParks() {
        agent.add(new Counter(Agent.NO_PARK_LIMIT));
        Thread thread = thread();
        for (int i = 0; i < 200; i++) {
            awaitParked(thread);
            int n = i;
            assertThat(agent.call(() -> n)).isEqualTo(n);
        }
    }

    @Test
    void shouldRefuseTasksOnceClosed() {
        List<String> ran = new ArrayList<>();
        agent.submit(() -> ran.add("last"));
        agent.close();
        assertThat(ran).containsExactly("last");
        assertThatThrownBy(() -> agent.submit(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("test agent is closed");
        agent.close();
    }
}
