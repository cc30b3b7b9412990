package org.ringside.interop;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.ringside.verbs.Access;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionChannel;
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

/**
 * What goes wrong around a device of the kernel, and what its provider says of it.
 *
 * <pre>
 *   KernelFaults DEVICE memlock        register more than this process may lock: which error
 *   KernelFaults DEVICE descriptors    with no file descriptor left: which errors
 *   KernelFaults DEVICE events N       N events of one CQ that nobody takes, then all of them
 *   KernelFaults DEVICE until TYPE     traffic until there is an event of that type
 * </pre>
 */
public final class KernelFaults implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BYTES = 64;

    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final MemoryRegion mr;
    private final QueuePair left;
    private final QueuePair right;

    private KernelFaults(Context context) throws VerbsException {
        this.context = context;
        pd = context.createPd();
        channel = context.createCompletionChannel(0);
        cq = context.createCq(256, channel);
        mr = pd.register(context.allocate(4096), EnumSet.allOf(Access.class));
        left = pd.createQp(new QpOptions(cq));
        right = pd.createQp(new QpOptions(cq));
        Endpoint a = left.endpoint();
        left.connect(right.endpoint());
        right.connect(a);
    }

    /** See the class. */
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            say("usage: KernelFaults DEVICE memlock|descriptors|events N|until TYPE");
            System.exit(2);
        }
        try (Context context = Verbs.open(args[0])) {
            switch (args[1]) {
                case "memlock" -> overLock(context);
                case "descriptors" -> withoutDescriptors(context);
                case "events" -> {
                    try (KernelFaults faults = new KernelFaults(context)) {
                        faults.manyEvents(Integer.parseInt(args[2]));
                    }
                }
                default -> {
                    try (KernelFaults faults = new KernelFaults(context)) {
                        faults.trafficUntil(AsyncEvent.Type.valueOf(args[2]));
                    }
                }
            }
        }
        say("closed");
    }

    @SuppressWarnings("SystemOut") // A program's output.
    private static void say(String text) {
        System.out.println(text);
    }

    private interface Attempt {
        void run() throws VerbsException;
    }

    /** The attempt must fail; what it says is told. */
    private static void expectError(Attempt attempt) {
        try {
            attempt.run();
        } catch (VerbsException e) {
            say("error: " + e.getMessage());
            return;
        }
        throw new AssertionError("no error");
    }

    private static void overLock(Context context) throws VerbsException {
        try (ProtectionDomain pd = context.createPd()) {
            MemorySegment memory = context.allocate(64L << 20).memory();
            expectError(() -> pd.register(memory, EnumSet.of(Access.LOCAL_WRITE)));
        }
    }

    private static void withoutDescriptors(Context context) throws IOException {
        List<FileInputStream> files = new ArrayList<>();
        try {
            takeAll(files);
            expectError(() -> context.createCompletionChannel(0));
            expectError(() -> Verbs.open(context.deviceName()));
        } finally {
            for (FileInputStream file : files) {
                file.close();
            }
        }
    }

    private static void takeAll(List<FileInputStream> files) {
        try {
            while (true) {
                files.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            say(files.size() + " files opened, then: " + e.getMessage());
        }
    }

    private void write(long wrId) {
        PostResult result =
                left.postWrite(
                        wrId,
                        SendFlags.SIGNALED,
                        mr.lkey(),
                        mr.address(),
                        BYTES,
                        mr.rkey(),
                        mr.address() + BYTES);
        if (result != PostResult.POSTED) {
            throw new AssertionError("not posted: " + result);
        }
    }

    private void awaitCompletion(long wrId) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!cq.startPoll()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no completion of " + wrId);
            }
            Thread.onSpinWait();
        }
        if (cq.wrId() != wrId || cq.status() != WcStatus.SUCCESS) {
            throw new AssertionError(cq.wrId() + ": " + cq.status());
        }
        cq.endPoll();
    }

    private void manyEvents(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            cq.requestNotify(false);
            write(i);
            awaitCompletion(i);
        }
        int taken = 0;
        while (cq.equals(channel.await(Duration.ofSeconds(1)))) {
            taken++;
        }
        say("events taken: " + taken);
        if (taken != count) {
            throw new AssertionError(taken + " of " + count + " events");
        }
    }

    private void trafficUntil(AsyncEvent.Type wanted) throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            write(i);
            awaitCompletion(i);
        }
        left.postRecv(1_000, mr.lkey(), mr.address(), BYTES);
        say("traffic");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        AsyncEvent event;
        do {
            event = context.awaitEvent(Duration.ofSeconds(1));
            if (event != null) {
                say("event: " + event.type() + " port " + event.port() + ": " + event.detail());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no event " + wanted);
            }
        } while (event == null || event.type() != wanted);
        if (wanted == AsyncEvent.Type.DEVICE_FATAL) {
            afterLoss();
        }
    }

    private void afterLoss() {
        if (!cq.startPoll()) {
            throw new AssertionError("what was outstanding does not complete");
        }
        say("outstanding " + cq.wrId() + ": " + cq.status());
        cq.endPoll();
        say("post: " + left.postRecv(1_001, mr.lkey(), mr.address(), BYTES));
        expectError(context::createPd);
    }

    @Override
    public void close() throws VerbsException {
        context.close();
    }
}
