package org.ringside.cli.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ringside.emulator.record.RecordedEvent;
import org.ringside.mlx5.layout.HealthBuffer;
import org.ringside.mlx5.layout.InitialSeg;

/**
 * A life as steps by key, in order of first appearance. What a driver says again in the same words
 * counts once.
 */
final class Steps {
    /** Commands that do different things by their op_mod. */
    private static final Set<String> BY_OP_MOD =
            Set.of("QUERY_HCA_CAP", "SET_HCA_CAP", "QUERY_PAGES", "MANAGE_PAGES");

    /** Also in the input. */
    private static final Set<String> ELSEWHERE = Set.of("command_input_inline_data", "ownership");

    /** Page list of a memory key, which the table has as words of 32 bits. */
    private static final String TRANSLATIONS = "klm_pas_mtt";

    private final Subject subject;
    private final Map<String, List<Step>> byKey = new LinkedHashMap<>();

    private Steps(Subject subject) {
        this.subject = subject;
    }

    static Map<String, List<Step>> of(Life life, Subject subject) {
        Steps steps = new Steps(subject);
        for (RecordedEvent event : life.events()) {
            steps.take(event);
        }
        return steps.byKey;
    }

    private void take(RecordedEvent event) {
        switch (event.kind()) {
            case "command" -> command(event);
            case "read" -> read(event);
            case "write" -> register(event);
            case "doorbell" -> doorbell(event);
            default -> {
                // What the device does is not the driver's.
            }
        }
    }

    private void read(RecordedEvent event) {
        int offset = Integer.decode(event.name());
        int health = InitialSeg.HEALTH_BUFFER.offset();
        boolean byTheClock =
                offset >= InitialSeg.INTERNAL_TIMER_H.dword()
                        || offset >= health && offset < health + HealthBuffer.LAYOUT.byteSize();
        if (!byTheClock) { // A short life may end before its turn.
            add(new Step(Purpose.OPEN, key(event), false, Map.of(), 1, event.line()));
        }
    }

    private static String key(RecordedEvent event) {
        return event.kind() + " " + event.name();
    }

    private void command(RecordedEvent event) {
        Map<String, String> in = event.part("in");
        String opMod = in.getOrDefault("op_mod", "0");
        Purpose purpose = Purpose.ofCommand(event.name(), opMod);
        if (ObjectKind.of(event.name()).isPresent() && !subject.lines().contains(event.line())) {
            add(new Step(purpose, "other " + event.name(), false, Map.of(), 1, event.line()));
            return;
        }
        Map<String, String> fields = subject.names().in(in);
        fields.computeIfPresent(TRANSLATIONS, (path, words) -> addresses(words));
        event.part("entry")
                .forEach(
                        (name, value) -> {
                            if (!ELSEWHERE.contains(name)) {
                                fields.put("entry." + name, value);
                            }
                        });
        String status = event.part("out").get("status");
        if (status != null) {
            fields.put("status", status);
        }
        String key = event.name();
        if (subject.eventLines().contains(event.line())) {
            key += " of events";
        } else if (BY_OP_MOD.contains(key)) {
            key += " " + opMod;
        } else if (key.equals("ACCESS_REG")) {
            key += " " + in.get("register_id") + (opMod.equals("0") ? " write" : " read");
        }
        int count = Integer.parseInt(event.value("inFields"));
        // Entry: type, both lengths, both mailboxes' halves, token, signature; and the status.
        add(new Step(purpose, key, true, fields, count + 9 + 1, event.line()));
    }

    /** Pairs of words as addresses; what fills the last 16 bytes is none. */
    private static String addresses(String words) {
        String[] halves = words.split(",", -1);
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i + 1 < halves.length; i += 2) {
            addresses.add(
                    "0x"
                            + Long.toHexString(
                                    Long.decode(halves[i]) << 32 | Long.decode(halves[i + 1])));
        }
        if (addresses.size() > 1 && addresses.getLast().equals("0x0")) {
            addresses.removeLast();
        }
        return String.join(",", addresses);
    }

    private void register(RecordedEvent event) {
        Map<String, String> fields = event.part("fields");
        add(
                new Step(
                        Purpose.OPEN,
                        key(event),
                        false,
                        fields,
                        Math.max(1, fields.size()),
                        event.line()));
    }

    private void doorbell(RecordedEvent event) {
        Map<String, String> said = event.part("fields");
        boolean isSubject =
                switch (event.name()) {
                    case "send" -> subject.qpn().equals(said.get("qpn"));
                    case "cq_arm" -> subject.cqns().contains(said.getOrDefault("cqn", ""));
                    case "eq_arm", "eq_consumer" -> subject.eqn().equals(said.get("eqn"));
                    default -> true;
                };
        if (!isSubject || byKey.containsKey(key(event))) {
            return; // Later ones differ in counters alone.
        }
        Map<String, String> fields = new LinkedHashMap<>(said);
        for (String name : List.of("uar", "offset", "width")) {
            fields.put(name, event.value(name));
        }
        fields = subject.names().in(fields);
        add(new Step(Purpose.WORK, key(event), false, fields, fields.size(), event.line()));
    }

    private void add(Step step) {
        List<Step> same = byKey.computeIfAbsent(step.key(), key -> new ArrayList<>());
        Map<String, String> words = words(step);
        if (same.stream().noneMatch(earlier -> words(earlier).equals(words))) {
            same.add(step);
        }
    }

    /** What it says, without what changes each time. */
    private static Map<String, String> words(Step step) {
        Map<String, String> words = new LinkedHashMap<>(step.fields());
        words.keySet().removeIf(name -> name.startsWith("entry."));
        return words;
    }
}
