package org.ringside.cli.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.record.RecordedEvent;

/**
 * The connection that is compared: the first RC QP of a life that reached RTS, and what it is made
 * of. A driver's own objects (its management QPs, say) are none of it.
 *
 * @param lines of the commands that are about it
 * @param cqns its completion queues
 * @param eqn event queue of its completions
 * @param qpn its number
 */
record Subject(Set<Integer> lines, Set<String> cqns, String eqn, String qpn) {
    private static final String RTS = "RTR2RTS_QP";

    /** Finds it; empty when no RC QP of that life reached RTS. */
    static Optional<Subject> in(Life life) {
        List<RecordedEvent> commands = life.commands();
        for (RecordedEvent command : commands) {
            if (command.name().equals(ObjectKind.QP.maker())
                    && isOk(command)
                    && !command.part("in").containsKey("qpc.st")
                    && !later(commands, command, ObjectKind.QP, numberMade(command), RTS)
                            .isEmpty()) {
                return Optional.of(of(commands, command));
            }
        }
        return Optional.empty();
    }

    private static Subject of(List<RecordedEvent> commands, RecordedEvent createQp) {
        Set<Integer> lines = new HashSet<>();
        Map<String, String> context = createQp.part("in");
        String qpn = add(lines, commands, createQp, ObjectKind.QP);
        Set<String> cqns = new HashSet<>();
        String eqn = "";
        for (String field : List.of("qpc.cqn_snd", "qpc.cqn_rcv")) {
            RecordedEvent cq = maker(commands, createQp, ObjectKind.CQ, context.get(field));
            if (cq != null && cqns.add(add(lines, commands, cq, ObjectKind.CQ))) {
                eqn = cq.part("in").getOrDefault("cq_context.c_eqn", eqn);
                addMaker(lines, commands, cq, ObjectKind.EQ, "cq_context.c_eqn");
            }
        }
        addMaker(lines, commands, createQp, ObjectKind.UAR, "qpc.uar_page");
        RecordedEvent pd = maker(commands, createQp, ObjectKind.PD, context.get("qpc.pd"));
        if (pd != null) {
            String number = add(lines, commands, pd, ObjectKind.PD);
            int end = endOf(commands, pd, ObjectKind.PD, number);
            for (RecordedEvent key : commands) {
                if (key.line() > pd.line()
                        && key.line() < end
                        && key.name().equals(ObjectKind.MKEY.maker())
                        && number.equals(pdOf(key))) {
                    add(lines, commands, key, ObjectKind.MKEY);
                }
            }
        }
        return new Subject(lines, cqns, eqn, qpn);
    }

    private static String pdOf(RecordedEvent createMkey) {
        return createMkey.part("in").getOrDefault("memory_key_mkey_entry.pd", "");
    }

    private static void addMaker(
            Set<Integer> lines,
            List<RecordedEvent> commands,
            RecordedEvent user,
            ObjectKind kind,
            String field) {
        RecordedEvent maker = maker(commands, user, kind, user.part("in").get(field));
        if (maker != null) {
            add(lines, commands, maker, kind);
        }
    }

    /** The command that made an object which a later command names; numbers are used again. */
    private static @Nullable RecordedEvent maker(
            List<RecordedEvent> commands,
            RecordedEvent user,
            ObjectKind kind,
            @Nullable String number) {
        RecordedEvent maker = null;
        for (RecordedEvent command : commands) {
            if (command.line() < user.line()
                    && command.name().equals(kind.maker())
                    && isOk(command)
                    && numberMade(command).equals(number)) {
                maker = command;
            }
        }
        return maker;
    }

    /** Takes an object's maker and all that is done to it later. */
    private static String add(
            Set<Integer> lines,
            List<RecordedEvent> commands,
            RecordedEvent maker,
            ObjectKind kind) {
        String number = numberMade(maker);
        lines.add(maker.line());
        later(commands, maker, kind, number, "").forEach(event -> lines.add(event.line()));
        return number;
    }

    /** Commands about an object from its maker to the next one that makes the same number. */
    private static List<RecordedEvent> later(
            List<RecordedEvent> commands,
            RecordedEvent maker,
            ObjectKind kind,
            String number,
            String name) {
        int end = endOf(commands, maker, kind, number);
        List<RecordedEvent> found = new ArrayList<>();
        for (RecordedEvent command : commands) {
            if (command.line() > maker.line()
                    && command.line() < end
                    && ObjectKind.of(command.name()).equals(Optional.of(kind))
                    && !command.name().equals(kind.maker())
                    && number.equals(command.part("in").get(kind.numberField()))
                    && (name.isEmpty() || command.name().equals(name))) {
                found.add(command);
            }
        }
        return found;
    }

    private static int endOf(
            List<RecordedEvent> commands, RecordedEvent maker, ObjectKind kind, String number) {
        for (RecordedEvent command : commands) {
            if (command.line() > maker.line()
                    && command.name().equals(kind.maker())
                    && numberMade(command).equals(number)) {
                return command.line();
            }
        }
        return Integer.MAX_VALUE;
    }

    private static String numberMade(RecordedEvent maker) {
        return ObjectKind.of(maker.name())
                .map(kind -> maker.part("out").getOrDefault(kind.numberField(), "0"))
                .orElse("");
    }

    private static boolean isOk(RecordedEvent command) {
        return !command.part("out").containsKey("status");
    }
}
