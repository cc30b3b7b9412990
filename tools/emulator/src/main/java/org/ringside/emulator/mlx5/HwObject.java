package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;

/**
 * Something with a number that commands name, and that others may use. It cannot be destroyed while
 * they do.
 */
abstract class HwObject {
    private int index;
    private int users;
    private @Nullable HwObject owner;
    private boolean shared;

    /** Its number; 0 before it is in its table. */
    final int index() {
        return index;
    }

    final void index(int number) {
        this.index = number;
    }

    final void addUser() {
        users++;
    }

    final void removeUser() {
        users--;
    }

    /** The user context that it belongs to; null when it is the driver's. */
    final @Nullable HwObject owner() {
        return owner;
    }

    /** Whether every user context may name it. */
    final boolean isShared() {
        return shared;
    }

    /** It is made for a user context, which cannot go before it, or by the driver for all. */
    final void belongTo(@Nullable HwObject context, boolean all) {
        owner = context;
        shared = all;
        if (context != null) {
            context.addUser();
        }
    }

    /** It is gone. */
    final void leaveOwner() {
        if (owner != null) {
            owner.removeUser();
            owner = null;
        }
    }

    /** How many objects name this one. */
    final int users() {
        return users;
    }

    /** A PD, a transport domain: nothing but a number. */
    static final class Plain extends HwObject {}
}
