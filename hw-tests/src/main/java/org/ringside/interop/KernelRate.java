package org.ringside.interop;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumSet;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/**
 * What perftest's ib_read_lat and ib_write_bw do, on one device with itself: READs of 64 bytes one
 * after the other, then WRITEs of 64 bytes, 128 under way, each with a completion.
 *
 * <pre>
 *   KernelRate DEVICE N        prints "figure NAME VALUE" lines: microseconds, operations per second
 * </pre>
 */
public final class KernelRate {
    private static final int BYTES = 64;
    private static final int UNDER_WAY = 128;
    private static final int WARM_UP_ROUNDS = 3;

    private final CompletionQueue cq;
    private final MemoryRegion mr;
    private final QueuePair qp;
    private final WorkCompletions some = new WorkCompletions(16);

    private KernelRate(Context context) throws VerbsException {
        ProtectionDomain pd = context.createPd();
        cq = context.createCq(UNDER_WAY);
        mr = pd.register(context.allocate(4096), EnumSet.allOf(Access.class));
        qp = pd.createQp(new QpOptions(cq).sendWrs(UNDER_WAY));
        QueuePair peer = pd.createQp(new QpOptions(context.createCq(1)));
        Endpoint here = qp.endpoint();
        qp.connect(peer.endpoint());
        peer.connect(here);
    }

    /** See the class. */
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            say("usage: KernelRate DEVICE N");
            System.exit(2);
        }
        int count = Integer.parseInt(args[1]);
        try (Context context = Verbs.open(args[0])) {
            KernelRate rate = new KernelRate(context);
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                rate.reads(new long[count]);
                rate.writes(count);
            }
            rate.measureReads(new long[count]);
            rate.measureWrites(count);
        }
    }

    @SuppressWarnings("SystemOut") // A program's output.
    private static void say(String text) {
        System.out.println(text);
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private void measureReads(long[] nanos) {
        long cpu = cpuNanos();
        reads(nanos);
        cpu = cpuNanos() - cpu;
        Arrays.sort(nanos);
        say("figure read-latency %.2f".formatted(nanos[nanos.length / 2] / 1e3));
        say("figure read-cpu %.2f".formatted(cpu / 1e3 / nanos.length));
    }

    private void measureWrites(int count) {
        long cpu = cpuNanos();
        long start = System.nanoTime();
        writes(count);
        long nanos = System.nanoTime() - start;
        cpu = cpuNanos() - cpu;
        say("figure write-rate %.0f".formatted(count * 1e9 / nanos));
        say("figure write-cpu %.2f".formatted(cpu / 1e3 / count));
    }

    private void reads(long[] nanos) {
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            PostResult result =
                    qp.postRead(
                            i,
                            SendFlags.SIGNALED,
                            mr.lkey(),
                            mr.address(),
                            BYTES,
                            mr.rkey(),
                            mr.address() + BYTES);
            posted(result);
            while (!cq.startPoll()) {
                Thread.onSpinWait();
            }
            good(cq.status());
            cq.endPoll();
            nanos[i] = System.nanoTime() - start;
        }
    }

    private void writes(int count) {
        int posted = 0;
        int done = 0;
        while (done < count) {
            while (posted < count && posted - done < UNDER_WAY) {
                write(posted++);
            }
            int n = cq.poll(some);
            for (int i = 0; i < n; i++) {
                good(some.status(i));
            }
            done += n;
        }
    }

    private void write(int wrId) {
        posted(
                qp.postWrite(
                        wrId,
                        SendFlags.SIGNALED,
                        mr.lkey(),
                        mr.address(),
                        BYTES,
                        mr.rkey(),
                        mr.address() + BYTES));
    }

    private static void posted(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new AssertionError("not posted: " + result);
        }
    }

    private static void good(WcStatus status) {
        if (status != WcStatus.SUCCESS) {
            throw new AssertionError("completed with " + status);
        }
    }
}
