package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceOptionsTest {
    @Test
    void shouldTakeAllOptionsAsText() {
        DeviceOptions options =
                DeviceOptions.named("x")
                        .set("profile", "pf")
                        .set("doorbells", "trapped")
                        .set("bootPages", "100")
                        .set("initPages", "2000")
                        .set("pageRequestEvery", "7")
                        .set("initMillis", "never")
                        .set("commandMillis", "3")
                        .set("vectors", "5")
                        .build();

        assertThat(options)
                .isEqualTo(
                        new DeviceOptions(
                                "x",
                                DeviceOptions.Profile.PF,
                                DeviceOptions.Doorbells.TRAPPED,
                                100,
                                2000,
                                7,
                                DeviceOptions.NEVER,
                                3,
                                5));
    }

    @ParameterizedTest
    @CsvSource({
        "profile, sf, 'option profile takes vf or pf, not \"sf\"'",
        "doorbells, none, 'option doorbells takes mapped or trapped, not \"none\"'",
        "bootPages, -1, 'option bootPages takes 0 to 100000, not \"-1\"'",
        "bootPages, many, 'option bootPages takes 0 to 100000, not \"many\"'",
        "vectors, 65, 'option vectors takes 1 to 64, not \"65\"'",
        "initMillis, -1, 'option initMillis takes 0 to 600000, or never, not \"-1\"'",
    })
    void shouldSayWhatAnOptionTakes(String option, String value, String message) {
        DeviceOptions.Builder builder = DeviceOptions.named("x");

        assertThatThrownBy(() -> builder.set(option, value)).hasMessage(message);
    }

    @Test
    void shouldListOptionsForAnUnknownOne() {
        DeviceOptions.Builder builder = DeviceOptions.named("x");

        assertThatThrownBy(() -> builder.set("colour", "red"))
                .hasMessageContaining("unknown option \"colour\"")
                .hasMessageContaining("bootPages, commandMillis, doorbells");
    }
}
