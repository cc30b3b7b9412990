package org.ringside.verbs;

import java.util.Objects;

/**
 * What a queue pair is made with. Fluent; copied by the QP, so one can serve for many.
 *
 * <p>Defaults: RC, 64 work requests each way, 1 scatter/gather entry, 64 bytes inline, a completion
 * only for requests with {@link SendFlags#SIGNALED}.
 */
public final class QpOptions {
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private QpType type = QpType.RC;
    private int sendWrs = 64;
    private int recvWrs = 64;
    private int sendSges = 1;
    private int recvSges = 1;
    private int inlineBytes = 64;
    private boolean signalAll;

    /** Completions of sends go to one CQ, those of receives to another; they may be the same. */
    public QpOptions(CompletionQueue sendCq, CompletionQueue recvCq) {
        this.sendCq = Objects.requireNonNull(sendCq, "sendCq");
        this.recvCq = Objects.requireNonNull(recvCq, "recvCq");
    }

    /** All completions go to one CQ. */
    public QpOptions(CompletionQueue cq) {
        this(cq, cq);
    }

    /** Transport service. */
    public QpOptions type(QpType type) {
        this.type = Objects.requireNonNull(type, "type");
        return this;
    }

    /** Send work requests outstanding at most. */
    public QpOptions sendWrs(int sendWrs) {
        this.sendWrs = sendWrs;
        return this;
    }

    /** Receive work requests outstanding at most. */
    public QpOptions recvWrs(int recvWrs) {
        this.recvWrs = recvWrs;
        return this;
    }

    /** Scatter/gather entries of a send work request at most. */
    public QpOptions sendSges(int sendSges) {
        this.sendSges = sendSges;
        return this;
    }

    /** Scatter/gather entries of a receive work request at most. */
    public QpOptions recvSges(int recvSges) {
        this.recvSges = recvSges;
        return this;
    }

    /** Bytes of inline data of a send work request at most. */
    public QpOptions inlineBytes(int inlineBytes) {
        this.inlineBytes = inlineBytes;
        return this;
    }

    /** Whether every send makes a completion. */
    public QpOptions signalAll(boolean signalAll) {
        this.signalAll = signalAll;
        return this;
    }

    public CompletionQueue sendCq() {
        return sendCq;
    }

    public CompletionQueue recvCq() {
        return recvCq;
    }

    public QpType type() {
        return type;
    }

    public int sendWrs() {
        return sendWrs;
    }

    public int recvWrs() {
        return recvWrs;
    }

    public int sendSges() {
        return sendSges;
    }

    public int recvSges() {
        return recvSges;
    }

    public int inlineBytes() {
        return inlineBytes;
    }

    public boolean signalAll() {
        return signalAll;
    }

    void check(Context context) throws VerbsException {
        context.requireMine(sendCq, sendCq.context());
        context.requireMine(recvCq, recvCq.context());
        DeviceAttributes device = context.attributes();
        Checks.limit("send queue size", sendWrs, 1, device.maxQpWr());
        Checks.limit("receive queue size", recvWrs, 1, device.maxQpWr());
        Checks.limit("send scatter/gather entries", sendSges, 1, device.maxSge());
        Checks.limit("receive scatter/gather entries", recvSges, 1, device.maxSge());
        Checks.limit("inline bytes", inlineBytes, 0, device.maxInline());
    }
}
