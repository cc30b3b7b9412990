package org.ringside.ethernet;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the cable of a port in a plain process goes: to the NIC of a virtual machine, by QEMU's
 * {@code -netdev stream} or {@code -netdev dgram}, or where a network interface of this machine
 * goes. As text it is an option of a device's name.
 *
 * <pre>
 *   wire=SOCKET          connects to a UNIX socket
 *   listen=SOCKET        waits on a UNIX socket
 *   dgram=LOCAL:REMOTE   two UDP ports on the loopback interface
 *   packet=INTERFACE     beside the kernel on a network interface
 * </pre>
 */
public final class Cable {
    /** The options, for messages. */
    public static final String SYNTAX =
            "wire=SOCKET, listen=SOCKET, dgram=LOCALPORT:REMOTEPORT or packet=INTERFACE";

    private static final String WIRE = "wire=";
    private static final String LISTEN = "listen=";
    private static final String DATAGRAMS = "dgram=";
    private static final String PACKETS = "packet=";
    private static final int MAX_PORT = 65535;

    private final String option;

    private Cable(String option) {
        this.option = option;
    }

    /**
     * Reads an option.
     *
     * @return null when it is none of these
     * @throws IllegalArgumentException when it is one, and wrong
     */
    public static @Nullable Cable parse(String option) {
        if (option.startsWith(DATAGRAMS)) {
            ports(option);
        } else if (!option.startsWith(WIRE)
                && !option.startsWith(LISTEN)
                && !option.startsWith(PACKETS)) {
            return null;
        }
        if (option.endsWith("=")) {
            throw new IllegalArgumentException(
                    "\"%s\" names no end; write %s".formatted(option, SYNTAX));
        }
        return new Cable(option);
    }

    private static int[] ports(String option) {
        String[] ports = option.substring(DATAGRAMS.length()).split(":", -1);
        try {
            int local = Integer.parseInt(ports[0]);
            int remote = ports.length == 2 ? Integer.parseInt(ports[1]) : 0;
            if (local >= 1 && local <= MAX_PORT && remote >= 1 && remote <= MAX_PORT) {
                return new int[] {local, remote};
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new IllegalArgumentException(
                "\"%s\" are no two UDP ports; write dgram=LOCALPORT:REMOTEPORT".formatted(option));
    }

    /**
     * Makes the port at this end.
     *
     * @param mac of the port, low 48 bits
     * @throws IOException with why not, and the cure
     */
    public EthernetPort plug(long mac) throws IOException {
        String where = option.substring(option.indexOf('=') + 1);
        if (option.startsWith(PACKETS)) {
            return PacketPort.open(where, mac);
        }
        if (option.startsWith(DATAGRAMS)) {
            int[] ports = ports(option);
            try {
                return DatagramPort.open(ports[0], ports[1], mac);
            } catch (IOException e) {
                throw new IOException(
                        "cannot use UDP port %d: %s; take another, QEMU's remote.port is the same"
                                .formatted(ports[0], e.getMessage()),
                        e);
            }
        }
        Path socket = Path.of(where);
        boolean listens = option.startsWith(LISTEN);
        try {
            return listens ? StreamPort.listen(socket, mac) : StreamPort.connect(socket, mac);
        } catch (IOException e) {
            String cure =
                    listens
                            ? "remove it if a process that has ended left it"
                            : "QEMU listens there when it is started with -netdev"
                                    + " stream,server=on,addr.type=unix,addr.path="
                                    + socket;
            throw new IOException(
                    "cannot %s %s: %s; %s"
                            .formatted(
                                    listens ? "listen on" : "connect to",
                                    socket,
                                    e.getMessage(),
                                    cure),
                    e);
        }
    }

    /** The option. */
    @Override
    public String toString() {
        return option;
    }
}
