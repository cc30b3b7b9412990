package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the kit runs on when no device is named. */
class EmbeddedDevicesTest {
    /** By name: the kit is compiled against the verbs alone, its devices come at run time. */
    private static final String PROFILES = "org.ringside.emulator.mlx5.DeviceOptions$Profile";

    /** What a device has whose name tells none. */
    private static final String DEFAULT = "vf";

    @Test
    void shouldBeOfEachProfileThatTheEmulatorHas() throws ClassNotFoundException {
        Object[] profiles = Objects.requireNonNull(Class.forName(PROFILES).getEnumConstants());

        assertThat(Arrays.stream(Topology.EMBEDDED.split(",", -1)).flatMap(EmbeddedDevicesTest::of))
                .containsAll(
                        Arrays.stream(profiles)
                                .map(each -> each.toString().toLowerCase(Locale.ROOT))
                                .toList());
    }

    /** The profile of an emulated device that is by itself; none for the rest. */
    private static Stream<String> of(String device) {
        if (!device.startsWith("emulated/") || device.contains("~")) {
            return Stream.empty();
        }
        return Arrays.stream(device.substring(device.indexOf('?') + 1).split("&", -1))
                .filter(option -> option.startsWith("profile="))
                .map(option -> option.substring("profile=".length()))
                .findFirst()
                .or(() -> Optional.of(DEFAULT))
                .stream();
    }
}
