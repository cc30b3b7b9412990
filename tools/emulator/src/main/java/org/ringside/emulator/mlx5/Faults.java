package org.ringside.emulator.mlx5;

/**
 * Troubles that a test or an operator can cause in a device. They outlive resets.
 *
 * <p>Threading: any thread.
 */
public final class Faults {
    private static final int NONE = -1;

    private volatile int heldOpcode = NONE;
    private volatile boolean healthStopped;
    private volatile boolean removed;
    private volatile int healthSyndrome;

    /** Commands of this opcode are not completed until {@link #release()}. */
    public void hold(int opcode) {
        heldOpcode = opcode;
    }

    /** Completes what was held. */
    public void release() {
        heldOpcode = NONE;
    }

    /** The health counter stands still, or goes on. */
    public void stopHealthCounter(boolean stopped) {
        healthStopped = stopped;
    }

    /**
     * Firmware dies: the health buffer shows the syndrome, the counter stops, no command is served
     * any more. 0 revives it.
     *
     * @param syndrome {@link org.ringside.mlx5.layout.HealthSyndrome}
     */
    public void failFirmware(int syndrome) {
        healthSyndrome = syndrome;
    }

    /** The device falls off the bus, or comes back: reads give all ones, writes vanish. */
    public void remove(boolean gone) {
        removed = gone;
    }

    boolean holds(int opcode) {
        return heldOpcode == opcode;
    }

    boolean isHealthStopped() {
        return healthStopped || healthSyndrome != 0;
    }

    boolean isRemoved() {
        return removed;
    }

    int healthSyndrome() {
        return healthSyndrome;
    }
}
