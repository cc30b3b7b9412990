package org.ringside.interop;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.PrintStream;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;

/**
 * A {@link Plan} between an end of ours and the guest's exchange.py, each of them once the
 * requester: what is said over TCP, what is driven meanwhile, and the figures. Figures are lines
 * that begin with "figure".
 */
final class Exchange implements End.Completions {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);
    private static final int HEX = 16;

    private final End end;
    private final Dialogue dialogue;
    private final PrintStream out;
    private Requests requests;
    private Arrivals arrivals;
    private long remote;
    private int rkey;
    private long now = System.nanoTime();
    private long lastWork = now;

    Exchange(End end, Dialogue dialogue, PrintStream out) {
        this.end = end;
        this.dialogue = dialogue;
        this.out = out;
        requests = new Requests(end, 0, 0, 0, System.nanoTime());
        arrivals = new Arrivals(end, 0);
    }

    /** Waits for the peer, tells it where we are, hears where it is, connects. */
    void meet() throws IOException, VerbsException {
        while (!dialogue.isConnected()) {
            turn("the peer's connection");
        }
        Endpoint self = end.endpoint();
        dialogue.say(
                "hello qpn=%x psn=%x lid=%x gid=%s address=%x rkey=%x"
                        .formatted(
                                self.qpNumber(),
                                self.psn(),
                                self.lid(),
                                HexFormat.of().formatHex(self.gid().bytes()),
                                end.memory().address(),
                                end.rkey()));
        String answer = await("hello");
        Endpoint peer =
                new Endpoint(
                        (int) word(answer, "qpn"),
                        (int) word(answer, "psn"),
                        (int) word(answer, "lid"),
                        Gid.of(HexFormat.of().parseHex(text(answer, "gid"))));
        remote = word(answer, "address");
        rkey = (int) word(answer, "rkey");
        end.connect(peer);
        for (int slot = 0; slot < Plan.RECEIVES; slot++) {
            end.receive(slot);
        }
    }

    /** Messages of ours; once. */
    void weRequest(int messages) throws IOException {
        dialogue.say("receive " + messages);
        long started = System.nanoTime();
        requests = new Requests(end, remote, rkey, messages, started);
        while (!requests.isDone()) {
            requests.post();
            turn("completion of request " + requests.done());
        }
        long nanos = System.nanoTime() - started;
        expect("received " + Plan.notifications(messages), await("received"));
        dialogue.say("words");
        String words = await("words");
        same("the peer's counter", word(words, "counter"), requests.counter());
        same("the peer's chain", word(words, "chain"), requests.chain());
        figure("our requests, verified by both ends", messages + rate(nanos));
        figure("  sum of our atomics, exact", Long.toUnsignedString(requests.counter()));
        figure("  between our completions, ms", requests.stalls().toString());
    }

    /** Messages of the peer; once. */
    void theyRequest(int messages) throws IOException {
        arrivals = new Arrivals(end, messages);
        dialogue.say("request " + messages);
        long started = System.nanoTime();
        String answer = await("requested");
        long nanos = System.nanoTime() - started;
        expect("requested " + messages, answer.substring(0, answer.indexOf(" p50")));
        if (!arrivals.isDone()) {
            throw new IllegalStateException(
                    "the peer's requests completed, but only %d of %d messages arrived"
                            .formatted(arrivals.arrived(), Plan.notifications(messages)));
        }
        same("our counter", end.memory().get(JAVA_LONG, Plan.COUNTER), word(answer, "counter"));
        same("our chain", end.memory().get(JAVA_LONG, Plan.CHAIN), word(answer, "chain"));
        figure("requests of Linux, verified by both ends", messages + rate(nanos));
        figure(
                "  sum of its atomics, exact",
                Long.toUnsignedString(end.memory().get(JAVA_LONG, Plan.COUNTER)));
        figure(
                "  between its completions, ms",
                Stalls.text(word(answer, "p50"), word(answer, "p99"), word(answer, "max")));
    }

    void bye() throws IOException {
        dialogue.say("bye");
    }

    private static String rate(long nanos) {
        return String.format(Locale.ROOT, " in %.1f s", nanos / 1e9);
    }

    void figure(String name, String value) {
        out.printf(Locale.ROOT, "figure %-44s %s%n", name, value);
    }

    private static void same(String what, long found, long wanted) {
        if (found != wanted) {
            throw new IllegalStateException(
                    "%s is 0x%x, expected 0x%x".formatted(what, found, wanted));
        }
    }

    private static void expect(String wanted, String found) {
        if (!found.equals(wanted)) {
            throw new IllegalStateException(
                    "the peer says \"%s\", expected \"%s\"".formatted(found, wanted));
        }
    }

    /** A line that begins with this word; the end is driven meanwhile. */
    private String await(String word) throws IOException {
        String line;
        while ((line = dialogue.heard()) == null) {
            turn("\"" + word + "\" of the peer");
        }
        if (!line.startsWith(word + " ")) {
            throw new IOException("the peer says \"%s\", not \"%s ...\"".formatted(line, word));
        }
        return line;
    }

    private void turn(String waitingFor) throws IOException {
        now = System.nanoTime();
        if (end.poll(this) > 0) {
            lastWork = now;
        } else if (now - lastWork > PATIENCE_NANOS) {
            throw new IOException(
                    "nothing happened for %d s while waiting for %s; %s"
                            .formatted(PATIENCE_NANOS / 1_000_000_000, waitingFor, end));
        }
    }

    private static String text(String line, String name) {
        for (String word : line.split(" ")) {
            if (word.startsWith(name + "=")) {
                return word.substring(name.length() + 1);
            }
        }
        throw new IllegalStateException("the peer says \"%s\" without %s".formatted(line, name));
    }

    private static long word(String line, String name) {
        return Long.parseUnsignedLong(text(line, name), HEX);
    }

    @Override
    public void sent(int id, WcStatus status) {
        requests.completed(id, status, now);
    }

    @Override
    public void received(int slot, WcStatus status, long bytes, int immediate) {
        arrivals.received(slot, status, bytes, immediate);
    }
}
