package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PingPongCommandTest {
    private static final Pattern JSON =
            Pattern.compile(
                    "\\{\"device\":\"([^\"]+)\",\"operation\":\"(\\w+)\",\"size\":(\\d+),"
                            + "\"iterations\":(\\d+),\"bringUpMillis\":(\\d+\\.\\d{3}),"
                            + "\"latencyNanos\":\\{\"min\":(\\d+),\"p50\":(\\d+),\"p99\":(\\d+),"
                            + "\"p999\":(\\d+),\"max\":(\\d+)\\},\"messagesPerSecond\":(\\d+),"
                            + "\"verified\":true\\}\\R");

    @ParameterizedTest
    @CsvSource({"send, 64", "write, 64", "read, 64", "cas, 8", "faa, 8"})
    void shouldPrintJsonOfEachOperation(String operation, int size) {
        Outcome outcome =
                Outcome.of("pingpong", "--json", "--iterations", "200", "--operation", operation);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        Matcher json = JSON.matcher(outcome.out());
        assertThat(json.matches()).as(outcome.out()).isTrue();
        assertThat(json.group(1)).isEqualTo("emulated");
        assertThat(json.group(2)).isEqualTo(operation);
        assertThat(json.group(3)).isEqualTo(Integer.toString(size));
        assertThat(json.group(4)).isEqualTo("200");
        long min = Long.parseLong(json.group(6));
        long p50 = Long.parseLong(json.group(7));
        long max = Long.parseLong(json.group(10));
        assertThat(min).isPositive().isLessThanOrEqualTo(p50);
        assertThat(p50).isLessThanOrEqualTo(max);
        assertThat(Long.parseLong(json.group(11))).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"1", "7", "4096", "65536", "1000001"})
    void shouldVerifyMessagesOfAnySize(String size) {
        Outcome outcome = Outcome.of("pingpong", "--iterations", "20", "--size", size);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("SEND of " + size + " bytes, 20 iterations, every byte verified")
                .contains("bring-up")
                .contains("p99.9")
                .contains("messages/s");
    }

    @Test
    void shouldRunBetweenTwoDevices() {
        Outcome outcome =
                Outcome.of(
                        "pingpong",
                        "--device",
                        "emulated/a",
                        "--peer",
                        "emulated/b",
                        "--json",
                        "--iterations",
                        "50");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("\"device\":\"emulated/a~emulated/b\"");
    }

    @Test
    void shouldTellWhichSocketIsNotThere() {
        Outcome outcome = Outcome.of("pingpong", "--device", "vfio-user//nonexistent/socket");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("/nonexistent/socket");
        assertThat(outcome.err().lines()).hasSize(1);
    }
}
