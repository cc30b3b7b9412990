package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageListTest {
    @Test
    void shouldFollowPagesFromTheOffsetOfTheFirst() {
        PageList pages = new PageList(new long[] {0x5000, 0x9000, 0xa000}, 12, 0x800, 0x2000);
        assertThat(pages.isContiguous()).isFalse();
        assertThat(pages.iova(0)).isEqualTo(0x5800);
        assertThat(pages.iova(0x7ff)).isEqualTo(0x5fff);
        assertThat(pages.iova(0x800)).isEqualTo(0x9000);
        assertThat(pages.iova(0x1fff)).isEqualTo(0xa7ff);
        assertThat(pages.run(0)).isEqualTo(0x800);
        assertThat(pages.run(0x800)).isEqualTo(0x1000);
        assertThat(pages.run(0x1800)).isEqualTo(0x800);
    }

    @Test
    void shouldSeeConsecutivePagesAsOneRange() {
        PageList pages = new PageList(new long[] {0x5000, 0x6000, 0x7000}, 12, 1, 0x2fff);
        assertThat(pages.isContiguous()).isTrue();
        assertThat(pages.run(5)).isEqualTo(0x2ffa);
    }

    @Test
    void shouldRefuseWhatItCannotHold() {
        assertThatThrownBy(() -> new PageList(new long[] {0x5000}, 12, 1, 0x1000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 pages of 0x1000 bytes do not hold 0x1000 bytes");
        assertThatThrownBy(() -> new PageList(new long[] {0x5800}, 12, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("page 0 at IOVA 0x5800 is not aligned");
        assertThatThrownBy(() -> new PageList(new long[] {0x5000}, 12, 0x1000, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PageList(new long[] {0}, 62, 0, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0, 1, 1",
        "4095, 1, 1",
        "4095, 2, 2",
        "0, 4096, 1",
        "1, 4096, 2",
        "4095, 9223372036854775807, 2251799813685249"
    })
    void shouldCountPages(long start, long length, long pages) {
        assertThat(PageList.pagesFor(start, length, 12)).isEqualTo(pages);
    }

    @Test
    void shouldKeepKeysWithinTheirRange() {
        MkeyState key = MkeyState.physical(0x100, 1, 0, MkeyState.ANY_QP, 0x1000, 0x100);
        assertThat(key.covers(0x1000, 0x100)).isTrue();
        assertThat(key.covers(0x10ff, 1)).isTrue();
        assertThat(key.covers(0x1100, 1)).isFalse();
        assertThat(key.covers(0xfff, 1)).isFalse();
        assertThat(key.covers(0x1001, 0x100)).isFalse();
        assertThat(key.covers(-1, 2)).isFalse();
        MkeyState top = MkeyState.physical(0x100, 1, 0, MkeyState.ANY_QP, -0x1000, 0x1000);
        assertThat(top.covers(-1, 1)).isTrue();
        assertThat(top.covers(-1, 2)).isFalse();
        MkeyState all = MkeyState.physical(0x100, 1, 0, MkeyState.ANY_QP, 0, MkeyState.UNBOUNDED);
        assertThat(all.covers(0, Long.MAX_VALUE)).isTrue();
        assertThat(all.covers(-1, 1)).isTrue();
        assertThat(all.covers(-1, 2)).isFalse();
    }
}
