package org.ringside.verbs.cm;

/**
 * Where port numbers are counted: those of connections and those of datagrams are apart (enum
 * rdma_ucm_port_space in rdma_user_cm.h).
 */
public enum PortSpace {
    /** Connections: QPs of type RC and UC. */
    TCP(0x0106),
    /** Datagrams: QPs of type UD. */
    UDP(0x0111);

    private final int code;

    PortSpace(int code) {
        this.code = code;
    }

    /** The service id of a port (Annex A11.2.2, as rdma_cm uses it). */
    public long serviceId(int port) {
        return (long) code << 16 | port & 0xffff;
    }
}
