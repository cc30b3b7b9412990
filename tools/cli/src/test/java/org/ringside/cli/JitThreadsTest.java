package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class JitThreadsTest {
    @Test
    void shouldFindTheCompilerThreadsOfThisJvm() {
        assertThat(new JitThreads().count()).isPositive();
    }

    @Test
    void shouldNotWaitWhenThereIsNoTime() throws Exception {
        new JitThreads().awaitIdle(Duration.ZERO);
        new JitThreads().awaitIdle(Duration.ofSeconds(-1));
    }

    @Test
    void shouldReturnWhenTheyAreIdle() throws Exception {
        JitThreads jit = new JitThreads();
        jit.awaitIdle(Duration.ofMinutes(1));
        assertThat(jit.count()).isPositive();
    }
}
