package org.ringside.interop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/**
 * Devices of several providers, open at once in one process and driven by one thread: each sends to
 * each other one, all at once, verified; none takes objects of another; each is closed in
 * mid-traffic of the others, which go on, and is opened again.
 *
 * <pre>
 *   ThreeProviders MESSAGES DEVICE GID-INDEX DEVICE GID-INDEX DEVICE GID-INDEX...
 * </pre>
 */
public final class ThreeProviders implements AutoCloseable {
    private static final int CQ_ENTRIES = 16;

    private final int messages;
    private final List<String> names = new ArrayList<>();
    private final List<Integer> gids = new ArrayList<>();
    private final List<Context> contexts = new ArrayList<>();

    private ThreeProviders(int messages) {
        this.messages = messages;
    }

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length < 7 || args.length % 2 == 0) {
            System.err.println(
                    "usage: ThreeProviders MESSAGES DEVICE GID-INDEX ... (three or more)");
            System.exit(2);
        }
        try (ThreeProviders all = new ThreeProviders(Integer.parseInt(args[0]))) {
            for (int i = 1; i < args.length; i += 2) {
                all.open(args[i], Integer.parseInt(args[i + 1]));
            }
            all.mixNothing();
            all.meet();
            for (int i = 0; i < all.names.size(); i++) {
                all.closeInMidTraffic(i);
            }
        }
        System.out.println("all devices closed");
    }

    private void open(String name, int gidIndex) throws VerbsException {
        names.add(name);
        gids.add(gidIndex);
        contexts.add(Verbs.open(name));
    }

    // ---- objects of one device are refused by another

    private void mixNothing() throws VerbsException {
        int refused = 0;
        for (Context own : contexts) {
            for (Context other : contexts) {
                if (!own.equals(other)) {
                    refused += refusals(own, other);
                }
            }
        }
        figure("objects of another device, refused", Integer.toString(refused));
    }

    private static int refusals(Context own, Context other) throws VerbsException {
        try (ProtectionDomain pd = own.createPd();
                CompletionQueue cq = own.createCq(CQ_ENTRIES);
                CompletionQueue foreignCq = other.createCq(CQ_ENTRIES);
                CompletionChannel foreignChannel = other.createCompletionChannel(0)) {
            String whose = "belongs to device " + other.deviceName();
            refused(whose, () -> pd.createQp(new QpOptions(foreignCq)).close());
            refused(whose, () -> pd.createQp(new QpOptions(cq, foreignCq)).close());
            refused(whose, () -> own.createCq(CQ_ENTRIES, foreignChannel).close());
            return 3;
        }
    }

    /** Something that must fail. */
    private interface Attempt {
        void make() throws VerbsException;
    }

    private static void refused(String why, Attempt attempt) {
        try {
            attempt.make();
        } catch (VerbsException e) {
            if (String.valueOf(e.getMessage()).contains(why)) {
                return;
            }
            throw new IllegalStateException("refused otherwise than that it " + why, e);
        }
        throw new IllegalStateException("taken, though it " + why);
    }

    // ---- traffic

    /** The traffic between all pairs but those with one device; both ways. */
    private List<InProcess> flows(int without) throws VerbsException {
        List<InProcess> flows = new ArrayList<>();
        for (int from = 0; from < contexts.size(); from++) {
            for (int to = 0; to < contexts.size(); to++) {
                if (from != to && from != without && to != without) {
                    flows.add(flow(from, to));
                }
            }
        }
        return flows;
    }

    private InProcess flow(int from, int to) throws VerbsException {
        return new InProcess(
                contexts.get(from), gids.get(from), contexts.get(to), gids.get(to), messages);
    }

    /** Drives them in turn, at one call site, until all are done or have done so many each. */
    private static void drive(List<InProcess> flows, IntPredicate enough) throws IOException {
        boolean go = true;
        while (go) {
            go = false;
            for (InProcess flow : flows) {
                go |= !enough.test(flow.turn()) && !flow.isDone();
            }
        }
    }

    private static void finish(List<InProcess> flows) throws IOException, VerbsException {
        drive(flows, done -> false);
        for (InProcess flow : flows) {
            flow.verify();
            flow.close();
        }
    }

    private void meet() throws IOException, VerbsException {
        List<InProcess> flows = flows(-1);
        long started = System.nanoTime();
        finish(flows);
        for (InProcess flow : flows) {
            figure(flow.toString(), messages + ", verified");
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        figure("all at once", String.format(Locale.ROOT, "%.1f s", seconds));
    }

    private void closeInMidTraffic(int victim) throws IOException, VerbsException {
        List<InProcess> others = flows(victim);
        List<InProcess> its = new ArrayList<>();
        for (int peer = 0; peer < contexts.size(); peer++) {
            if (peer != victim) {
                its.add(flow(victim, peer));
            }
        }
        drive(others, done -> done >= messages / 4);
        drive(its, done -> done >= messages / 4);
        contexts.get(victim).close();
        finish(others);
        for (InProcess flow : its) {
            flow.close();
        }
        contexts.set(victim, Verbs.open(names.get(victim)));
        InProcess again = flow(victim, (victim + 1) % contexts.size());
        finish(List.of(again));
        figure(
                names.get(victim) + " closed",
                "%d flows of the others went on, verified; opened again, %s verified"
                        .formatted(others.size(), again));
    }

    @SuppressWarnings("SystemOut") // A program's output.
    private static void figure(String name, String value) {
        System.out.printf(Locale.ROOT, "figure %-44s %s%n", name, value);
    }

    @Override
    public void close() throws VerbsException {
        for (Context context : contexts) {
            context.close();
        }
    }
}
