package org.ringside.emulator.mlx5;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands that the device knows, by opcode. */
final class CommandTable {
    private final Map<Integer, CommandSpec> specs = new HashMap<>();

    CommandTable(CommandGroup... groups) {
        for (CommandGroup group : groups) {
            group.register(this);
        }
    }

    void add(CommandSpec spec) {
        if (specs.put(spec.opcode(), spec) != null) {
            throw new IllegalStateException(spec.name() + " is in the table twice");
        }
    }

    @Nullable CommandSpec find(int opcode) {
        return specs.get(opcode);
    }

    /** Commands on one kind of object. */
    interface CommandGroup {
        void register(CommandTable table);
    }
}
