package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A device that is there but fails is not the user's mistake: 1, where a wrong name gives 2. */
@Timeout(120)
class DeviceFailureTest {
    private static final String COMMAND_MILLIS = "ringside.mlx5.commandMillis";

    @BeforeAll
    static void hurry() {
        System.setProperty(COMMAND_MILLIS, "500");
    }

    @AfterAll
    static void takeTime() {
        System.clearProperty(COMMAND_MILLIS);
    }

    @ParameterizedTest(name = "[{index}] {0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    all-ones@3     | registers read all ones
                    disable-nic@2  | firmware has disabled the interface
                    drop-command@3 | no answer to
                    garbage@1      | (0x
                    """)
    void shouldExitWithOneWhenTheDeviceFailsInBringUp(String fault, String message) {
        Outcome outcome = Outcome.of("pingpong", "--device", "emulated/failing?fault=" + fault);
        assertThat(outcome.err()).contains(message);
        assertThat(outcome.err().lines()).hasSize(1).allMatch(l -> l.startsWith("ringside: "));
        assertThat(outcome.code()).isEqualTo(1);
    }
}
