package org.ringside.roce.port;

import java.util.ArrayList;
import java.util.List;
import org.ringside.verbs.Gid;

/**
 * The addresses of a port, which are its GID table: index 0 is the link-local address made of the
 * MAC, the others follow in the order of configuration, as Linux fills its table.
 */
public final class PortAddresses {
    private final long mac;
    private final List<Gid> gids = new ArrayList<>();

    /**
     * @param mac low 48 bits
     */
    public PortAddresses(long mac) {
        this.mac = mac;
        gids.add(Gid.linkLocal(mac));
    }

    /** Adds an IPv4 (mapped) or IPv6 address. */
    public PortAddresses add(Gid address) {
        if (!gids.contains(address)) {
            gids.add(address);
        }
        return this;
    }

    public long mac() {
        return mac;
    }

    /** By index, in order. */
    public List<Gid> gids() {
        return List.copyOf(gids);
    }

    /** Whether an address is one of these; without allocating. */
    boolean has(long high, long low) {
        for (int i = 0; i < gids.size(); i++) {
            Gid gid = gids.get(i);
            if (gid.high() == high && gid.low() == low) {
                return true;
            }
        }
        return false;
    }

    /** An address from which a destination of the same family is reached. */
    Gid sourceFor(Gid destination) {
        for (Gid gid : gids) {
            boolean linkLocal = gid.high() >>> 54 == 0xfe80 >>> 6;
            boolean toLinkLocal = destination.high() >>> 54 == 0xfe80 >>> 6;
            if (gid.isIpv4Mapped() == destination.isIpv4Mapped() && linkLocal == toLinkLocal) {
                return gid;
            }
        }
        for (Gid gid : gids) {
            if (gid.isIpv4Mapped() == destination.isIpv4Mapped()) {
                return gid;
            }
        }
        throw new IllegalArgumentException(
                "the port has no address of the family of "
                        + destination
                        + "; give it one, it has "
                        + gids);
    }
}
