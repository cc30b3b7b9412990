package org.ringside.emulator.mlx5;

import java.util.EnumSet;
import java.util.Set;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Opcode;

/**
 * What is checked before a command's handler sees it.
 *
 * @param opcode number
 * @param in table of the input; longer input only with {@code inputList}
 * @param out table of the output; longer output only with {@code outputList}
 * @param states where the function must be
 * @param flags departures from the rule
 * @param handler does it
 */
record CommandSpec(
        int opcode, Layout in, Layout out, Set<HcaState> states, Set<Flag> flags, Handler handler) {
    /** Departures from the rule. */
    enum Flag {
        /** The input ends with a list; the handler checks its length. */
        INPUT_LIST,
        /** The output ends with a list; the handler checks its length. */
        OUTPUT_LIST,
        /** The handler looks at op_mod; otherwise it must be 0. */
        OP_MOD,
        /** Firmware serves it before it has its boot pages. */
        WITHOUT_PAGES,
        /** Firmware may need another page for it. */
        TAKES_PAGES
    }

    /** Does one command. Throws {@link Refusal} to refuse it; the device must be unchanged then. */
    @FunctionalInterface
    interface Handler {
        void run(Command command);
    }

    CommandSpec {
        states = Set.copyOf(states);
        flags = Set.copyOf(flags);
    }

    /** A command for a function that INIT_HCA has started. */
    static CommandSpec of(int opcode, Layout in, Layout out, Handler handler, Flag... flags) {
        return new CommandSpec(
                opcode, in, out, EnumSet.of(HcaState.INITIALIZED), Set.of(flags), handler);
    }

    /** The same, in other states. */
    CommandSpec in(HcaState first, HcaState... others) {
        return new CommandSpec(opcode, in, out, EnumSet.of(first, others), flags, handler);
    }

    boolean has(Flag flag) {
        return flags.contains(flag);
    }

    String name() {
        return Opcode.name(opcode);
    }

    /** Checks lengths, reserved bits, op_mod and uid; in the order in which firmware does. */
    void check(Command command, HcaState state) {
        if (!states.contains(state)) {
            throw Refusal.of(
                    Reason.HCA_STATE,
                    "the function is %s, the command is for %s",
                    state,
                    EnumSet.copyOf(states));
        }
        checkLength(Reason.INPUT_LENGTH, command.inputLength(), in, has(Flag.INPUT_LIST), "input");
        checkLength(
                Reason.OUTPUT_LENGTH, command.outputLength(), out, has(Flag.OUTPUT_LIST), "output");
        long stray = in.firstReservedBit(command.in(), 0);
        if (stray >= 0) {
            throw Refusal.of(Reason.RESERVED_BIT, "reserved bit %s is set", Layout.place(stray));
        }
        if (!has(Flag.OP_MOD) && command.opMod() != 0) {
            throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod is %d, not 0", command.opMod());
        }
        if (CommandIn.UID.get(command.in(), 0) != 0) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "uid 0x%x: there are no user contexts",
                    CommandIn.UID.get(command.in(), 0));
        }
    }

    private static void checkLength(
            Reason reason, int length, Layout layout, boolean list, String what) {
        int fixed = layout.byteSize();
        if (list ? length < fixed : length != fixed) {
            throw Refusal.of(
                    reason,
                    "%s has %d bytes, %s has %s%d",
                    what,
                    length,
                    layout.name(),
                    list ? "at least " : "",
                    fixed);
        }
    }
}
