package org.ringside.roce.wire;

import java.util.SplittableRandom;
import org.ringside.roce.packet.Frame;

/**
 * What goes wrong on a wire, by a seed: the same seed makes the same mishaps for the same frames.
 * Chances are per frame, in parts of 1.
 *
 * @param loss the frame vanishes
 * @param duplication it comes twice
 * @param reordering it takes up to {@code jitterNanos} longer, so that others overtake it
 * @param corruption one bit of it flips
 * @param delayNanos it takes at least this long
 * @param jitterNanos see reordering
 */
public record Mishaps(
        double loss,
        double duplication,
        double reordering,
        double corruption,
        long delayNanos,
        long jitterNanos) {
    /** A wire without fault. */
    public static final Mishaps NONE = new Mishaps(0, 0, 0, 0, 0, 0);

    /** A wire that only takes its time. */
    public static Mishaps delay(long nanos) {
        return new Mishaps(0, 0, 0, 0, nanos, 0);
    }

    /** How long the next frame takes. */
    long travel(SplittableRandom random) {
        return delayNanos
                + (chance(random, reordering) && jitterNanos > 0
                        ? random.nextLong(jitterNanos)
                        : 0);
    }

    boolean loses(SplittableRandom random) {
        return chance(random, loss);
    }

    boolean duplicates(SplittableRandom random) {
        return chance(random, duplication);
    }

    /** Flips a bit of the frame, if it is its turn. */
    void corrupt(Frame frame, SplittableRandom random) {
        if (chance(random, corruption)) {
            int bit = random.nextInt(frame.length() * Byte.SIZE);
            int at = bit / Byte.SIZE;
            frame.bytes().put(at, (byte) (frame.bytes().get(at) ^ 1 << bit % Byte.SIZE));
        }
    }

    private static boolean chance(SplittableRandom random, double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }
}
