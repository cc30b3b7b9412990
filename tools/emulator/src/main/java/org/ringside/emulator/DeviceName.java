package org.ringside.emulator;

import java.util.ArrayList;
import java.util.List;
import org.ringside.emulator.mlx5.DeviceOptions;

/**
 * A device name such as {@code emulated}, {@code emulated/a} or {@code
 * emulated/a?doorbells=trapped&profile=pf&wire=left}.
 *
 * @param options of the device
 * @param wire that it is on
 */
record DeviceName(DeviceOptions options, String wire) {
    static final String PROVIDER = "emulated";
    private static final String PREFIX = PROVIDER + "/";
    private static final String WIRE = "wire";
    private static final String NAME_PATTERN = "[A-Za-z0-9._-]{1,32}";

    /** Whether the name is of this form; its options may still be wrong. */
    static boolean serves(String deviceName) {
        String path = deviceName.split("\\?", 2)[0];
        return path.equals(PROVIDER) || path.startsWith(PREFIX);
    }

    /**
     * @throws IllegalArgumentException when a part of it is wrong, with what is right
     */
    static DeviceName parse(String deviceName) {
        String[] parts = deviceName.split("\\?", 2);
        String name = parts[0].startsWith(PREFIX) ? parts[0].substring(PREFIX.length()) : PROVIDER;
        requireName("the device's name", name);
        DeviceOptions.Builder options = DeviceOptions.named(name);
        String wire = Emulator.DEFAULT_WIRE;
        for (String option : parts.length == 1 ? List.<String>of() : split(parts[1])) {
            String[] pair = option.split("=", 2);
            if (pair.length != 2) {
                throw new IllegalArgumentException(
                        "\"%s\" is no option; write option=value, with & between them"
                                .formatted(option));
            }
            if (SharedWire.isCable(option)) {
                wire = option;
            } else if (pair[0].equals(WIRE)) {
                requireName("the wire's name, unless it is a socket's path,", pair[1]);
                wire = pair[1];
            } else {
                options.set(pair[0], pair[1]);
            }
        }
        return new DeviceName(options.build(), wire);
    }

    private static List<String> split(String options) {
        List<String> all = new ArrayList<>();
        for (String option : options.split("&", -1)) {
            if (!option.isEmpty()) {
                all.add(option);
            }
        }
        return all;
    }

    private static void requireName(String what, String name) {
        if (!name.matches(NAME_PATTERN)) {
            throw new IllegalArgumentException(
                    "%s is \"%s\"; it takes 1 to 32 letters, digits, dots, dashes, underscores"
                            .formatted(what, name));
        }
    }
}
