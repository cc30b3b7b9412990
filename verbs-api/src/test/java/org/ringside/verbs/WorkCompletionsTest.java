package org.ringside.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WorkCompletionsTest {
    @Test
    void shouldKeepWhatWasAppendedUntilCleared() {
        WorkCompletions some = new WorkCompletions(2);
        some.append(5, WcStatus.SUCCESS, WcOpcode.RECV, 1L << 31, true, -7, 0x10, 0);
        some.append(6, WcStatus.WR_FLUSH_ERR, WcOpcode.SEND, 0, false, 0, 0x10, 0xf9);

        assertThat(some.size()).isEqualTo(2);
        assertThat(some.byteLength(0)).isEqualTo(1L << 31);
        assertThat(some.immediate(0)).isEqualTo(-7);
        assertThat(some.status(1)).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(some)
                .hasToString(
                        "WorkCompletions[wr_id 0x5 SUCCESS RECV 2147483648 B qp 0x10, wr_id 0x6"
                                + " WR_FLUSH_ERR vendor 0xf9 qp 0x10]");
        some.clear();
        assertThat(some.size()).isZero();
    }

    @Test
    void shouldRefuseNoCapacity() {
        assertThatThrownBy(() -> new WorkCompletions(0)).hasMessageContaining("capacity 0");
    }

    @Test
    void shouldNumberStatusesAsVerbsDoes() {
        assertThat(WcStatus.of(5)).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(WcStatus.of(12)).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(WcStatus.of(13)).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
        assertThat(WcStatus.values()).hasSize(22);
    }
}
