package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.SetHcaCapIn;
import org.ringside.mlx5.layout.SetHcaCapOut;
import org.ringside.verbs.VerbsException;

/**
 * What a device can do and what is switched on (Adapters PRM, QUERY_HCA_CAP). Groups that a device
 * does not have read as all zero.
 *
 * <p>Immutable.
 */
final class Capabilities {
    private final MemorySegment general;
    private final MemorySegment roce;

    private Capabilities(MemorySegment general, MemorySegment roce) {
        this.general = general;
        this.roce = roce;
    }

    /** Reads the values in force. */
    static Capabilities current(CommandQueue commands) throws VerbsException {
        MemorySegment general =
                query(commands, CapabilityGroup.queryCurrent(CapabilityGroup.GENERAL));
        MemorySegment none = MemorySegment.ofArray(new byte[QueryHcaCapOut.CAPABILITY.count()]);
        return new Capabilities(
                general,
                CmdHcaCap.ROCE.isSet(general, 0)
                        ? query(commands, CapabilityGroup.queryCurrent(CapabilityGroup.ROCE))
                        : none);
    }

    /** One group, as {@link CapabilityGroup} builds the op_mod; offset 0 is the group's start. */
    static MemorySegment query(CommandQueue commands, int opMod) throws VerbsException {
        Command command =
                commands.execute(
                        new Command(
                                        Opcode.QUERY_HCA_CAP,
                                        QueryHcaCapIn.LAYOUT,
                                        QueryHcaCapOut.LAYOUT)
                                .opMod(opMod));
        return command.out()
                .asSlice(QueryHcaCapOut.CAPABILITY.offset(), QueryHcaCapOut.CAPABILITY.count());
    }

    /** Switches a group's values. */
    static void set(CommandQueue commands, int group, MemorySegment values) throws VerbsException {
        Command command =
                new Command(Opcode.SET_HCA_CAP, SetHcaCapIn.LAYOUT, SetHcaCapOut.LAYOUT)
                        .opMod(CapabilityGroup.set(group));
        MemorySegment.copy(
                values, 0, command.in(), SetHcaCapIn.CAPABILITY.offset(), values.byteSize());
        var _ = commands.execute(command);
    }

    /** A field of {@link CmdHcaCap}. */
    long general(Field field) {
        return field.get(general, 0);
    }

    /** Whether a flag of {@link CmdHcaCap} is set. */
    boolean has(Field flag) {
        return flag.isSet(general, 0);
    }

    /** 2 to the power of a field of {@link CmdHcaCap}, at most what an int holds. */
    int powerOfTwo(Field log) {
        return 1 << Math.min(30, (int) general(log));
    }

    /** A field of {@link org.ringside.mlx5.layout.RoceCap}. */
    long roce(Field field) {
        return field.get(roce, 0);
    }

    @Override
    public String toString() {
        return CmdHcaCap.LAYOUT.decode(general, 0);
    }
}
