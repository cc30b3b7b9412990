package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;

/**
 * For whom the command is that is being done: the driver itself, or the user context (uid) of a
 * process that gives commands through it.
 */
final class Caller {
    private @Nullable HwObject context;

    /** Null for the driver. */
    @Nullable HwObject context() {
        return context;
    }

    /** Runs a command for a user context, or for the driver. */
    void during(@Nullable HwObject of, Runnable command) {
        context = of;
        try {
            command.run();
        } finally {
            context = null;
        }
    }

    /** Whether it may name an object as its own: the driver may name all. */
    @SuppressWarnings("ReferenceEquality") // A context is one object.
    boolean owns(HwObject object) {
        return context == null || object.owner() == context;
    }
}
