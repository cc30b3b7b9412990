package org.ringside.softroce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.verbs.Access;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

@Timeout(30)
class SoftDatagramTest {
    private static final int GRH = 40;
    private static final int QKEY = 0x1111_1111;
    private static final int MULTICAST_QP = 0xff_ffff;

    private final SoftProvider provider = new SoftProvider();

    private static final class End implements AutoCloseable {
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final Arena arena = Arena.ofShared();
        final MemorySegment memory = arena.allocate(8192, 64);
        final MemoryRegion mr;
        private final WorkCompletions one = new WorkCompletions(1);

        End(Context context) throws VerbsException {
            this(context, QpType.UD);
        }

        End(Context context, QpType type) throws VerbsException {
            this.context = context;
            pd = context.createPd();
            cq = context.createCq(16);
            qp = pd.createQp(new QpOptions(cq).type(type));
            mr = pd.register(memory, EnumSet.of(Access.LOCAL_WRITE));
        }

        AddressHandle to(End other, int gidIndex) throws VerbsException {
            return pd.createAh(1, AddressVector.to(other.qp.endpoint(1, gidIndex), gidIndex));
        }

        PostResult send(AddressHandle to, int qp, int qkey, int length) {
            this.qp.start();
            this.qp.wrId(9).flags(SendFlags.SIGNALED);
            this.qp.sendImm(0xbeef);
            this.qp.to(to, qp, qkey);
            this.qp.sge(mr.lkey(), mr.address(), length);
            return this.qp.submit();
        }

        void receive() {
            assertThat(qp.postRecv(5, mr.lkey(), mr.address() + 4096, 4096))
                    .isEqualTo(PostResult.POSTED);
        }

        WorkCompletions next() {
            await(() -> cq.poll(one) == 1);
            return one;
        }

        @Override
        public void close() throws VerbsException {
            context.close();
            arena.close();
        }
    }

    private static void await(BooleanSupplier done) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("in time").isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldTellWhoSentADatagramAndWhereItsRouteHeaderIs() throws Exception {
        try (End a = new End(provider.open("soft/dg-a?ip=10.4.0.1"));
                End b = new End(provider.open("soft/dg-b?ip=10.4.0.2"))) {
            a.qp.startDatagrams(1, QKEY);
            b.qp.startDatagrams(1, QKEY);
            b.receive();
            a.memory.fill((byte) 7);
            assertThat(a.send(a.to(b, 1), b.qp.number(), QKEY, 100)).isEqualTo(PostResult.POSTED);
            assertThat(a.next().status(0)).isEqualTo(WcStatus.SUCCESS);
            WorkCompletions got = b.next();
            assertThat(got.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(got.byteLength(0)).isEqualTo(GRH + 100);
            assertThat(got.sourceQp(0)).isEqualTo(a.qp.number());
            assertThat(got.hasGrh(0)).isTrue();
            assertThat(got.immediate(0)).isEqualTo(0xbeef);
            // The IPv4 header lies in the last 20 bytes of the route header: its source address.
            assertThat(b.memory.get(ValueLayout.JAVA_INT_UNALIGNED, 4096 + 20 + 12))
                    .isEqualTo(Integer.reverseBytes(0x0a04_0001));
            assertThat(b.memory.asSlice(4096 + GRH, 100).mismatch(a.memory.asSlice(0, 100)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void shouldDropADatagramWithAnotherQkeyAndSendOwnQkeyWhenItsHighBitIsSet() throws Exception {
        try (End a = new End(provider.open("soft/key-a"));
                End b = new End(provider.open("soft/key-b"))) {
            a.qp.startDatagrams(1, QKEY);
            b.qp.startDatagrams(1, QKEY);
            b.receive();
            AddressHandle to = a.to(b, 0);
            assertThat(a.send(to, b.qp.number(), QKEY + 1, 8)).isEqualTo(PostResult.POSTED);
            assertThat(a.send(to, b.qp.number(), 1 << 31, 16)).isEqualTo(PostResult.POSTED);
            a.next();
            a.next();
            assertThat(b.next().byteLength(0)).isEqualTo(GRH + 16);
        }
    }

    @Test
    void shouldReceiveWhatIsSentToItsGroups() throws Exception {
        Gid group = Gid.parse("239.1.2.3");
        try (End a = new End(provider.open("soft/mc-a?ip=10.5.0.1"));
                End b = new End(provider.open("soft/mc-b?ip=10.5.0.2"))) {
            a.qp.startDatagrams(1, QKEY);
            b.qp.startDatagrams(1, QKEY);
            b.receive();
            b.receive();
            AddressHandle to = a.pd.createAh(1, new AddressVector(0, group, 1, null, 0, 0, 0, 1));
            assertThat(a.send(to, MULTICAST_QP, QKEY, 8)).isEqualTo(PostResult.POSTED);
            a.next();
            // Sent is not arrived: what comes behind it says that it did.
            assertThat(a.send(a.to(b, 1), b.qp.number(), QKEY, 16)).isEqualTo(PostResult.POSTED);
            a.next();
            assertThat(b.next().byteLength(0)).isEqualTo(GRH + 16);
            b.qp.attachMulticast(group);
            assertThat(a.send(to, MULTICAST_QP, QKEY, 24)).isEqualTo(PostResult.POSTED);
            a.next();
            assertThat(b.next().byteLength(0)).isEqualTo(GRH + 24);
            b.qp.detachMulticast(group);
            assertThatThrownBy(() -> b.qp.attachMulticast(Gid.parse("10.5.0.1")))
                    .hasMessageContaining("is no multicast address");
        }
    }

    @Test
    void shouldRefuseWhatADatagramCannotBe() throws Exception {
        try (End a = new End(provider.open("soft/no-a"));
                End b = new End(provider.open("soft/no-b"))) {
            a.qp.startDatagrams(1, QKEY);
            b.qp.startDatagrams(1, QKEY);
            AddressHandle to = a.to(b, 0);
            assertThat(a.qp.postSend(1, 0, a.mr.lkey(), a.mr.address(), 8))
                    .as("sent to nobody")
                    .isEqualTo(PostResult.BAD_SEQUENCE);
            assertThat(a.qp.postWrite(1, 0, a.mr.lkey(), a.mr.address(), 8, 0, 0))
                    .isEqualTo(PostResult.NOT_SUPPORTED);
            Endpoint peer = b.qp.endpoint();
            assertThatThrownBy(() -> a.qp.connect(peer)).hasMessageContaining("startDatagrams");
            assertThatThrownBy(() -> a.qp.toInit(new QpTransitions.ToInitDatagram(1, 3, 0)))
                    .isInstanceOf(VerbsException.class);
            // Longer than a packet: the send queue stops, and can be started anew.
            assertThat(a.send(to, b.qp.number(), QKEY, 4097)).isEqualTo(PostResult.POSTED);
            assertThat(a.next().status(0)).isEqualTo(WcStatus.LOC_LEN_ERR);
        }
    }

    @Test
    void shouldHaveOneQpForManagement() throws Exception {
        try (End a = new End(provider.open("soft/gsi-a"), QpType.GSI)) {
            assertThat(a.qp.number()).isEqualTo(1);
            assertThatThrownBy(() -> a.pd.createQp(new QpOptions(a.cq).type(QpType.GSI)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("has its QP 1 already");
            a.qp.close();
            a.pd.createQp(new QpOptions(a.cq).type(QpType.GSI)).close();
        }
    }
}
