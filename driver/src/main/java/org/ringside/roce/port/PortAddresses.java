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

    /** Sets an entry; {@link Gid#NONE} empties it, so that the others keep their index. */
    public PortAddresses set(int index, Gid address) {
        while (gids.size() <= index) {
            gids.add(Gid.NONE);
        }
        gids.set(index, address);
        return this;
    }

    /** An entry; {@link Gid#NONE} where there is none. */
    public Gid gid(int index) {
        return index < gids.size() ? gids.get(index) : Gid.NONE;
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
        if (high == 0 && low == 0) {
            return false; // What an empty entry looks like.
        }
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
        for (Gid gid : used()) {
            boolean linkLocal = gid.high() >>> 54 == 0xfe80 >>> 6;
            boolean toLinkLocal = destination.high() >>> 54 == 0xfe80 >>> 6;
            if (gid.isIpv4Mapped() == destination.isIpv4Mapped() && linkLocal == toLinkLocal) {
                return gid;
            }
        }
        for (Gid gid : used()) {
            if (gid.isIpv4Mapped() == destination.isIpv4Mapped()) {
                return gid;
            }
        }
        throw new IllegalArgumentException(
                "the port has no address of the family of "
                        + destination
                        + "; give it one, it has "
                        + used());
    }

    private List<Gid> used() {
        return gids.stream().filter(gid -> !gid.equals(Gid.NONE)).toList();
    }
}
