package org.ringside.conformance;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What the kit runs on: one device that talks to itself, or two that talk to each other.
 *
 * @param left device name as {@link org.ringside.verbs.Verbs#open} takes it
 * @param right the same for the peer; equal to {@code left} for one device
 */
record Topology(String left, String right) {
    /** Names of devices, separated by commas; {@code A~B} is a pair. */
    static final String PROPERTY = "ringside.devices";

    /**
     * One emulated device by itself in both doorbell modes, one that wants pages all the time, a
     * virtual and a physical function with an InfiniBand port, and a pair on one wire; then soft
     * RoCE, one by itself and a pair. Each profile of the emulator is among them.
     */
    static final String EMBEDDED =
            "emulated/kit-mapped?doorbells=mapped,"
                    + "emulated/kit-trapped?doorbells=trapped,"
                    + "emulated/kit-pf?profile=pf&pageRequestEvery=3,"
                    + "emulated/kit-ib?profile=ib,"
                    + "emulated/kit-ibpf?profile=ibpf,"
                    + "emulated/kit-left~emulated/kit-right,"
                    + "soft/kit,"
                    + "soft/kit-left~soft/kit-right";

    private static final String KERNEL = "vfio/";
    private static final String SOCKET = "vfio-user/";

    static Stream<Topology> named() {
        String names = System.getProperty(PROPERTY, "");
        return Arrays.stream((names.isBlank() ? EMBEDDED : names).split(",", -1))
                .map(String::strip)
                .map(Topology::parse);
    }

    static Stream<Topology> pairs() {
        return named().filter(each -> !each.left().equals(each.right()));
    }

    /** Those that are one device which VFIO reaches. */
    static Stream<Topology> throughVfio() {
        return named().filter(each -> each.left().equals(each.right()))
                .filter(each -> each.left().startsWith(KERNEL) || each.left().startsWith(SOCKET));
    }

    /** The device as the layer below the verbs names it, without options. */
    String vfioName() {
        String name = left.substring(left.startsWith(KERNEL) ? KERNEL.length() : SOCKET.length());
        int question = name.indexOf('?');
        return question < 0 ? name : name.substring(0, question);
    }

    static Topology parse(String name) {
        int tilde = name.indexOf('~');
        return tilde < 0
                ? new Topology(name, name)
                : new Topology(name.substring(0, tilde), name.substring(tilde + 1));
    }

    @Override
    public String toString() {
        return left.equals(right) ? left : left + "~" + right;
    }
}
