package org.ringside.emulator.mlx5;

/**
 * Where a function is in its life. Each command names the states that it is for.
 *
 * <pre>
 *   DISABLED --ENABLE_HCA--> ENABLED --INIT_HCA--> INITIALIZED
 *      ^                      |   ^                    |
 *      +-----DISABLE_HCA------+   +---TEARDOWN_HCA-----+
 * </pre>
 */
enum HcaState {
    DISABLED,
    ENABLED,
    INITIALIZED
}
