package org.ringside.mlx5;

import java.time.Duration;
import java.util.Objects;

/**
 * How long the driver waits and how much it gives. Each value is a system property {@code
 * ringside.mlx5.NAME}; times are in milliseconds there.
 *
 * @param preInit for firmware to leave its initialization ({@code preInitMillis}, 120 s as Linux
 *     has it: it may be booting or resetting)
 * @param command for a command's answer ({@code commandMillis}, 60 s as in Linux)
 * @param linkUp for the port to come up while opening; it is no error if it does not ({@code
 *     linkUpMillis})
 * @param health between two looks at the device's health ({@code healthPeriodMillis})
 * @param healthMisses looks in a row that find the health counter standing still before the device
 *     counts as dead ({@code healthMisses})
 * @param pageBudget 4 KiB pages that firmware may have ({@code pageBudget}); more is refused with
 *     "cannot give"
 * @param checksum whether commands carry signatures and answers are verified ({@code checksum}).
 *     Linux has it off
 * @param resetAtOpen whether the function is reset before anything else, when it can be ({@code
 *     resetAtOpen}): it clears what a process that died has left behind
 */
record Mlx5Options(
        Duration preInit,
        Duration command,
        Duration linkUp,
        Duration health,
        int healthMisses,
        int pageBudget,
        boolean checksum,
        boolean resetAtOpen) {
    private static final String PREFIX = "ringside.mlx5.";

    Mlx5Options {
        Objects.requireNonNull(preInit, "preInit");
        Objects.requireNonNull(command, "command");
        Objects.requireNonNull(linkUp, "linkUp");
        Objects.requireNonNull(health, "health");
        if (health.isZero() || health.isNegative() || healthMisses < 1 || pageBudget < 0) {
            throw new IllegalArgumentException(
                    "health %s, healthMisses %d and pageBudget %d must be positive"
                            .formatted(health, healthMisses, pageBudget));
        }
    }

    /** What the system properties say, else what suits hardware. */
    static Mlx5Options fromSystemProperties() {
        return new Mlx5Options(
                millis("preInitMillis", 120_000),
                millis("commandMillis", 60_000),
                millis("linkUpMillis", 3_000),
                millis("healthPeriodMillis", 1_000),
                number("healthMisses", 10),
                number("pageBudget", 1 << 18),
                Boolean.getBoolean(PREFIX + "checksum"),
                !"false".equals(System.getProperty(PREFIX + "resetAtOpen")));
    }

    private static Duration millis(String name, int otherwise) {
        return Duration.ofMillis(number(name, otherwise));
    }

    private static int number(String name, int otherwise) {
        String text = System.getProperty(PREFIX + name);
        if (text == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "system property %s%s is \"%s\", expected a number"
                            .formatted(PREFIX, name, text),
                    e);
        }
    }
}
