package org.ringside.interop;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.Locale;
import org.ringside.roce.wire.MemoryWire;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.WcStatus;

/**
 * How long recovery takes between two ends of ours, on a wire in memory in simulated time: the
 * traffic of a {@link Plan}, verified, while the wire loses, doubles and reorders both ways.
 *
 * <pre>
 *   OursToOurs MESSAGES LOSS DUPLICATION REORDERING DELAY-US      chances in percent
 * </pre>
 */
public final class OursToOurs implements End.Completions {
    private static final int GID_INDEX = 1;
    private static final int TIMEOUT = 14;
    private static final int SEED = 42;
    private static final int LEFT_QPN = 0x11;
    private static final int RIGHT_QPN = 0x12;
    private static final int PSN = 0xfffff0;

    private final MemoryPair pair;
    private final Requests requests;
    private final Arrivals arrivals;

    private OursToOurs(MemoryPair pair, Requests requests, Arrivals arrivals) {
        this.pair = pair;
        this.requests = requests;
        this.arrivals = arrivals;
    }

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length != 5) {
            System.err.println("usage: OursToOurs MESSAGES LOSS DUPLICATION REORDERING DELAY-US");
            System.exit(2);
        }
        int messages = Integer.parseInt(args[0]);
        long delay = Long.parseLong(args[4]) * 1000;
        Mishaps mishaps =
                new Mishaps(percent(args[1]), percent(args[2]), percent(args[3]), 0, delay, delay);
        Gid leftGid = Gid.parse("10.0.0.1");
        Gid rightGid = Gid.parse("10.0.0.2");
        try (MemoryPair pair = new MemoryPair(mishaps, SEED, leftGid, rightGid)) {
            RoceEnd left = end(pair, MemoryWire.LEFT, new Endpoint(LEFT_QPN, PSN, 0, leftGid));
            RoceEnd right = end(pair, MemoryWire.RIGHT, new Endpoint(RIGHT_QPN, PSN, 0, rightGid));
            left.connect(right.endpoint());
            right.connect(left.endpoint());
            for (int slot = 0; slot < Plan.RECEIVES; slot++) {
                right.receive(slot);
            }
            Requests requests =
                    new Requests(
                            left, right.memory().address(), right.rkey(), messages, pair.now());
            OursToOurs traffic = new OursToOurs(pair, requests, new Arrivals(right, messages));
            long started = pair.now();
            while (!requests.isDone()) {
                requests.post();
                left.poll(traffic);
                right.poll(traffic);
            }
            check(right, requests, traffic.arrivals);
            System.out.printf(
                    Locale.ROOT,
                    "%-44s %d in %.1f s%n%-44s %s%n%-44s %s%n",
                    "ours to ours, verified",
                    messages,
                    (pair.now() - started) / 1e9,
                    "  between completions, ms",
                    requests.stalls(),
                    "  requester",
                    left);
        }
    }

    private static void check(RoceEnd right, Requests requests, Arrivals arrivals) {
        long counter = right.memory().get(JAVA_LONG, Plan.COUNTER);
        long chain = right.memory().get(JAVA_LONG, Plan.CHAIN);
        if (counter != requests.counter() || chain != requests.chain() || !arrivals.isDone()) {
            throw new IllegalStateException(
                    "counter 0x%x, chain 0x%x, %d messages; expected 0x%x, 0x%x, all"
                            .formatted(
                                    counter,
                                    chain,
                                    arrivals.arrived(),
                                    requests.counter(),
                                    requests.chain()));
        }
    }

    private static RoceEnd end(MemoryPair pair, int at, Endpoint endpoint) {
        return new RoceEnd(pair, pair.port(at), pair.keys(at), GID_INDEX, endpoint, TIMEOUT);
    }

    private static double percent(String text) {
        return Double.parseDouble(text) / 100;
    }

    @Override
    public void sent(int id, WcStatus status) {
        requests.completed(id, status, pair.now());
    }

    @Override
    public void received(int slot, WcStatus status, long bytes, int immediate) {
        arrivals.received(slot, status, bytes, immediate);
    }
}
