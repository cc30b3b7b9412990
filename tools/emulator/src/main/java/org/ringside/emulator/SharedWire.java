package org.ringside.emulator;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DeviceAgent;
import org.ringside.emulator.transport.Wire;
import org.ringside.ethernet.Cable;
import org.ringside.ethernet.EthernetPort;

/**
 * A wire and the agent of its functions, as long as some device of the process uses it. A name may
 * be a {@link Cable}, to the NIC of a virtual machine: a wire with a way out, for one device.
 */
final class SharedWire {
    private static final Map<String, SharedWire> WIRES = new HashMap<>(); // guarded by itself

    private final String name;
    private final @Nullable EthernetPort uplink;
    private final Wire wire;
    private final DeviceAgent agent;
    private int users; // guarded by WIRES

    private SharedWire(String name, @Nullable EthernetPort uplink) {
        this.name = name;
        this.uplink = uplink;
        this.wire = new Wire(uplink);
        this.agent = new DeviceAgent("emulated-wire-" + name.replaceAll("[^A-Za-z0-9.]", "-"));
    }

    /** Whether a wire's name is a cable that leads out of the process. */
    static boolean isCable(String name) {
        return Cable.parse(name) != null && !name.matches("wire=[^/]*");
    }

    /**
     * The wire of a name; {@link #release()} gives it back.
     *
     * @param mac of the function, for a wire with a way out
     * @throws IOException when nobody listens on the socket, or another device has it
     */
    static SharedWire acquire(String name, long mac) throws IOException {
        synchronized (WIRES) {
            SharedWire shared = WIRES.get(name);
            if (shared == null) {
                shared = new SharedWire(name, isCable(name) ? plug(name, mac) : null);
                WIRES.put(name, shared);
            } else if (isCable(name)) {
                throw new IOException(
                        "%s has its device already; there is one NIC at the other end"
                                .formatted(name));
            }
            shared.users++;
            return shared;
        }
    }

    private static EthernetPort plug(String name, long mac) throws IOException {
        return Objects.requireNonNull(Cable.parse(name)).plug(mac);
    }

    Wire wire() {
        return wire;
    }

    DeviceAgent agent() {
        return agent;
    }

    void release() {
        synchronized (WIRES) {
            if (--users > 0) {
                return;
            }
            WIRES.remove(name);
        }
        agent.close();
        if (uplink != null) {
            uplink.close();
        }
    }
}
