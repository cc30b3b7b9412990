package org.ringside.interop;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.StringTokenizer;
import org.HdrHistogram.Histogram;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;

/**
 * What perftest measures, between two devices of ours: half round trips of 64-byte SENDs and
 * WRITEs, rate of 64-byte SENDs, bandwidth of 64 KiB WRITEs; and the processor time of the whole
 * machine for each.
 *
 * <pre>
 *   SideBySide DEVICE PEER GID-INDEX ITERATIONS
 * </pre>
 */
public final class SideBySide {
    private static final int SMALL = 64;
    private static final int LARGE = 65536;
    private static final int WINDOW = 64;
    private static final int LARGE_WINDOW = 16;
    private static final long BYTES = 2L * LARGE;
    private static final long TICK_NANOS = 10_000_000;
    private static final long HIGHEST = 60_000_000_000L;
    private static final VarHandle LAST = ValueLayout.JAVA_BYTE.varHandle();

    /** One of the two. */
    private static final class End {
        final CompletionQueue sendCq;
        final CompletionQueue recvCq;
        final QueuePair qp;
        final MemorySegment memory;
        final MemoryRegion mr;

        End(Context context) throws VerbsException {
            ProtectionDomain pd = context.createPd();
            sendCq = context.createCq(2 * WINDOW);
            recvCq = context.createCq(2 * WINDOW);
            qp = pd.createQp(new QpOptions(sendCq, recvCq).sendWrs(WINDOW).recvWrs(2 * WINDOW));
            DeviceBuffer buffer = context.allocate(BYTES);
            memory = buffer.memory();
            mr = pd.register(buffer, EnumSet.allOf(Access.class));
        }

        void receive() {
            posted(qp.postRecv(0, mr.lkey(), mr.address() + LARGE, SMALL));
        }

        void send(int flags) {
            posted(qp.postSend(0, flags, mr.lkey(), mr.address(), SMALL));
        }

        void write(End to, int length) {
            posted(
                    qp.postWrite(
                            0,
                            SendFlags.SIGNALED,
                            mr.lkey(),
                            mr.address(),
                            length,
                            to.mr.rkey(),
                            to.mr.address() + LARGE));
        }
    }

    private final End left;
    private final End right;

