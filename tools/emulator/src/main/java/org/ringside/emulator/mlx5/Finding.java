package org.ringside.emulator.mlx5;

/**
 * Something that a driver did and that the device does not accept, or that would hurt on hardware.
 *
 * @param kind which part of the device noticed
 * @param text decoded: what came, what is wrong with it, where
 */
public record Finding(Kind kind, String text) {
    /** Part of the device that noticed. */
    public enum Kind {
        /** A register access that means nothing, or comes at the wrong time. */
        REGISTER,
        /** A command that was not delivered: bad entry or mailbox. */
        DELIVERY,
        /** A command that was refused. */
        COMMAND,
        /** Firmware pages that were damaged, or not taken back. */
        PAGES,
        /** Objects that still lived when the function was stopped. */
        LEAK,
        /** A doorbell that is torn, stale, or names what it may not. */
        DOORBELL,
        /** An event queue that ran over, or whose ring is not prepared. */
        EVENT_QUEUE,
        /** An access to memory that the driver has not mapped. */
        DMA,
        /** A work queue entry or packet that is wrong. */
        DATA_PATH
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
