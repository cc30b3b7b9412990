package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;

/**
 * For whom the command is that is being done: the driver itself, or the user context (uid) of a
 * process that gives commands through it.
 */
final class Caller {
    /** Of the driver, for what all may name (Linux mlx5/driver.h, MLX5_SHARED_RESOURCE_UID). */
    static final int SHARED = 0xffff;

    private @Nullable HwObject context;
    private boolean shares;

    /** Null for the driver. */
    @Nullable HwObject context() {
        return context;
    }

    /** Whether what it makes is for all. */
    boolean shares() {
        return shares;
    }

    /** Runs a command for a user context, or for the driver. */
    void during(@Nullable HwObject of, boolean sharing, Runnable command) {
        context = of;
        shares = sharing;
        try {
            command.run();
        } finally {
            context = null;
            shares = false;
        }
    }

    /** Whether it may name an object as its own: the driver may name all. */
    @SuppressWarnings("ReferenceEquality") // A context is one object.
    boolean owns(HwObject object) {
        return context == null || object.owner() == context;
    }
}
