package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.HealthBuffer;
import org.ringside.mlx5.layout.HealthSyndrome;
import org.ringside.mlx5.layout.InitialSeg;

/**
 * Looks at the device's health now and then (Linux health.c). Dead is a device that
 *
 * <ul>
 *   <li>is gone, or reads all ones,
 *   <li>has switched its interface off,
 *   <li>has a syndrome and asks for a reset (rfr), or
 *   <li>has not moved its health counter for several looks in a row.
 * </ul>
 *
 * <p>Threading: the event thread.
 */
final class HealthWatch {
    private static final int INTERFACE_DISABLED = 1;

    private final InitSegment registers;
    private final BooleanSupplier deviceGone;
    private final int missesAllowed;
    private long lastCounter = -1;
    private int misses;

    HealthWatch(InitSegment registers, BooleanSupplier deviceGone, Mlx5Options options) {
        this.registers = registers;
        this.deviceGone = deviceGone;
        this.missesAllowed = options.healthMisses();
    }

    /**
     * Looks once.
     *
     * @return why the device is dead, null when it lives
     */
    @Nullable String look() {
        if (deviceGone.getAsBoolean()) {
            return "the device has gone: its socket was closed or it left the bus";
        }
        if (registers.isAllOnes()) {
            return "registers read all ones: the device has left the bus or is in reset";
        }
        if (registers.read(InitialSeg.NIC_INTERFACE) == INTERFACE_DISABLED) {
            return "firmware has disabled the interface; " + buffer();
        }
        int health = registers.readDword(InitialSeg.HEALTH_COUNTER.dword());
        if (InitialSeg.HEALTH_SYNDROME.extract(health) != 0) {
            MemorySegment buffer = registers.healthBuffer();
            if (HealthBuffer.RFR.isSet(buffer, 0)) {
                return "firmware asks for a reset; " + describe(buffer);
            }
        }
        long counter = InitialSeg.HEALTH_COUNTER.extract(health);
        misses = counter == lastCounter ? misses + 1 : 0;
        lastCounter = counter;
        if (misses >= missesAllowed) {
            return "the health counter has stood still at 0x%x for %d looks; %s"
                    .formatted(counter, misses, buffer());
        }
        return null;
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
