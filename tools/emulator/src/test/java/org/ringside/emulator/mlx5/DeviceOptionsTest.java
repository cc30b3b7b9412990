package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.RoceCap;

class DeviceOptionsTest {
    @Test
    void shouldTakeAllOptionsAsText() {
        DeviceOptions options =
                DeviceOptions.named("x")
                        .set("profile", "pf")
                        .set("doorbells", "trapped")
                        .set("bootPages", "100")
                        .set("pageZero", "taken")
                        .set("initPages", "2000")
                        .set("pageRequestEvery", "7")
                        .set("initMillis", "never")
                        .set("commandMillis", "3")
                        .set("vectors", "5")
                        .set("issi", "0")
                        .set("cap.log_max_qp", "10")
                        .set("cap.roce.l3_type", "0x2")
                        .set("fault", "garbage=3@40")
                        .set("record", "/tmp/r")
                        .build();

        assertThat(options)
                .isEqualTo(
                        new DeviceOptions(
                                "x",
                                DeviceOptions.Profile.PF,
                                DeviceOptions.Doorbells.TRAPPED,
                                100,
                                DeviceOptions.PageZero.TAKEN,
                                2000,
                                7,
                                DeviceOptions.NEVER,
                                3,
                                5,
                                0,
                                List.of(
                                        new CapabilityOverride(
                                                CapabilityGroup.GENERAL, CmdHcaCap.LOG_MAX_QP, 10),
                                        new CapabilityOverride(
                                                CapabilityGroup.ROCE, RoceCap.L3_TYPE, 2)),
                                List.of(new FaultSpec(FaultSpec.Kind.GARBAGE, 3, 40)),
                                Path.of("/tmp/r")));
    }

    @ParameterizedTest
    @CsvSource({
        "profile, sf, 'option profile takes vf, pf, ib or ibpf, not \"sf\"'",
        "doorbells, none, 'option doorbells takes mapped or trapped, not \"none\"'",
        "bootPages, -1, 'option bootPages takes 0 to 100000, not \"-1\"'",
        "bootPages, many, 'option bootPages takes 0 to 100000, not \"many\"'",
        "vectors, 65, 'option vectors takes 1 to 64, not \"65\"'",
        "issi, 2, 'option issi takes 0 or 1, not \"2\"'",
        "cap.roc.l3_type, 1, 'option cap.roc.l3_type: write cap.FIELD or cap.GROUP.FIELD, with a"
                + " group of [atomic, general, general_2, roce]'",
        "cap.log_max_qps, 1, 'option cap.log_max_qps: cmd_hca_cap has no field log_max_qps'",
        "cap.log_max_qp, 32, 'option cap.log_max_qp takes 0 to 31, not 32'",
        "cap.log_max_qp, ten, 'option cap.log_max_qp takes a number, not \"ten\"'",
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
                .hasMessageContaining("bootPages, cap.FIELD, commandMillis, doorbells");
    }
}
