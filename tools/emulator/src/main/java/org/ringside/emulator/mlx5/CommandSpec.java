package org.ringside.emulator.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.util.EnumSet;
import java.util.Set;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandOut;
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
    private static final int OLD_INPUT = 16;

    /** Departures from the rule. */
    enum Flag {
        /** The input ends with a list; the handler checks its length. */
        INPUT_LIST,
        /** The input may be longer than its table; what is behind it must be 0. */
        INPUT_PADDED,
        /** Drivers of before it grew send no more than the first 16 bytes; the rest is 0 then. */
        INPUT_OLD,
        /** The output ends with a list; the handler checks its length. */
        OUTPUT_LIST,
        /** Drivers whose table is shorter get only as much as they have room for. */
        OUTPUT_CUT,
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

    /**
     * Checks lengths, reserved bits and op_mod; in the order in which firmware does.
     *
     * @param hasUserContexts whether a command may say whose it is, where its table has no field
     *     for it too: Linux's DEVX writes the uid into each
     */
    void check(Command command, HcaState state, boolean hasUserContexts) {
        if (!states.contains(state)) {
            throw Refusal.of(
                    Reason.HCA_STATE,
                    "the function is %s, the command is for %s",
                    state,
                    EnumSet.copyOf(states));
        }
        if (has(Flag.INPUT_OLD) && command.inputLength() == OLD_INPUT) {
            command.extendInput(in.byteSize());
        }
        boolean longer = has(Flag.INPUT_LIST) || has(Flag.INPUT_PADDED);
        checkLength(Reason.INPUT_LENGTH, command.inputLength(), in, longer, "input");
        if (has(Flag.INPUT_PADDED)) {
            checkPadding(command);
        }
        if (has(Flag.OUTPUT_CUT) && command.outputLength() >= CommandOut.LAYOUT.byteSize()) {
            checkLength(
                    Reason.OUTPUT_LENGTH,
                    Math.max(command.outputLength(), out.byteSize()),
                    out,
                    false,
                    "output");
        } else {
            checkLength(
                    Reason.OUTPUT_LENGTH,
                    command.outputLength(),
                    out,
                    has(Flag.OUTPUT_LIST),
                    "output");
        }
        long stray =
                hasUserContexts ? strayBesideUid(command) : in.firstReservedBit(command.in(), 0);
        if (stray >= 0) {
            throw Refusal.of(Reason.RESERVED_BIT, "reserved bit %s is set", Layout.place(stray));
        }
        if (!has(Flag.OP_MOD) && command.opMod() != 0) {
            throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod is %d, not 0", command.opMod());
        }
    }

    private long strayBesideUid(Command command) {
        long uid = CommandIn.UID.get(command.in(), 0);
        CommandIn.UID.set(command.in(), 0, 0);
        long stray = in.firstReservedBit(command.in(), 0);
        CommandIn.UID.set(command.in(), 0, uid);
        return stray;
    }

    private void checkPadding(Command command) {
        for (long i = in.byteSize(); i < command.inputLength(); i++) {
            if (command.in().get(JAVA_BYTE, i) != 0) {
                throw Refusal.of(Reason.RESERVED_BIT, "byte 0x%x behind %s is set", i, in.name());
            }
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
