package org.ringside.emulator.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Troubles that a test or an operator can cause in a device. They outlive resets.
 *
 * <p>Threading: any thread.
 */
public final class Faults {
    private static final Logger LOG = System.getLogger(Faults.class.getName());
    private static final int NONE = -1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** One that waits for commands to pass. */
    private static final class Waiting {
        final FaultSpec spec;
        int commands;

        Waiting(FaultSpec spec) {
            this.spec = spec;
            this.commands = spec.after();
        }
    }

    private final String device;
    private final List<Waiting> waiting = new ArrayList<>(); // guarded by itself
    private volatile boolean hasWaiting;

    private volatile int heldOpcode = NONE;
    private volatile boolean healthStopped;
    private volatile boolean removed;
    private volatile int healthSyndrome;
    private volatile boolean nicDisabled;
    private volatile boolean resetWanted;
    private volatile long restartedAt;
    private volatile long initializedAt;
    private volatile boolean initializing;
    private volatile int commandMillis;
    private volatile long dataPathStopsUntil;
    private volatile boolean dataPathStopped;
    private volatile boolean lateAnswers;
    private final AtomicInteger commandsToDrop = new AtomicInteger();
    private final AtomicInteger eventsToDrop = new AtomicInteger();
    private final AtomicInteger cqesToDrop = new AtomicInteger();
    private final AtomicInteger answersToSpoil = new AtomicInteger();
    private final AtomicInteger pageRequests = new AtomicInteger();

    /** Without any, for the device of a name. */
    Faults(String device) {
        this.device = device;
    }

    /** Causes one, now or after the commands that it waits for. */
    public void cause(FaultSpec spec) {
        if (spec.after() > 0) {
            synchronized (waiting) {
                waiting.add(new Waiting(spec));
                hasWaiting = true;
            }
            return;
        }
        LOG.log(Level.INFO, () -> device + ": fault " + spec);
        int value = spec.value();
        switch (spec.kind()) {
            case DROP_COMMAND -> commandsToDrop.set(value);
            case DELAY_COMMAND -> commandMillis = value;
            case DROP_EVENT -> eventsToDrop.set(value);
            case DROP_CQE -> cqesToDrop.set(value);
            case DELAY_CQE -> {
                dataPathStopsUntil = System.nanoTime() + value * NANOS_PER_MILLI;
                dataPathStopped = true;
            }
            case GARBAGE -> answersToSpoil.set(value);
            case ASK_PAGES -> pageRequests.set(value);
            case STOP_HEALTH -> stopHealthCounter(value != 0);
            case FAIL_FIRMWARE -> failFirmware(value);
            case DISABLE_NIC -> disableNic(value != 0);
            case ALL_ONES -> remove(value != 0);
            case RESET -> resetWanted = value != 0;
            case RESTART -> restart(value);
            case CLEAR -> clear();
        }
    }

    /**
     * Somebody else has had firmware reset: whatever was wrong, and all state, has gone with it.
     */
    private void disableNic(boolean disabled) {
        if (disabled) {
            healthSyndrome = 0;
            resetWanted = true;
        }
        nicDisabled = disabled;
    }

    /** A driver has taken the interface into use again. */
    void interfaceTaken() {
        nicDisabled = false;
    }

    private void restart(int millis) {
        long now = System.nanoTime();
        restartedAt = now;
        initializedAt = now + millis * NANOS_PER_MILLI;
        initializing = true;
        resetWanted = true;
    }

    private void clear() {
        synchronized (waiting) {
            waiting.clear();
            hasWaiting = false;
        }
        release();
        commandsToDrop.set(0);
        commandMillis = 0;
        eventsToDrop.set(0);
        cqesToDrop.set(0);
        dataPathStopped = false;
        answersToSpoil.set(0);
        pageRequests.set(0);
        stopHealthCounter(false);
        failFirmware(0);
        nicDisabled = false;
        initializing = false;
        remove(false);
        lateAnswers = true;
    }

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
     * any more. 0 starts it anew, without the state that it had.
     *
     * @param syndrome {@link org.ringside.mlx5.layout.HealthSyndrome}
     */
    public void failFirmware(int syndrome) {
        if (syndrome == 0 && healthSyndrome != 0) {
            restart(0);
        }
        healthSyndrome = syndrome;
    }

    /**
     * The device falls off the bus: reads give all ones, writes vanish. Or it comes back, as after
     * a reset, for the slot was without power.
     */
    public void remove(boolean gone) {
        if (removed && !gone) {
            restart(0);
        }
        removed = gone;
    }

    /** A command was delivered: those that wait for commands come nearer. */
    void commandDelivered() {
        if (!hasWaiting) {
            return;
        }
        List<FaultSpec> due = new ArrayList<>();
        synchronized (waiting) {
            for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
                Waiting next = each.next();
                if (--next.commands < 0) {
                    each.remove();
                    due.add(new FaultSpec(next.spec.kind(), next.spec.value(), 0));
                }
            }
            hasWaiting = !waiting.isEmpty();
        }
        due.forEach(this::cause);
    }

    boolean holds(int opcode) {
        return heldOpcode == opcode;
    }

    boolean isHealthStopped() {
        return healthStopped || healthSyndrome != 0;
    }

    boolean isNicDisabled() {
        return nicDisabled;
    }

    /** Whether firmware that restarted by itself takes no commands yet. */
    boolean isInitializing() {
        if (initializing && System.nanoTime() - initializedAt >= 0) {
            initializing = false;
        }
        return initializing;
    }

    /**
     * When firmware last restarted by itself, on the clock of {@link System#nanoTime()}; 0: never.
     */
    long restartedAt() {
        return restartedAt;
    }

    boolean isRemoved() {
        return removed;
    }

    int healthSyndrome() {
        return healthSyndrome;
    }

    /** How long each command takes more. */
    int commandMillis() {
        return commandMillis;
    }

    /** Whether the data path has to stand still. */
    boolean isDataPathStopped() {
        if (dataPathStopped && System.nanoTime() - dataPathStopsUntil >= 0) {
            dataPathStopped = false;
        }
        return dataPathStopped;
    }

    /** Whether this command gets no answer. */
    boolean takeCommandDrop() {
        return take(commandsToDrop);
    }

    /** Whether this command's completion is not announced. */
    boolean takeEventDrop() {
        return take(eventsToDrop);
    }

    /** Whether this CQE is lost. */
    boolean takeCqeDrop() {
        return take(cqesToDrop);
    }

    /** Whether this answer is garbage. */
    boolean takeGarbage() {
        return take(answersToSpoil);
    }

    /** Whether this command asks for pages. */
    boolean takePageRequest() {
        return take(pageRequests);
    }

    /** Whether the function loses its state now. */
    boolean takeReset() {
        if (!resetWanted) {
            return false;
        }
        resetWanted = false;
        return true;
    }

    /** Whether answers and events that were dropped shall come now. */
    boolean takeLateAnswers() {
        if (!lateAnswers) {
            return false;
        }
        lateAnswers = false;
        return true;
    }

    private static boolean take(AtomicInteger count) {
        return count.get() > 0 && count.getAndDecrement() > 0;
    }
}
