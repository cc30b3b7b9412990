package org.ringside.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.ringside.mlx5.layout.InitialSeg;

/** What counts as a dead device. */
final class HealthWatchTest {
    private static final int COUNTER = InitialSeg.HEALTH_COUNTER.dword();
    private static final int BUFFER = InitialSeg.HEALTH_BUFFER.offset();
    private static final long SECOND = 1_000_000_000;
    private static final int END = 1 << 24;

    private final FakeFirmware firmware = new FakeFirmware();
    private final AtomicBoolean gone = new AtomicBoolean();
    private final InitSegment registers = new InitSegment(firmware.bar);
    private final AtomicLong clock = new AtomicLong(SECOND);
    private final HealthWatch watch =
            new HealthWatch(registers, gone::get, CommandQueueTest.options(100), clock::get);

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

    @Test
    void shouldReportASoftwareReset() {
        firmware.set(InitialSeg.NIC_INTERFACE.dword(), 7 << 8);
        assertThat(watch.look()).contains("firmware is in a software reset");
    }

    @Test
    void shouldNoticeFirmwareThatInitializesAgain() {
        firmware.set(COUNTER, 1);
        assertThat(watch.look()).isNull();
        firmware.set(InitialSeg.INITIALIZING.dword(), 1 << 31);
        assertThat(watch.look())
                .isEqualTo("the device has reset itself: firmware is initializing again");
    }

    @Test
    void shouldNoticeADeviceThatForgotItsCommandQueue() {
        registers.setCommandQueue(0x12_3456_7000L);
        assertThat(watch.look()).isNull();
        firmware.set(InitialSeg.CMDQ_PHY_ADDR_31_12.dword(), 0);
        assertThat(watch.look()).contains("it does not know its command queue any more");
    }

    /** The slots' number and size share a register with the address. */
    @Test
    void shouldNotTakeOtherBitsForTheCommandQueue() {
        registers.setCommandQueue(0x12_3456_7000L);
        firmware.set(InitialSeg.CMDQ_PHY_ADDR_31_12.dword(), 0x3456_7056);
        assertThat(watch.look()).isNull();
    }

    /** Looks a second later at a counter that has this value. */
    private @Nullable String aSecondLater(int counter) {
        clock.addAndGet(SECOND);
        firmware.set(COUNTER, counter);
        return watch.look();
    }

    @Test
    void shouldNoticeACounterThatBeginsAnew() {
        assertThat(aSecondLater(50_000)).isNull();
        assertThat(aSecondLater(50_100)).isNull();
        assertThat(aSecondLater(60))
                .isEqualTo(
                        "the device has reset itself: its health counter went from 0xc3b4 to 0x3c");
    }

    @Test
    void shouldLetTheCounterWrap() {
        assertThat(aSecondLater(END - 150)).isNull();
        assertThat(aSecondLater(END - 50)).isNull();
        assertThat(aSecondLater(50)).isNull();
        assertThat(aSecondLater(150)).isNull();
    }

    /** After a pause of this process the counter can be anywhere. */
    @Test
    void shouldNotTakeAnyLowerCounterForANewBeginning() {
        assertThat(aSecondLater(50_000)).isNull();
        assertThat(aSecondLater(50_100)).isNull();
        assertThat(aSecondLater(30_000)).isNull();
        clock.addAndGet(END / 100 * SECOND);
        assertThat(aSecondLater(7)).as("it had the time to wrap").isNull();
    }

    @Test
    void shouldNotJudgeACounterWhosePaceItDoesNotKnow() {
        assertThat(aSecondLater(50_000)).isNull();
        assertThat(aSecondLater(3)).isNull();
    }
}
