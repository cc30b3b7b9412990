package org.ringside.emulator;

import java.util.HashMap;
import java.util.Map;
import org.ringside.emulator.device.DeviceAgent;
import org.ringside.emulator.transport.Wire;

/** A wire and the agent of its functions, as long as some device of the process uses it. */
final class SharedWire {
    private static final Map<String, SharedWire> WIRES = new HashMap<>(); // guarded by itself

    private final String name;
    private final Wire wire = new Wire();
    private final DeviceAgent agent;
    private int users; // guarded by WIRES

    private SharedWire(String name) {
        this.name = name;
        this.agent = new DeviceAgent("emulated-wire-" + name);
    }

    /** The wire of a name; {@link #release()} gives it back. */
    static SharedWire acquire(String name) {
        synchronized (WIRES) {
            SharedWire shared = WIRES.computeIfAbsent(name, SharedWire::new);
            shared.users++;
            return shared;
        }
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
    }
}
