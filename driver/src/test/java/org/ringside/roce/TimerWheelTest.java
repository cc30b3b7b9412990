package org.ringside.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private final TimerWheel wheel = new TimerWheel(0);
    private final List<Integer> fired = new ArrayList<>();

    private Timer timer(int name) {
        return new Timer() {
            @Override
            protected void expired(long now) {
                assertThat(deadline()).isLessThanOrEqualTo(now);
                fired.add(name);
            }
        };
    }

    @Test
    void shouldFireAtItsTimeAndNotBefore() {
        wheel.schedule(timer(1), 100_000);
        wheel.schedule(timer(2), 5_000_000_000L);
        wheel.advance(99_999);
        assertThat(fired).isEmpty();
        wheel.advance(100_000 + 8192);
        assertThat(fired).containsExactly(1);
        wheel.advance(4_999_999_999L);
        assertThat(fired).containsExactly(1);
        wheel.advance(5_000_000_000L + 8192);
        assertThat(fired).containsExactly(1, 2);
        assertThat(wheel.pending()).isZero();
    }

    @Test
    void shouldFireWhatIsOverdueAfterALongAbsence() {
        for (int i = 0; i < 100; i++) {
            wheel.schedule(timer(i), i * 777_777L);
        }
        wheel.advance(60_000_000_000L);
        assertThat(fired).hasSize(100);
    }

    @Test
    void shouldMoveAndCancel() {
        Timer one = timer(1);
        wheel.schedule(one, 100_000);
        wheel.schedule(one, 200_000);
        assertThat(wheel.pending()).isEqualTo(1);
        wheel.advance(150_000);
        assertThat(fired).isEmpty();
        wheel.cancel(one);
        wheel.cancel(one);
        wheel.advance(1_000_000);
        assertThat(fired).isEmpty();
    }

    @Test
    void shouldLetATimerScheduleAndCancelOthersWhenItFires() {
        Timer victim = timer(2);
        Timer[] self = new Timer[1];
        self[0] =
                new Timer() {
                    @Override
                    protected void expired(long now) {
                        fired.add(1);
                        wheel.cancel(victim);
                        if (fired.size() < 3) {
                            wheel.schedule(self[0], now);
                        }
                    }
                };
        wheel.schedule(victim, 50_000);
        wheel.schedule(self[0], 50_000);
        for (long now = 0; now < 1_000_000; now += 8192) {
            wheel.advance(now);
        }
        assertThat(fired).isSubsetOf(1, 2).filteredOn(n -> n == 1).hasSizeGreaterThanOrEqualTo(2);
    }

    /** Against the plainest possible model. */
    @Test
    void shouldAgreeWithAListOfDeadlines() {
        Random random = new Random(5);
        int count = 200;
        long[] deadlines = new long[count];
        Timer[] timers = new Timer[count];
        for (int i = 0; i < count; i++) {
            timers[i] = timer(i);
        }
        long now = 0;
        for (int step = 0; step < 20_000; step++) {
            int i = random.nextInt(count);
            if (random.nextInt(4) == 0) {
                wheel.cancel(timers[i]);
                deadlines[i] = 0;
            } else {
                deadlines[i] = now + random.nextInt(100_000_000);
                wheel.schedule(timers[i], deadlines[i]);
            }
            now += random.nextInt(200_000);
            fired.clear();
            wheel.advance(now);
            for (int name : fired) {
                assertThat(deadlines[name]).isBetween(1L, now);
                deadlines[name] = 0;
            }
            for (long deadline : deadlines) {
                assertThat(deadline == 0 || deadline > now - 16384).isTrue();
            }
        }
    }
}
