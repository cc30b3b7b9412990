package org.ringside.mlx5.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Sizes and some places of every table, as the list in places.txt has them. */
final class PlacesTest {
    private record Expected(int bytes, Map<String, String> places) {}

    private static Map<String, Expected> expected() throws IOException {
        Map<String, Expected> structures = new LinkedHashMap<>();
        try (InputStream list =
                        Objects.requireNonNull(PlacesTest.class.getResourceAsStream("places.txt"));
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
            Expected current = null;
            for (String line : lines.lines().filter(text -> !text.startsWith("#")).toList()) {
                String[] words = line.strip().split(" ", -1);
                if (line.startsWith(" ")) {
                    Objects.requireNonNull(current).places.put(words[0], words[1]);
                } else {
                    current = new Expected(Integer.parseInt(words[1]), new LinkedHashMap<>());
                    structures.put(words[0], current);
                }
            }
        }
        return structures;
    }

    private static String place(Member member) {
        long bit = member.bitOffset();
        long width = member.bitWidth();
        boolean oneDword = width > 0 && bit % 32 + width <= 32;
        if (!oneDword || member instanceof StructField) {
            return "0x%x..%d".formatted(bit / 8, width);
        }
        long msb = 31 - bit % 32;
        return "0x%x:%d-%d".formatted(bit / 32 * 4, msb, msb - width + 1);
    }

    @Test
    void shouldHaveSizesAndPlacesOfTheList() throws IOException {
        Map<String, Expected> expected = expected();
        List<String> differences = new ArrayList<>();
        for (Layout layout : AllLayouts.get()) {
            Expected list = expected.remove(layout.name());
            if (list == null) {
                differences.add(layout.name() + " is not in places.txt");
                continue;
            }
            if (list.bytes != layout.byteSize()) {
                differences.add(layout.name() + " has " + layout.byteSize() + " bytes");
            }
            Map<String, String> places =
                    layout.members().stream()
                            .collect(Collectors.toMap(Member::name, PlacesTest::place));
            assertThat(list.places)
                    .as("places of %s in the list", layout.name())
                    .hasSizeGreaterThanOrEqualTo(Math.min(2, places.size()));
            list.places.forEach(
                    (field, place) -> {
                        if (!place.equals(places.get(field))) {
                            differences.add(
                                    "%s.%s is at %s, not %s"
                                            .formatted(
                                                    layout.name(),
                                                    field,
                                                    places.get(field),
                                                    place));
                        }
                    });
        }
        assertThat(differences).isEmpty();
        assertThat(expected).as("structures that have no table").isEmpty();
    }
}
