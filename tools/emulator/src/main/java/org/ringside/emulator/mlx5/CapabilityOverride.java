package org.ringside.emulator.mlx5;

import java.util.Map;
import org.ringside.mlx5.layout.AtomicCaps;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CmdHcaCap2;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.RoceCap;

/**
 * A capability that an operator wants other than the profile has it: the most that is possible, and
 * what is in force unless that is less already. The model does not grow with it.
 *
 * @param group {@link CapabilityGroup}
 * @param field of the group's table
 * @param value that fits the field
 */
public record CapabilityOverride(int group, Field field, long value) {
    /** What begins an option that is one. */
    public static final String PREFIX = "cap.";

    private static final Map<String, Group> GROUPS =
            Map.of(
                    "general", new Group(CapabilityGroup.GENERAL, CmdHcaCap.LAYOUT),
                    "atomic", new Group(CapabilityGroup.ATOMIC, AtomicCaps.LAYOUT),
                    "roce", new Group(CapabilityGroup.ROCE, RoceCap.LAYOUT),
                    "general_2", new Group(CapabilityGroup.GENERAL_2, CmdHcaCap2.LAYOUT));

    private record Group(int number, Layout layout) {}

    /**
     * Takes {@code cap.log_max_qp} or {@code cap.roce.l3_type} and a number, 0x for hexadecimal.
     *
     * @throws IllegalArgumentException when there is no such field or the number does not fit
     */
    static CapabilityOverride parse(String option, String text) {
        String[] parts = option.substring(PREFIX.length()).split("\\.", -1);
        Group group = GROUPS.get(parts.length == 1 ? "general" : parts[0]);
        if (group == null || parts.length > 2) {
            throw new IllegalArgumentException(
                    "option %s: write cap.FIELD or cap.GROUP.FIELD, with a group of %s"
                            .formatted(option, GROUPS.keySet().stream().sorted().toList()));
        }
        String name = parts[parts.length - 1];
        for (Field field : group.layout.fields()) {
            if (field.name().equals(name)) {
                return new CapabilityOverride(group.number, field, number(option, field, text));
            }
        }
        throw new IllegalArgumentException(
                "option %s: %s has no field %s".formatted(option, group.layout.name(), name));
    }

    /** Table of its group. */
    Layout layout() {
        return GROUPS.values().stream()
                .filter(each -> each.number == group)
                .findFirst()
                .orElseThrow()
                .layout;
    }

    private static long number(String option, Field field, String text) {
        long value;
        try {
            value =
                    text.startsWith("0x")
                            ? Long.parseUnsignedLong(text.substring(2), 16)
                            : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "option %s takes a number, not \"%s\"".formatted(option, text), e);
        }
        if (Long.compareUnsigned(value, field.maxValue()) > 0) {
            throw new IllegalArgumentException(
                    "option %s takes 0 to %s, not %s"
                            .formatted(option, Long.toUnsignedString(field.maxValue()), text));
        }
        return value;
    }
}
