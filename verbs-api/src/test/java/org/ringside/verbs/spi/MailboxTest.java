package org.ringside.verbs.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Mailbox<String> mailbox = new Mailbox<>(2);

    @Test
    void shouldHandOutTheOldestFirst() throws Exception {
        assertThat(mailbox.add("a")).isNull();
        assertThat(mailbox.add("b")).isNull();
        assertThat(mailbox.poll()).isEqualTo("a");
        assertThat(mailbox.await(LONG)).isEqualTo("b");
        assertThat(mailbox.poll()).isNull();
    }

    @Test
    void shouldGiveUpTheOldestWhenItIsFull() {
        mailbox.add("a");
        mailbox.add("b");
        assertThat(mailbox.add("c")).isEqualTo("a");
        assertThat(mailbox.poll()).isEqualTo("b");
    }

    @Test
    void shouldTakeOutWhatIsUnwanted() {
        mailbox.add("a");
        mailbox.add("b");
        mailbox.removeIf("a"::equals);
        assertThat(mailbox.poll()).isEqualTo("b");
        assertThat(mailbox.poll()).isNull();
    }

    @Test
    void shouldWakeWhoWaits() throws Exception {
        FutureTask<String> waiting = new FutureTask<>(() -> mailbox.await(LONG));
        Thread.ofPlatform().start(waiting);
        mailbox.add("a");
        assertThat(waiting.get()).isEqualTo("a");
    }

    @Test
    void shouldWakeWhoWaitsAtTheEndAndNotWaitAfterIt() throws Exception {
        FutureTask<String> waiting = new FutureTask<>(() -> mailbox.await(LONG));
        Thread.ofPlatform().start(waiting);
        mailbox.end();
        assertThat(waiting.get()).isNull();
        assertThat(mailbox.await(LONG)).isNull();
    }

    @Test
    void shouldGiveUpInTime() throws Exception {
        assertThat(mailbox.await(Duration.ofMillis(1))).isNull();
    }
}
