package org.ringside.mlx5;

import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.VerbsException;

/**
 * The port of a function: who it is on its network, and how its QPs name others there.
 *
 * <p>Threading: under the context's lock.
 */
interface Port {
    PortAttributes.LinkLayer linkLayer();

    /** Whether it can move data. */
    boolean isUp() throws VerbsException;

    /** The largest path MTU that works. */
    Mtu activeMtu();

    /** Local identifier on InfiniBand, 0 on Ethernet. */
    int lid() throws VerbsException;

    long nodeGuid();

    /** Entries of the GID table. */
    int gidTableLength();

    Gid gid(int index);

    /** Sets an entry of the GID table; {@link Gid#NONE} empties it. */
    void setGid(int index, Gid gid) throws VerbsException;

    /**
     * Fills the address path of a QP on its way to RTR.
     *
     * @param command INIT2RTR_QP, all zero at the path
     * @param path offset of {@link org.ringside.mlx5.layout.Ads} in its input
     * @throws VerbsException when the way cannot be gone
     */
    void setPath(Command command, int path, int qpn, int remoteQpn, AddressVector way)
            throws VerbsException;
}
