package org.ringside.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Page lists of memory keys, with the cases that went wrong elsewhere. */
final class PageListTest {
    @Test
    void shouldUseOneSmallPageWhenItIsEnough() {
        assertThat(PageList.of(0x7000_1234L, 100, 30)).isEqualTo(new PageList(0x7000_1000L, 12, 1));
    }

    @Test
    void shouldCoverTheFirstByteWithTheFirstPage() {
        PageList list = PageList.of(0x7000_1ff0L, 0x20, 12);
        assertThat(list).isEqualTo(new PageList(0x7000_1000L, 12, 2));
        assertThat(list.address(1)).isEqualTo(0x7000_2000L);
    }

    @Test
    void shouldUseTheLargestPageThatAlignmentAllows() {
        PageList list = PageList.of(0x4000_0000L, 1L << 30, 21);
        assertThat(list.log()).isEqualTo(21);
        assertThat(list.count()).isEqualTo(512);
        assertThat(list.address(511)).isEqualTo(0x4000_0000L + 511L * (2 << 20));
    }

    @Test
    void shouldSpanMoreThanFourGigabytes() {
        PageList list = PageList.of(0x10_0000_0000L, 5L << 30, 31);
        assertThat(list).isEqualTo(new PageList(0x10_0000_0000L, 31, 3));
    }

    @Test
    void shouldNeverListPageZero() {
        PageList list = PageList.of(0x1f_f000L, 0x2000, 31);
        assertThat(list).isEqualTo(new PageList(0x10_0000L, 20, 2));
    }

    @Test
    void shouldStopAt31BitPages() {
        assertThat(PageList.of(1L << 40, 1L << 33, 40).log()).isEqualTo(31);
    }
}
