package org.ringside.cli.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
 * @param eventLines of these, the ones about the EQ of the device's events, when completions have
 *     another one
 * @param names of its objects
 * @param cqns its completion queues
 * @param eqn event queue of its completions
 * @param qpn its number
 */
record Subject(
        Set<Integer> lines,
        Set<Integer> eventLines,
        Names names,
        Set<String> cqns,
        String eqn,
        String qpn) {
    private static final String RTS = "RTR2RTS_QP";
    private static final String EQ_OF_CQ = "cq_context.c_eqn_or_apu_element";

    /** Fields that name what a QP, CQ or EQ uses, by the last word of their path. */
    private static final Map<String, ObjectKind> USED =
            Map.of(
                    "uar_page", ObjectKind.UAR,
                    "cq_umem_id", ObjectKind.UMEM,
                    "wq_umem_id", ObjectKind.UMEM,
                    "dbr_umem_id", ObjectKind.UMEM);

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
        Names names = new Names();
        Map<String, String> context = createQp.part("in");
        String qpn = add(lines, commands, createQp, ObjectKind.QP);
        names.put(ObjectKind.QP, qpn, "own QP");
        peer(commands, createQp, qpn).ifPresent(peer -> names.put(ObjectKind.QP, peer, "peer QP"));
        List<User> users = new ArrayList<>();
        users.add(new User(createQp, "QP"));
        Set<String> cqns = new HashSet<>();
        String eqn = "";
        for (String field : List.of("qpc.cqn_snd", "qpc.cqn_rcv")) {
            RecordedEvent cq = maker(commands, createQp, ObjectKind.CQ, context.get(field));
            if (cq != null && cqns.add(add(lines, commands, cq, ObjectKind.CQ))) {
                names.put(ObjectKind.CQ, numberMade(cq), "own CQ");
                users.add(new User(cq, "CQ"));
                eqn = cq.part("in").getOrDefault(EQ_OF_CQ, eqn);
                RecordedEvent eq = maker(commands, cq, ObjectKind.EQ, eqn);
                if (eq != null) {
                    names.put(ObjectKind.EQ, add(lines, commands, eq, ObjectKind.EQ), "own EQ");
                    users.add(new User(eq, "EQ"));
                }
            }
        }
        for (User user : users) {
            for (Map.Entry<String, ObjectKind> used : USED.entrySet()) {
                String number = user.field(used.getKey());
                RecordedEvent made = maker(commands, user.command(), used.getValue(), number);
                if (number != null && made != null) {
                    add(lines, commands, made, used.getValue());
                    names.put(used.getValue(), number, user.nameOf(used.getValue(), used.getKey()));
                }
            }
        }
        RecordedEvent pd = maker(commands, createQp, ObjectKind.PD, context.get("qpc.pd"));
        if (pd != null) {
            String number = add(lines, commands, pd, ObjectKind.PD);
            names.put(ObjectKind.PD, number, "own PD");
            int end = endOf(commands, pd, ObjectKind.PD, number);
            for (RecordedEvent key : commands) {
                if (key.line() > pd.line()
                        && key.line() < end
                        && key.name().equals(ObjectKind.MKEY.maker())
                        && number.equals(pdOf(key))) {
                    names.put(
                            ObjectKind.MKEY,
                            add(lines, commands, key, ObjectKind.MKEY),
                            "own memory key");
                }
            }
        }
        Set<Integer> eventLines = new HashSet<>();
        RecordedEvent events = queueOfEvents(commands, createQp);
        if (events != null && !lines.contains(events.line())) {
            names.put(
                    ObjectKind.EQ,
                    add(eventLines, commands, events, ObjectKind.EQ),
                    "EQ of events");
            lines.addAll(eventLines);
        }
        return new Subject(lines, eventLines, names, cqns, eqn, qpn);
    }

    /** The EQ of the most types of events, where a driver has several. */
    private static @Nullable RecordedEvent queueOfEvents(
            List<RecordedEvent> commands, RecordedEvent before) {
        return commands.stream()
                .filter(command -> command.name().equals(ObjectKind.EQ.maker()))
                .filter(command -> command.line() < before.line() && isOk(command))
                .filter(command -> eventTypes(command) > 0)
                .max(Comparator.comparingInt(Subject::eventTypes))
                .orElse(null);
    }

    private static int eventTypes(RecordedEvent createEq) {
        String mask = createEq.part("in").getOrDefault("event_bitmask", "0");
        return Arrays.stream(mask.split(",", -1))
                .mapToInt(word -> Long.bitCount(Long.decode(word)))
                .sum();
    }

    /** A command that makes an object of the connection from others. */
    private record User(RecordedEvent command, String name) {
        /** The number in a field, whatever structure it is in. */
        @Nullable String field(String name) {
            for (Map.Entry<String, String> field : command.part("in").entrySet()) {
                if (field.getKey().equals(name) || field.getKey().endsWith('.' + name)) {
                    return field.getValue();
                }
            }
            return null;
        }

        String nameOf(ObjectKind kind, String field) {
            if (kind == ObjectKind.UAR) {
                return name + "'s UAR";
            }
            return name + (field.startsWith("dbr") ? "'s record" : "'s ring");
        }
    }

    /** The QP at the other end, when it is one of the same function. */
    private static Optional<String> peer(
            List<RecordedEvent> commands, RecordedEvent createQp, String qpn) {
        return later(commands, createQp, ObjectKind.QP, qpn, "INIT2RTR_QP").stream()
                .map(event -> event.part("in").getOrDefault("qpc.remote_qpn", ""))
                .filter(peer -> !peer.equals(qpn) && isMade(commands, ObjectKind.QP, peer))
                .findFirst();
    }

    private static String pdOf(RecordedEvent createMkey) {
        return createMkey.part("in").getOrDefault("memory_key_mkey_entry.pd", "");
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

    private static boolean isMade(List<RecordedEvent> commands, ObjectKind kind, String number) {
        return commands.stream()
                .anyMatch(
                        command ->
                                command.name().equals(kind.maker())
                                        && isOk(command)
                                        && numberMade(command).equals(number));
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
