package org.ringside.softroce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DoorbellsTest {
    @Test
    void shouldHandOnNumbersInOrderThroughWraps() {
        Doorbells doorbells = new Doorbells(4);
        for (int round = 0; round < 10; round++) {
            for (int qp = 1; qp <= 4; qp++) {
                doorbells.ring(round * 4 + qp);
            }
            for (int qp = 1; qp <= 4; qp++) {
                assertThat(doorbells.take()).isEqualTo(round * 4 + qp);
            }
            assertThat(doorbells.take()).isEqualTo(Doorbells.NONE);
        }
    }
}
