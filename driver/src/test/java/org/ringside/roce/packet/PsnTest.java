package org.ringside.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PsnTest {
    @Test
    void shouldUnwrapToTheNearest() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long near = Psn.start(random.nextInt()) + random.nextInt(1 << 30);
            long psn = near + random.nextInt(1 << 24) - (1 << 23);
            assertThat(Psn.unwrap(Psn.wire(psn), near)).isEqualTo(psn);
        }
    }

    @Test
    void shouldCountPackets() {
        assertThat(Psn.packets(0, 1024)).isEqualTo(1);
        assertThat(Psn.packets(1024, 1024)).isEqualTo(1);
        assertThat(Psn.packets(1025, 1024)).isEqualTo(2);
        assertThat(Psn.packets(1L << 31, 256)).isEqualTo(1 << 23);
    }
}
