package org.ringside.emulator.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The examiner's notebook: the last findings, for tests and for `findings` output, and a log line
 * for each. They outlive resets.
 *
 * <p>Threading: written by the agent, read by anyone.
 */
public final class Findings {
    private static final Logger LOG = System.getLogger(Findings.class.getName());

    /** Findings that are kept; older ones are dropped. */
    public static final int CAPACITY = 256;

    /** Log lines in full; from then on each that doubles the count, so that logs stay readable. */
    private static final int LOGGED = 64;

    private final String device;
    private final ArrayDeque<Finding> ring = new ArrayDeque<>();
    private long total;

    public Findings(String device) {
        this.device = device;
    }

    /** Notes one. */
    public void report(Finding.Kind kind, String text) {
        long n;
        synchronized (ring) {
            if (ring.size() == CAPACITY) {
                ring.removeFirst();
            }
            ring.addLast(new Finding(kind, text));
            n = ++total;
        }
        if (n <= LOGGED || Long.bitCount(n) == 1) {
            LOG.log(Level.WARNING, () -> device + ": " + kind + ": " + text);
        }
    }

    /** The last ones, oldest first. */
    public List<Finding> list() {
        synchronized (ring) {
            return new ArrayList<>(ring);
        }
    }

    /** The last ones of a kind, oldest first. */
    public List<Finding> list(Finding.Kind kind) {
        return list().stream().filter(finding -> finding.kind() == kind).toList();
    }

    /** How many there were in all, also those dropped. */
    public long total() {
        synchronized (ring) {
            return total;
        }
    }

    /** Forgets what was noted; the total goes on. */
    public void clear() {
        synchronized (ring) {
            ring.clear();
        }
    }
}
