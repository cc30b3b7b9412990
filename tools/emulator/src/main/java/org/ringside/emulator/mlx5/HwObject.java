package org.ringside.emulator.mlx5;

/**
 * Something with a number that commands name, and that others may use. It cannot be destroyed while
 * they do.
 */
abstract class HwObject {
    private int index;
    private int users;

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

    /** How many objects name this one. */
    final int users() {
        return users;
    }

    /** A PD, a transport domain: nothing but a number. */
    static final class Plain extends HwObject {}
}
