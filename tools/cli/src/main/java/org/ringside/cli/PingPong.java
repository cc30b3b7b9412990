package org.ringside.cli;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;

/**
 * Two connected QPs and the loop that moves messages between them. One thread drives both ends, so
 * that on a machine with two cores the other one is left to an emulated device.
 *
 * <p>Each message has contents of its own; filling and verifying are not in the measured time.
 */
final class PingPong implements AutoCloseable {
    private static final long HIGHEST_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int WARM_UP_RUNS = 10;
    private static final int WARM_UP_RUN = 1_000;
    private static final Duration WARM_UP = Duration.ofMillis(1_800);

    private final Operation operation;
    private final long size;
    private final Side left;
    private final Side right;
    private final Messages messages;
    private long counter;
    private long busyNanos;

    PingPong(Context left, Context right, Operation operation, long size, Duration timeout)
            throws VerbsException {
        this.operation = operation;
        this.size = size;
        this.left = new Side(left, size);
        this.right = new Side(right, size);
        this.messages = new Messages(timeout, this.left, this.right);
        Endpoint a = this.left.qp.endpoint();
        Endpoint b = this.right.qp.endpoint();
        this.left.qp.connect(b);
        this.right.qp.connect(a);
    }

    /**
     * Runs without keeping what it measures, for the JIT, which is usually done within a second;
     * where a message takes long there is less to gain. This thread and an emulated device spin on
     * a core each, so it pauses for the JIT, which would else take one in the middle of the
     * measurement.
     */
    void warmUp(JitThreads jit) throws InterruptedException {
        Histogram unused = new Histogram(HIGHEST_NANOS, 3);
        long end = System.nanoTime() + WARM_UP.toNanos();
        for (int i = 0; i < WARM_UP_RUNS; i++) {
            for (int j = 0; j < WARM_UP_RUN && System.nanoTime() - end < 0; j++) {
                run(1, unused);
            }
            jit.awaitIdle(Duration.ofNanos(end - System.nanoTime()));
        }
    }

    Measurement measure(int iterations) {
        Histogram latency = new Histogram(HIGHEST_NANOS, 3);
        busyNanos = 0;
        run(iterations, latency);
        long moved = operation == Operation.SEND ? 2L * iterations : iterations;
        return new Measurement(latency, moved, busyNanos);
    }

    private void run(int iterations, Histogram latency) {
        for (int i = 0; i < iterations; i++) {
            latency.recordValue(Math.min(HIGHEST_NANOS, once()));
        }
    }

    /** One operation, verified. Returns its latency in nanoseconds. */
    private long once() {
        counter++;
        long nanos =
                switch (operation) {
                    case SEND -> sendThereAndBack();
                    case WRITE -> write();
                    case READ -> read();
                    case CAS -> compareSwap();
                    case FAA -> fetchAdd();
                };
        busyNanos += operation == Operation.SEND ? 2 * nanos : nanos;
        return nanos;
    }

    private long sendThereAndBack() {
        Pattern.fill(left.source, counter);
        Pattern.fill(right.source, ~counter);
        Messages.posted(right.qp.postRecv(counter, right.mr.lkey(), right.target.address(), size));
        Messages.posted(left.qp.postRecv(counter, left.mr.lkey(), left.target.address(), size));
        long start = System.nanoTime();
        send(left);
        messages.complete(right.recvCq, counter);
        send(right);
        messages.complete(left.recvCq, counter);
        long nanos = System.nanoTime() - start;
        messages.complete(left.sendCq, counter);
        messages.complete(right.sendCq, counter);
        Pattern.verify(right.target, counter);
        Pattern.verify(left.target, ~counter);
        return nanos / 2;
    }

    private void send(Side side) {
        Messages.posted(
                side.qp.postSend(
                        counter, SendFlags.SIGNALED, side.mr.lkey(), side.source.address(), size));
    }

    private long write() {
        Pattern.fill(left.source, counter);
        long start = System.nanoTime();
        Messages.posted(
                left.qp.postWrite(
                        counter,
                        SendFlags.SIGNALED,
                        left.mr.lkey(),
                        left.source.address(),
                        size,
                        right.mr.rkey(),
                        right.target.address()));
        messages.complete(left.sendCq, counter);
        long nanos = System.nanoTime() - start;
        Pattern.verify(right.target, counter);
        return nanos;
    }

    private long read() {
        Pattern.fill(right.source, counter);
        long start = System.nanoTime();
        Messages.posted(
                left.qp.postRead(
                        counter,
                        SendFlags.SIGNALED,
                        left.mr.lkey(),
                        left.target.address(),
                        size,
                        right.mr.rkey(),
                        right.source.address()));
        messages.complete(left.sendCq, counter);
        long nanos = System.nanoTime() - start;
        Pattern.verify(left.target, counter);
        return nanos;
    }

    /** Each swap expects what the last one left. */
    private long compareSwap() {
        long start = System.nanoTime();
        left.qp.start();
        left.qp.wrId(counter).flags(SendFlags.SIGNALED);
        left.qp.compareSwap(right.mr.rkey(), right.target.address(), counter - 1, counter);
        left.qp.sge(left.mr.lkey(), left.target.address(), size);
        Messages.posted(left.qp.submit());
        messages.complete(left.sendCq, counter);
        long nanos = System.nanoTime() - start;
        expectAtomic(counter);
        return nanos;
    }

    private long fetchAdd() {
        long start = System.nanoTime();
        left.qp.start();
        left.qp.wrId(counter).flags(SendFlags.SIGNALED);
        left.qp.fetchAdd(right.mr.rkey(), right.target.address(), 1);
        left.qp.sge(left.mr.lkey(), left.target.address(), size);
        Messages.posted(left.qp.submit());
        messages.complete(left.sendCq, counter);
        long nanos = System.nanoTime() - start;
        expectAtomic(counter);
        return nanos;
    }

    private void expectAtomic(long now) {
        expectLong("the value that came back", left.target, now - 1);
        expectLong("the value at the peer", right.target, now);
    }

    private static void expectLong(String what, MemorySegment memory, long expected) {
        long found = memory.get(JAVA_LONG_UNALIGNED, 0);
        if (found != expected) {
            throw new CommandFailedException(
                    "data is wrong: %s is 0x%x, expected 0x%x".formatted(what, found, expected));
        }
    }

    @Override
    public void close() throws VerbsException {
        left.close();
        right.close();
    }
}
