package org.ringside.interop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import org.ringside.verbs.Access;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;

/**
 * The life of one RC connection, for a recording: open, PD, memory, CQ, two QPs of one device
 * connected to each other, an operation of each kind, ERR, RESET, close. guest/one-connection.py
 * does the same with the same numbers by other drivers.
 *
 * <pre>
 *   OneConnection DEVICE...        one after the other
 * </pre>
 */
public final class OneConnection {
    private static final int CQ_ENTRIES = 100;
    private static final int WRS = 16;
    private static final int BYTES = 8192;
    private static final int MESSAGE = 1024;
    private static final int TARGET = 4096;
    private static final int PSN = 0x123456;
    private static final int RD_ATOMIC = 4;
    private static final int MIN_RNR_TIMER = 12;
    private static final int ACK_TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int IMMEDIATE = 0x03020100;
    private static final int OPERATIONS = 5;
    private static final int ADD = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final MemoryRegion mr;
    private final MemorySegment memory;
    private final QueuePair first;
    private final QueuePair second;

    private OneConnection(
            CompletionChannel channel,
            CompletionQueue cq,
            MemoryRegion mr,
            QueuePair first,
            QueuePair second) {
        this.channel = channel;
        this.cq = cq;
        this.mr = mr;
        this.memory = mr.memory();
        this.first = first;
        this.second = second;
    }

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        for (String device : args) {
            live(device);
            System.out.println(device + ": " + OPERATIONS + " operations, all verified");
        }
    }

    private static void live(String device) throws VerbsException, InterruptedException {
        try (Context context = Verbs.open(device);
                ProtectionDomain pd = context.createPd();
                DeviceBuffer buffer = context.allocate(BYTES);
                MemoryRegion mr = pd.register(buffer, EnumSet.allOf(Access.class));
                CompletionChannel channel = context.createCompletionChannel(0);
                CompletionQueue cq = context.createCq(CQ_ENTRIES, channel);
                QueuePair first = pd.createQp(new QpOptions(cq).sendWrs(WRS).recvWrs(WRS));
                QueuePair second = pd.createQp(new QpOptions(cq).sendWrs(WRS).recvWrs(WRS))) {
            connect(first, second.endpoint());
            connect(second, first.endpoint());
            OneConnection connection = new OneConnection(channel, cq, mr, first, second);
            connection.operate();
            first.toErr();
            first.toReset();
            second.toErr();
            second.toReset();
        }
    }

    private static void connect(QueuePair qp, Endpoint peer) throws VerbsException {
        qp.toInit(new QpTransitions.ToInit(1, 0, EnumSet.allOf(Access.class)));
        qp.toRtr(
                new QpTransitions.ToRtr(
                        AddressVector.to(peer, 0),
                        Mtu.MTU_1024,
                        peer.qpNumber(),
                        PSN,
                        RD_ATOMIC,
                        MIN_RNR_TIMER));
        qp.toRts(new QpTransitions.ToRts(PSN, ACK_TIMEOUT, RETRIES, RETRIES, RD_ATOMIC));
    }

    /** The first completion is waited for, the others are polled. */
    private void operate() throws InterruptedException {
        for (int i = 0; i < MESSAGE; i++) {
            memory.set(JAVA_BYTE, i, (byte) (i * ADD));
        }
        cq.requestNotify(false);
        posted(second.postRecv(0, mr.lkey(), memory.address() + TARGET, MESSAGE));
        request(1, () -> first.sendImm(IMMEDIATE), 0, MESSAGE);
        if (!cq.equals(channel.await(PATIENCE))) {
            throw new IllegalStateException("no notification within " + PATIENCE);
        }
        complete();
        complete();
        expectMessage("SEND");
        long remote = memory.address() + TARGET;
        request(2, () -> first.write(mr.rkey(), remote + MESSAGE), 0, MESSAGE);
        complete();
        request(3, () -> first.read(mr.rkey(), remote + MESSAGE), TARGET, MESSAGE);
        complete();
        expectMessage("READ of what was written");
        memory.set(JAVA_LONG, TARGET, 1);
        request(4, () -> first.fetchAdd(mr.rkey(), remote, ADD), 0, Long.BYTES);
        complete();
        expect("fetch-and-add", memory.get(JAVA_LONG, 0), 1);
        request(5, () -> first.compareSwap(mr.rkey(), remote, 1 + ADD, 9), 0, Long.BYTES);
        complete();
        expect("compare-and-swap", memory.get(JAVA_LONG, 0), 1 + ADD);
        expect("the word at the peer", memory.get(JAVA_LONG, TARGET), 9);
    }

    private void request(int id, Runnable operation, int offset, int length) {
        first.start();
        first.wrId(id).flags(SendFlags.SIGNALED);
        operation.run();
        first.sge(mr.lkey(), memory.address() + offset, length);
        posted(first.submit());
    }

    private static void posted(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new IllegalStateException("a work request was not taken: " + result);
        }
    }

    private void complete() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!cq.startPoll()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("no completion within " + PATIENCE);
            }
            Thread.onSpinWait();
        }
        WcStatus status = cq.status();
        long id = cq.wrId();
        cq.endPoll();
        if (status != WcStatus.SUCCESS) {
            throw new IllegalStateException("work request " + id + " ended with " + status);
        }
    }

    private void expectMessage(String what) {
        long at = memory.asSlice(0, MESSAGE).mismatch(memory.asSlice(TARGET, MESSAGE));
        if (at >= 0) {
            throw new IllegalStateException(what + ": byte " + at + " is wrong");
        }
    }

    private static void expect(String what, long found, long wanted) {
        if (found != wanted) {
            throw new IllegalStateException(
                    "%s left 0x%x, expected 0x%x".formatted(what, found, wanted));
        }
    }
}
