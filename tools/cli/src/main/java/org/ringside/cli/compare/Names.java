package org.ringside.cli.compare;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the numbers of a connection's objects stand for. Which number an object got says nothing;
 * that a QP names its own PD and not another one says much. So {@code qpc.pd} of one recording and
 * of another are both "own PD", and a number that is none of the connection's stays a number.
 */
final class Names {
    /** What fields refer to, by the last word of their path. */
    private static final Map<String, ObjectKind> REFERENCES =
            Map.ofEntries(
                    Map.entry("pd", ObjectKind.PD),
                    Map.entry("uar", ObjectKind.UAR),
                    Map.entry("uar_page", ObjectKind.UAR),
                    Map.entry("eqn", ObjectKind.EQ),
                    Map.entry("eq_number", ObjectKind.EQ),
                    Map.entry("c_eqn_or_apu_element", ObjectKind.EQ),
                    Map.entry("cqn", ObjectKind.CQ),
                    Map.entry("cqn_snd", ObjectKind.CQ),
                    Map.entry("cqn_rcv", ObjectKind.CQ),
                    Map.entry("mkey_index", ObjectKind.MKEY),
                    Map.entry("qpn", ObjectKind.QP),
                    Map.entry("remote_qpn", ObjectKind.QP),
                    Map.entry("cq_umem_id", ObjectKind.UMEM),
                    Map.entry("wq_umem_id", ObjectKind.UMEM),
                    Map.entry("dbr_umem_id", ObjectKind.UMEM),
                    Map.entry("umem_id", ObjectKind.UMEM));

    private final Map<ObjectKind, Map<String, String>> names = new EnumMap<>(ObjectKind.class);

    /** Names an object, unless it has a name already. */
    void put(ObjectKind kind, String number, String name) {
        names.computeIfAbsent(kind, each -> new LinkedHashMap<>()).putIfAbsent(number, name);
    }

    /** Fields with names instead of numbers. */
    Map<String, String> in(Map<String, String> fields) {
        Map<String, String> named = new LinkedHashMap<>();
        fields.forEach((path, value) -> named.put(path, name(path, value)));
        return named;
    }

    private String name(String path, String value) {
        ObjectKind kind = REFERENCES.get(path.substring(path.lastIndexOf('.') + 1));
        return kind == null ? value : names.getOrDefault(kind, Map.of()).getOrDefault(value, value);
    }
}
