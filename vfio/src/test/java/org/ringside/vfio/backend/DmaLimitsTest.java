package org.ringside.vfio.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringside.vfio.DmaSpace.IovaRange;

class DmaLimitsTest {
    private static DmaLimits limits(IovaRange... ranges) {
        return new DmaLimits(List.of(ranges), 0x1000, 10, "", "");
    }

    @Test
    void shouldAlignRangesAndDropWhatIsLessThanAPage() {
        assertThat(
                        limits(
                                        new IovaRange(0, 0xfff),
                                        new IovaRange(0x1801, 0x1fff),
                                        new IovaRange(0x2001, 0x4fff))
                                .usable())
                .containsExactly(new IovaRange(0x3000, 0x4fff));
    }

    @Test
    void shouldCutOffTheUnsignedHalf() {
        DmaLimits limits = limits(new IovaRange(0, -1), new IovaRange(1L << 63, -1));
        assertThat(limits.usable()).containsExactly(new IovaRange(0x1000, Long.MAX_VALUE - 0x1000));
        assertThat(limits.width()).isEqualTo(63);
    }

    @Test
    void shouldTellTheWidth() {
        assertThat(limits(new IovaRange(0, (1L << 48) - 1)).width()).isEqualTo(48);
        assertThat(limits().width()).isZero();
    }

    @Test
    void shouldTakeWindowsOutOfRanges() {
        List<IovaRange> whole = List.of(new IovaRange(0, -1));
        List<IovaRange> windows =
                List.of(
                        new IovaRange(0xfee00000L, 0xfeefffffL),
                        new IovaRange(0, 0xfff),
                        new IovaRange(-0x1000, -1));
        assertThat(DmaLimits.without(whole, windows))
                .containsExactly(
                        new IovaRange(0x1000, 0xfedfffffL), new IovaRange(0xfef00000L, -0x1001));
    }
}
