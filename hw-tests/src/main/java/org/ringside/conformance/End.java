package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WorkCompletions;

/** One end of a connection with all that it needs: PD, CQ, QP and a registered buffer. */
final class End implements AutoCloseable {
    static final Set<Access> ALL = EnumSet.allOf(Access.class);

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final QueuePair qp;
    final DeviceBuffer buffer;
    final MemoryRegion mr;
    final MemorySegment memory;

    End(Context context, long bufferSize, EndOptions options) throws VerbsException {
        this.context = context;
        this.pd = context.createPd();
        this.cq = context.createCq(options.cqEntries());
        this.qp =
                pd.createQp(
                        new QpOptions(cq)
                                .sendWrs(options.wrs())
                                .recvWrs(options.wrs())
                                .sendSges(options.sges())
                                .recvSges(options.sges())
                                .inlineBytes(options.inlineBytes())
                                .signalAll(options.signalAll()));
        this.buffer = context.allocate(bufferSize);
        this.memory = buffer.memory();
        this.mr = pd.register(buffer, ALL);
    }

    int lkey() {
        return mr.lkey();
    }

    int rkey() {
        return mr.rkey();
    }

    /** Address of an offset in the buffer. */
    long at(long offset) {
        return mr.address() + offset;
    }

    void postRecv(long wrId, long offset, long length) {
        assertThat(qp.postRecv(wrId, lkey(), at(offset), length)).isEqualTo(PostResult.POSTED);
    }

    void submit() {
        assertThat(qp.submit()).isEqualTo(PostResult.POSTED);
    }

    /** Waits for the next completion, which must be the only one taken. */
    WorkCompletions next() {
        return Wait.forCompletion(cq);
    }

    /** Asserts that nothing has completed. */
    void expectNothing() {
        assertThat(cq.startPoll()).as("a completion on " + cq).isFalse();
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        mr.close();
        buffer.close();
        cq.close();
        pd.close();
    }
}
