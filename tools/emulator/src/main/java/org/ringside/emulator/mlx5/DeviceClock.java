package org.ringside.emulator.mlx5;

/**
 * The free-running counter that timestamps CQEs, shows in the initialization segment, and drives
 * timers. Counts from the start of the JVM, through resets.
 */
final class DeviceClock {
    /** Ticks per millisecond: what device_frequency_khz reports, as on ConnectX-5. */
    static final int KHZ = 78_125;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long START = System.nanoTime();

    private DeviceClock() {}

    /** Ticks since the start. */
    static long ticks() {
        long nanos = System.nanoTime() - START;
        return nanos / NANOS_PER_MILLI * KHZ + nanos % NANOS_PER_MILLI * KHZ / NANOS_PER_MILLI;
    }
}
