package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ringside.mlx5.layout.ArrayField;
import org.ringside.mlx5.layout.AtomicCaps;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.RoceCap;

/**
 * What the function can do: by group, the most that is possible and what is in force (QUERY_HCA_CAP
 * and SET_HCA_CAP). A driver sets a group as a whole; of what it changes, only fields that the
 * table calls settable may differ, and none may exceed its maximum. Of groups other than the
 * general one drivers may leave out what they do not set.
 */
final class Capabilities {
    /** Bytes of a group in a command. */
    static final int GROUP_SIZE = 4096;

    private final Map<Integer, Group> groups = new TreeMap<>();
    private boolean general;
    private boolean signing;

    /** One group. */
    private static final class Group {
        final Layout layout;
        final MemorySegment max = MemorySegment.ofArray(new byte[GROUP_SIZE]);
        final MemorySegment current = MemorySegment.ofArray(new byte[GROUP_SIZE]);
        final Set<Field> settable = new HashSet<>();

        Group(Layout layout) {
            this.layout = layout;
        }
    }

    /** Fills one group, in the manual's order. */
    static final class Table {
        private final Group group;

        private Table(Group group) {
            this.group = group;
        }

        /** A capability that is what it is. */
        Table fixed(Field field, long value) {
            return settable(field, value, value, false);
        }

        /** A capability that drivers may lower, or raise to its maximum. */
        Table settable(Field field, long max, long initial) {
            return settable(field, max, initial, true);
        }

        private Table settable(Field field, long max, long initial, boolean mayChange) {
            field.set(group.max, 0, max);
            field.set(group.current, 0, initial);
            if (mayChange) {
                group.settable.add(field);
            }
            return this;
        }
    }

    Capabilities(DeviceOptions options) {
        CapabilityTables.general(table(CapabilityGroup.GENERAL, CmdHcaCap.LAYOUT), options);
        CapabilityTables.atomic(table(CapabilityGroup.ATOMIC, AtomicCaps.LAYOUT));
        if (!options.profile().isInfiniBand()) {
            CapabilityTables.roce(table(CapabilityGroup.ROCE, RoceCap.LAYOUT));
        }
        options.capabilities().forEach(this::override);
    }

    /** A group that the profile has not is there when something of it is wanted. */
    private void override(CapabilityOverride wanted) {
        Group group = groups.computeIfAbsent(wanted.group(), _ -> new Group(wanted.layout()));
        Field field = wanted.field();
        long current = field.get(group.current, 0);
        boolean lowered = Long.compareUnsigned(current, wanted.value()) > 0;
        field.set(group.max, 0, wanted.value());
        if (lowered || !group.settable.contains(field)) {
            field.set(group.current, 0, wanted.value());
        }
    }

    private Table table(int type, Layout layout) {
        Group group = new Group(layout);
        groups.put(type, group);
        return new Table(group);
    }

    /** A general capability in force. */
    long get(Field field) {
        return get(CapabilityGroup.GENERAL, field);
    }

    boolean has(Field field) {
        return get(field) != 0;
    }

    /** A capability in force. */
    long get(int type, Field field) {
        return field.get(group(type).current, 0);
    }

    /** Copies a group out, or as much of it as there is room for. */
    void query(int type, boolean current, MemorySegment into, ArrayField at) {
        Group group = group(type);
        long room = Math.min(GROUP_SIZE, into.byteSize() - at.offset());
        MemorySegment.copy(current ? group.current : group.max, 0, into, at.offset(), room);
    }

    /** Takes what a driver wants of a group, or refuses all of it. */
    void set(int type, MemorySegment from, ArrayField at) {
        Group group = group(type);
        if (group.settable.isEmpty()) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "capabilities of group %s cannot be set",
                    CapabilityGroup.name(type));
        }
        checkReserved(group, from, at.offset());
        List<String> wrong = new ArrayList<>();
        for (Field field : group.layout.fields()) {
            long wanted = field.get(from, at.offset());
            long now = field.get(group.current, 0);
            long max = field.get(group.max, 0);
            if (!group.settable.contains(field)) {
                if (wanted == now || wanted == 0 && type != CapabilityGroup.GENERAL) {
                    continue;
                }
                wrong.add("%s is %d and cannot be set to %d".formatted(field.name(), now, wanted));
            } else if (Long.compareUnsigned(wanted, max) > 0) {
                wrong.add("%s is %d at most, not %d".formatted(field.name(), max, wanted));
            }
        }
        if (!wrong.isEmpty()) {
            throw new Refusal(Reason.OUT_OF_RANGE, String.join("; ", wrong));
        }
        for (Field field : group.settable) {
            field.set(group.current, 0, field.get(from, at.offset()));
        }
        general |= type == CapabilityGroup.GENERAL;
    }

    private static void checkReserved(Group group, MemorySegment from, long base) {
        long stray = group.layout.firstReservedBit(from, base);
        if (stray >= 0) {
            throw Refusal.of(
                    Reason.RESERVED_BIT,
                    "reserved bit %s of %s is set",
                    Layout.place(stray),
                    group.layout.name());
        }
        for (long i = group.layout.byteSize(); i < GROUP_SIZE; i++) {
            if (from.get(java.lang.foreign.ValueLayout.JAVA_BYTE, base + i) != 0) {
                throw Refusal.of(
                        Reason.RESERVED_BIT, "byte 0x%x behind %s is set", i, group.layout.name());
            }
        }
    }

    /**
     * Whether commands carry signatures: from the answer on that follows a SET_HCA_CAP with
     * cmdif_checksum. Firmware does not ask for them before.
     */
    boolean signsCommands() {
        return signing;
    }

    /** SET_HCA_CAP is answered. */
    void commit() {
        signing = general && has(CmdHcaCap.CMDIF_CHECKSUM);
    }

    private Group group(int type) {
        Group group = groups.get(type);
        if (group == null) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "there is no capability group 0x%x (%s)",
                    type,
                    CapabilityGroup.name(type));
        }
        return group;
    }
}
