package org.ringside.verbs;

/**
 * State of a port (subset of struct ibv_port_attr).
 *
 * @param linkLayer what kind of network
 * @param active whether it can move data
 * @param activeMtu largest path MTU that works
 * @param lid local identifier on InfiniBand, 0 on Ethernet
 * @param gidTableLength entries of the GID table
 */
public record PortAttributes(
        LinkLayer linkLayer, boolean active, Mtu activeMtu, int lid, int gidTableLength) {
    /** Kind of network below the transport. */
    public enum LinkLayer {
        INFINIBAND,
        ETHERNET
    }
}
