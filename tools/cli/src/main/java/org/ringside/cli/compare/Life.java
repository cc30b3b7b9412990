package org.ringside.cli.compare;

import java.util.ArrayList;
import java.util.List;
import org.ringside.emulator.record.RecordedEvent;

/**
 * What happened on a function from one reset to the next: one driver's work from ENABLE_HCA to
 * DISABLE_HCA, unless it was cut short.
 *
 * @param events in order; without those before the driver's first store
 */
record Life(List<RecordedEvent> events) {
    private static final String START = "ENABLE_HCA";

    /** All lives of a function, those without a command left out. */
    static List<Life> of(List<RecordedEvent> recording, String function) {
        List<Life> lives = new ArrayList<>();
        List<RecordedEvent> now = new ArrayList<>();
        for (RecordedEvent event : recording) {
            if (!event.function().equals(function)) {
                continue;
            }
            if (event.kind().equals("reset")) {
                close(now, lives);
                now = new ArrayList<>();
            } else if (isStart(event) && now.stream().anyMatch(Life::isStart)) {
                int next = afterLastCommand(now);
                close(now.subList(0, next), lives);
                now = new ArrayList<>(now.subList(next, now.size()));
                now.add(event);
            } else {
                now.add(event);
            }
        }
        close(now, lives);
        return lives;
    }

    /** A driver that opens again without a reset: what it does first belongs to the new life. */
    private static int afterLastCommand(List<RecordedEvent> events) {
        int at = events.size();
        while (at > 0 && !events.get(at - 1).kind().equals("command")) {
            at--;
        }
        return at;
    }

    private static void close(List<RecordedEvent> events, List<Life> lives) {
        if (events.stream().anyMatch(Life::isStart)) {
            lives.add(new Life(List.copyOf(events)));
        }
    }

    private static boolean isStart(RecordedEvent event) {
        return event.kind().equals("command") && event.name().equals(START);
    }

    List<RecordedEvent> commands() {
        return events.stream().filter(event -> event.kind().equals("command")).toList();
    }
}
