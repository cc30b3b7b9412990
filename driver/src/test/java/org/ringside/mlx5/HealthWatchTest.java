package org.ringside.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.ringside.mlx5.layout.InitialSeg;

/** What counts as a dead device. */
final class HealthWatchTest {
    private static final int COUNTER = InitialSeg.HEALTH_COUNTER.dword();
    private static final int BUFFER = InitialSeg.HEALTH_BUFFER.offset();

    private final FakeFirmware firmware = new FakeFirmware();
    private final AtomicBoolean gone = new AtomicBoolean();
    private final HealthWatch watch =
            new HealthWatch(
                    new InitSegment(firmware.bar), gone::get, CommandQueueTest.options(100));

    @Test
    void shouldBeContentWhileTheCounterMoves() {
        for (int i = 1; i < 20; i++) {
            firmware.set(COUNTER, i);
            assertThat(watch.look()).isNull();
        }
    }

    @Test
    void shouldCallADeviceDeadWhoseCounterStandsStill() {
        firmware.set(COUNTER, 7);
        assertThat(watch.look()).isNull();
        for (int i = 0; i < 3; i++) {
            assertThat(watch.look()).as("miss %d of 4", i + 1).isNull();
        }
        assertThat(watch.look()).contains("the health counter has stood still at 0x7 for 4 looks");
    }

    @Test
    void shouldForgetMissesWhenTheCounterMovesAgain() {
        for (int round = 0; round < 5; round++) {
            firmware.set(COUNTER, round + 1);
            assertThat(watch.look()).isNull();
            assertThat(watch.look()).isNull();
            assertThat(watch.look()).isNull();
        }
    }

    @Test
    void shouldReportASyndromeWithResetWish() {
        firmware.set(COUNTER, 0x08_000001);
        assertThat(watch.look()).as("a syndrome alone").isNull();
        firmware.set(BUFFER + 0x38, 1 << 31);
        firmware.set(BUFFER + 0x3c, 0x08 << 16 | 0x1234);
        firmware.set(COUNTER, 0x08_000002);
        assertThat(watch.look())
                .contains("firmware asks for a reset")
                .contains("health syndrome 0x8 (HW_FATAL_ERR)")
                .contains("ext_synd=0x1234");
    }

    @Test
    void shouldReportADisabledInterface() {
        firmware.set(InitialSeg.NIC_INTERFACE.dword(), 1 << 8);
        assertThat(watch.look()).contains("firmware has disabled the interface");
    }

    @Test
    void shouldReportAllOnes() {
        firmware.set(0, -1);
        firmware.set(4, -1);
        assertThat(watch.look()).contains("registers read all ones");
    }

    @Test
    void shouldReportADeviceThatHasGone() {
        gone.set(true);
        assertThat(watch.look()).contains("the device has gone");
    }
}
