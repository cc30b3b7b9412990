package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.HealthBuffer;
import org.ringside.mlx5.layout.HealthSyndrome;
import org.ringside.mlx5.layout.InitialSeg;

/**
 * Looks at the device's health now and then. Dead is a device that
 *
 * <ul>
 *   <li>is gone, or reads all ones,
 *   <li>has switched its interface off, or is in a software reset,
 *   <li>has a syndrome and asks for a reset (rfr),
 *   <li>has not moved its health counter for several looks in a row, or
 *   <li>has started anew by itself: it is initializing, has forgotten the command queue, or counts
 *       from the beginning. Nothing of what was made on it is left then.
 * </ul>
 *
 * <p>Linux health.c and rdma-core's mlx5_vfio.c have the first four; a device that is reset under
 * them is noticed when a command gets no answer.
 *
 * <p>Threading: {@link #look()} on one thread at a time, as its memory of the counter is its own;
 * {@link #sensors()} and {@link #buffer()} on any.
 */
final class HealthWatch {
    private static final String ALL_ONES =
            "registers read all ones: the device has left the bus or is in reset";

    private static final int INTERFACE_DISABLED = 1;
    private static final int SOFTWARE_RESET = 7;
    private static final int INTERFACE_MASK = 7;

    /** How far from its usual pace the counter may be before that means something. */
    private static final long PACE = 4;

    private static final long SLACK = 16;
    private static final long COUNTS = InitialSeg.HEALTH_COUNTER.maxValue() + 1;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final InitSegment registers;
    private final BooleanSupplier deviceGone;
    private final LongSupplier nanoTime;
    private final int missesAllowed;
    private long lastCounter = -1;
    private long lastLook;
    private double countsPerSecond;
    private int misses;

    HealthWatch(InitSegment registers, BooleanSupplier deviceGone, Mlx5Options options) {
        this(registers, deviceGone, options, System::nanoTime);
    }

    HealthWatch(
            InitSegment registers,
            BooleanSupplier deviceGone,
            Mlx5Options options,
            LongSupplier nanoTime) {
        this.registers = registers;
        this.deviceGone = deviceGone;
        this.nanoTime = nanoTime;
        this.missesAllowed = options.healthMisses();
    }

    /**
     * Looks once.
     *
     * @return why the device is dead, null when it lives
     */
    @Nullable String look() {
        String why = sensors();
        return why != null ? why : lookAtCounter();
    }

    /**
     * What can be told without the past.
     *
     * @return why the device is dead, null when nothing says so
     */
    @Nullable String sensors() {
        String why = firstSensor();
        // It may have left the bus between one register and the next.
        return why != null && !deviceGone.getAsBoolean() && registers.isAllOnes() ? ALL_ONES : why;
    }

    private @Nullable String firstSensor() {
        if (deviceGone.getAsBoolean()) {
            return "the device has gone: its socket was closed or it left the bus";
        }
        if (registers.isAllOnes()) {
            return ALL_ONES;
        }
        int low = registers.readDword(InitialSeg.NIC_INTERFACE.dword());
        int mode = low >>> InitialSeg.NIC_INTERFACE.lsb() & INTERFACE_MASK;
        if (mode == INTERFACE_DISABLED) {
            return "firmware has disabled the interface; " + buffer();
        }
        if (mode == SOFTWARE_RESET) {
            return "firmware is in a software reset; " + buffer();
        }
        int health = registers.readDword(InitialSeg.HEALTH_COUNTER.dword());
        if (InitialSeg.HEALTH_SYNDROME.extract(health) != 0) {
            MemorySegment buffer = registers.healthBuffer();
            if (HealthBuffer.RFR.isSet(buffer, 0)) {
                return "firmware asks for a reset; " + describe(buffer);
            }
        }
        if (registers.isInitializing()) {
            return "the device has reset itself: firmware is initializing again";
        }
        if (registers.hasForgottenCommandQueue()) {
            return "the device has been reset: it does not know its command queue any more";
        }
        return null;
    }

    private @Nullable String lookAtCounter() {
        long now = nanoTime.getAsLong();
        int health = registers.readDword(InitialSeg.HEALTH_COUNTER.dword());
        long counter = InitialSeg.HEALTH_COUNTER.extract(health);
        long last = lastCounter;
        double seconds = (now - lastLook) / NANOS_PER_SECOND;
        lastCounter = counter;
        lastLook = now;
        if (last < 0) {
            return null;
        }
        misses = counter == last ? misses + 1 : 0;
        if (misses >= missesAllowed) {
            return "the health counter has stood still at 0x%x for %d looks; %s"
                    .formatted(counter, misses, buffer());
        }
        if (hasStartedAnew(last, counter, seconds)) {
            return "the device has reset itself: its health counter went from 0x%x to 0x%x"
                    .formatted(last, counter);
        }
        if (counter > last && seconds > 0) {
            countsPerSecond = Math.max(countsPerSecond, (counter - last) / seconds);
        }
        return null;
    }

    /**
     * Whether the counter is below what it was, as near to 0 as it comes in that time, and so far
     * from its upper end before that it cannot have wrapped. How fast it counts is not in the
     * manual, so that is learnt.
     */
    private boolean hasStartedAnew(long last, long counter, double seconds) {
        double most = PACE * countsPerSecond * seconds + SLACK;
        return countsPerSecond > 0 && counter < last && counter <= most && COUNTS - last > most;
    }

    /** The health buffer as text. */
    String buffer() {
        return describe(registers.healthBuffer());
    }

    private static String describe(MemorySegment buffer) {
        int syndrome = (int) HealthBuffer.SYND.get(buffer, 0);
        return "health syndrome 0x%x (%s), %s"
                .formatted(
                        syndrome,
                        HealthSyndrome.name(syndrome),
                        HealthBuffer.LAYOUT.decode(buffer, 0));
    }
}
