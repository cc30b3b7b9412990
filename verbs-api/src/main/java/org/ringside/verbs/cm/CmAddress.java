package org.ringside.verbs.cm;

import org.ringside.verbs.Gid;

/**
 * Where a service is, or who asks for it.
 *
 * @param gid IP address, IPv4 mapped
 * @param port 1 to 65535, of a {@link PortSpace}
 */
public record CmAddress(Gid gid, int port) {
    private static final int MAX_PORT = 65535;

    public CmAddress {
        requirePort(port);
    }

    /** Fails with {@link IllegalArgumentException} when a number is no port. */
    public static void requirePort(int port) {
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "port %d, expected 1 to %d".formatted(port, MAX_PORT));
        }
    }

    /** From an address literal, {@code 192.0.2.7} or {@code fe80::1}, and a port. */
    public static CmAddress of(String address, int port) {
        return new CmAddress(Gid.parse(address), port);
    }

    @Override
    public String toString() {
        return "%s port %d".formatted(gid, port);
    }
}
