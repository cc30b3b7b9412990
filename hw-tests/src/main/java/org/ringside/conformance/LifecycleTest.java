package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/** Opening and closing, in and out of order. */
class LifecycleTest extends KitTest {
    @Test
    void shouldOpenAgainAfterClose() throws Exception {
        OpenDevices.release(topology.left());
        OpenDevices.release(topology.right());
        for (int i = 0; i < 3; i++) {
            try (Context context = Verbs.open(topology.left())) {
                assertThat(context.port(1).active()).isTrue();
            }
        }
    }

    @Test
    void shouldCloseAllThatWasMadeFromAContext() throws Exception {
        OpenDevices.release(topology.left());
        Context context = Verbs.open(topology.left());
        ProtectionDomain pd = context.createPd();
        CompletionQueue cq = context.createCq(16);
        QueuePair qp = pd.createQp(new QpOptions(cq));
        MemoryRegion mr;
        try (Arena arena = Arena.ofShared()) {
            mr = pd.register(arena.allocate(4096), End.ALL);
            context.close();
        }

        assertThat(context.isClosed()).isTrue();
        assertThat(pd.isClosed()).isTrue();
        assertThat(cq.isClosed()).isTrue();
        assertThat(qp.isClosed()).isTrue();
        assertThat(mr.isClosed()).isTrue();
        context.close();
        qp.close();
    }

    @Test
    void shouldRefuseToCloseWhatIsInUse() throws Exception {
        Context context = OpenDevices.get(topology.left());
        try (ProtectionDomain pd = context.createPd();
                CompletionQueue cq = context.createCq(16);
                QueuePair qp = pd.createQp(new QpOptions(cq))) {
            assertBusy(cq::close, qp.toString());
            assertBusy(pd::close, qp.toString());
            assertThat(cq.isClosed()).isFalse();
            assertThat(cq.startPoll()).isFalse();
        }
    }

    @Test
    void shouldRefuseWorkOnClosedObjects() throws Exception {
        ProtectionDomain pd = OpenDevices.get(topology.left()).createPd();
        pd.close();
        pd.close();

        assertThatThrownBy(() -> pd.register(Arena.global().allocate(64), End.ALL))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void shouldMakeAndCloseObjectsManyTimes() throws Exception {
        Context context = OpenDevices.get(topology.left());
        int rounds = Integer.getInteger("ringside.kit.rounds", 200);
        for (int i = 0; i < rounds; i++) {
            try (End end = new End(context, 4096, EndOptions.USUAL)) {
                assertThat(end.qp.number()).isBetween(1, 0xffffff);
            }
        }
    }

    @Test
    void shouldRefuseSizesBeyondTheDevice() throws Exception {
        Context context = OpenDevices.get(topology.left());
        int tooMany = context.attributes().maxCqe() + 1;

        assertThatThrownBy(() -> context.createCq(tooMany))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("CQ size is " + tooMany);
        assertThatThrownBy(() -> context.createCq(0)).isInstanceOf(VerbsException.class);
        try (ProtectionDomain pd = context.createPd();
                CompletionQueue cq = context.createCq(16)) {
            int tooLong = context.attributes().maxQpWr() + 1;
            assertThatThrownBy(() -> pd.createQp(new QpOptions(cq).sendWrs(tooLong)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("send queue size is " + tooLong);
        }
    }

    private interface Closing {
        void run() throws VerbsException;
    }

    private static void assertBusy(Closing closing, String user) {
        assertThatThrownBy(closing::run)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.EBUSY))
                .hasMessageContaining(user);
    }
}