    private SideBySide(Context a, Context b, int gidIndex) throws VerbsException {
        left = new End(a);
        right = new End(b);
        Endpoint toLeft = left.qp.endpoint(1, gidIndex);
        Endpoint toRight = right.qp.endpoint(1, gidIndex);
        ConnectOptions options = new ConnectOptions().mtu(Mtu.MTU_1024).gidIndex(gidIndex);
        left.qp.connect(toRight, options);
        right.qp.connect(toLeft, options);
    }

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length != 4) {
            System.err.println("usage: SideBySide DEVICE PEER GID-INDEX ITERATIONS");
            System.exit(2);
        }
        int count = Integer.parseInt(args[3]);
        try (Context a = Verbs.open(args[0]);
                Context b = Verbs.open(args[1])) {
            SideBySide run = new SideBySide(a, b, Integer.parseInt(args[2]));
            run.sendLatency(count); // Warms up.
            run.writeLatency(count);
            report("send_lat", count, () -> run.sendLatency(count));
            report("write_lat", count, () -> run.writeLatency(count));
            run.sendRate(count);
            report("send_bw", 10L * count, () -> run.sendRate(10 * count));
            run.writeBandwidth(count / 4);
            report("write_bw", count, () -> run.writeBandwidth(count));
        }
    }

    private interface Measured {
        String run();
    }

    /** A line as the scenario reads it: name, figures, processor microseconds for each message. */
    @SuppressWarnings("SystemOut")
    private static void report(String name, long messages, Measured measured) throws IOException {
        long before = busyTicks();
        String figures = measured.run();
        double cpu = (busyTicks() - before) * TICK_NANOS / 1e3 / messages;
        System.out.println(String.format(Locale.ROOT, "ours %s %s %.2f", name, figures, cpu));
    }

    /** Time that processors of the machine were not idle (proc(5), /proc/stat). */
    private static long busyTicks() throws IOException {
        StringTokenizer fields =
                new StringTokenizer(Files.readAllLines(Path.of("/proc/stat")).getFirst());
        fields.nextToken();
        long busy = 0;
        for (int i = 0; fields.hasMoreTokens(); i++) {
            long ticks = Long.parseLong(fields.nextToken());
            busy += i == 3 || i == 4 ? 0 : ticks; // idle, iowait
        }
        return busy;
    }

    private static void posted(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new IllegalStateException("a work request was not taken: " + result);
        }
    }

    private static int complete(CompletionQueue cq) {
        if (!cq.startPoll()) {
            return 0;
        }
        int done = 0;
        do {
            if (cq.status() != WcStatus.SUCCESS) {
                throw new IllegalStateException("a work request ended with " + cq.status());
            }
            done++;
        } while (cq.nextPoll());
        cq.endPoll();
        return done;
    }

    private static void await(CompletionQueue cq) {
        while (complete(cq) == 0) {
            Thread.onSpinWait();
        }
    }

    private String sendLatency(int count) {
        Histogram half = new Histogram(HIGHEST, 3);
        for (int i = 0; i < count; i++) {
            right.receive();
            left.receive();
            long start = System.nanoTime();
            left.send(SendFlags.SIGNALED);
            await(right.recvCq);
            right.send(SendFlags.SIGNALED);
            await(left.recvCq);
            half.recordValue((System.nanoTime() - start) / 2);
            await(left.sendCq);
            await(right.sendCq);
        }
        return latency(half);
    }

    private static String latency(Histogram half) {
        return String.format(
                Locale.ROOT,
                "%.2f %.2f",
                half.getValueAtPercentile(50) / 1e3,
                half.getValueAtPercentile(99) / 1e3);
    }

    /** The last byte tells that a WRITE has arrived, as perftest sees it. */
    private String writeLatency(int count) {
        Histogram half = new Histogram(HIGHEST, 3);
        for (int i = 0; i < count; i++) {
            byte mark = (byte) (i % 127 + 1);
            left.memory.set(ValueLayout.JAVA_BYTE, SMALL - 1, mark);
            right.memory.set(ValueLayout.JAVA_BYTE, SMALL - 1, mark);
            long start = System.nanoTime();
            left.write(right, SMALL);
            arrive(right, mark);
            right.write(left, SMALL);
            arrive(left, mark);
            half.recordValue((System.nanoTime() - start) / 2);
            await(left.sendCq);
            await(right.sendCq);
        }
        return latency(half);
    }

    private static void arrive(End at, byte mark) {
        while ((byte) LAST.getVolatile(at.memory, LARGE + SMALL - 1L) != mark) {
            Thread.onSpinWait();
        }
    }

    private String sendRate(int count) {
        int posted = 0;
        int sent = 0;
        int received = 0;
        int receives = 0;
        long start = System.nanoTime();
        while (sent < count || received < count) {
            while (receives < count && receives - received < 2 * WINDOW) {
                right.receive();
                receives++;
            }
            while (posted < count && posted - sent < WINDOW && posted < receives) {
                left.send(SendFlags.SIGNALED);
                posted++;
            }
            sent += complete(left.sendCq);
            received += complete(right.recvCq);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return String.format(Locale.ROOT, "%.0f", count / seconds);
    }

    private String writeBandwidth(int count) {
        int posted = 0;
        int sent = 0;
        long start = System.nanoTime();
        while (sent < count) {
            while (posted < count && posted - sent < LARGE_WINDOW) {
                left.write(right, LARGE);
                posted++;
            }
            sent += complete(left.sendCq);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return String.format(Locale.ROOT, "%.2f", count / seconds * LARGE / 1e6);
    }
}
