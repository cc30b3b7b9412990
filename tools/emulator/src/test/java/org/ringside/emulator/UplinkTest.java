package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** An emulated ConnectX and a soft-RoCE device on the two ends of a socket. */
@Timeout(60)
class UplinkTest {
    private static final int BYTES = 1 << 20;
    private static final int LENGTH = 100_001;

    @TempDir private Path directory;
    private End soft;
    private End card;

    private static final class End implements AutoCloseable {
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final Arena arena = Arena.ofShared();
        final MemorySegment memory = arena.allocate(BYTES, 4096);
        final MemoryRegion mr;
        private final WorkCompletions one = new WorkCompletions(1);

        End(String name, Set<Access> access) throws VerbsException {
            context = Verbs.open(name);
            pd = context.createPd();
            cq = context.createCq(64);
            qp = pd.createQp(new QpOptions(cq).sendSges(2));
            mr = pd.register(memory, access);
        }

        WorkCompletions next() {
            long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (cq.poll(one) == 0) {
                assertThat(System.nanoTime() - end).as("completion in time").isNegative();
                Thread.onSpinWait();
            }
            return one;
        }

        void expect(WcStatus status) {
            assertThat(next().status(0)).isEqualTo(status);
        }

        @Override
        public void close() throws VerbsException {
            context.close();
            arena.close();
        }
    }

    @BeforeEach
    void join() throws Exception {
        Path socket = directory.resolve("wire");
        soft = new End("soft/uplink-peer?listen=" + socket, EnumSet.allOf(Access.class));
        card = new End("emulated/uplink?wire=" + socket, EnumSet.allOf(Access.class));
        Endpoint left = soft.qp.endpoint();
        Endpoint right = card.qp.endpoint();
        ConnectOptions options = new ConnectOptions().timeout(12).mtu(Mtu.MTU_1024);
        soft.qp.connect(right, options);
        card.qp.connect(left, options);
    }

    @AfterEach
    void close() throws Exception {
        soft.close();
        card.close();
    }

    private static void fill(MemorySegment memory, int seed) {
        for (long i = 0; i < memory.byteSize(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + seed + (i >> 8)));
        }
    }

    private static void same(MemorySegment a, long at, MemorySegment b, long from, long length) {
        assertThat(MemorySegment.mismatch(a, at, at + length, b, from, from + length))
                .isEqualTo(-1);
    }

    private static void send(End from, End to) {
        fill(from.memory, 3);
        to.memory.fill((byte) 0);
        assertThat(to.qp.postRecv(5, to.mr.lkey(), to.mr.address() + 17, LENGTH + 1))
                .isEqualTo(PostResult.POSTED);
        from.qp.start();
        from.qp.wrId(1).flags(SendFlags.SIGNALED);
        from.qp.sendImm(0x1234_5678);
        from.qp.sge(from.mr.lkey(), from.mr.address(), 1000);
        from.qp.sge(from.mr.lkey(), from.mr.address() + 1000, LENGTH - 1000);
        assertThat(from.qp.submit()).isEqualTo(PostResult.POSTED);
        from.expect(WcStatus.SUCCESS);
        WorkCompletions got = to.next();
        assertThat(got.status(0)).isEqualTo(WcStatus.SUCCESS);
        assertThat(got.opcode(0)).isEqualTo(WcOpcode.RECV);
        assertThat(got.byteLength(0)).isEqualTo(LENGTH);
        assertThat(got.immediate(0)).isEqualTo(0x1234_5678);
        same(from.memory, 0, to.memory, 17, LENGTH);
    }

    private static void access(End from, End to) {
        fill(from.memory, 5);
        to.memory.fill((byte) 0);
        from.qp.postWrite(
                1,
                SendFlags.SIGNALED,
                from.mr.lkey(),
                from.mr.address(),
                LENGTH,
                to.mr.rkey(),
                to.mr.address() + 8);
        from.expect(WcStatus.SUCCESS);
        same(from.memory, 0, to.memory, 8, LENGTH);
        from.memory.fill((byte) 0);
        from.qp.postRead(
                2,
                SendFlags.SIGNALED,
                from.mr.lkey(),
                from.mr.address(),
                LENGTH,
                to.mr.rkey(),
                to.mr.address() + 8);
        assertThat(from.next().byteLength(0)).isEqualTo(LENGTH);
        same(from.memory, 0, to.memory, 8, LENGTH);
        to.memory.set(ValueLayout.JAVA_LONG, 0, 40);
        from.qp.start();
        from.qp.wrId(3).flags(SendFlags.SIGNALED);
        from.qp.fetchAdd(to.mr.rkey(), to.mr.address(), 2);
        from.qp.sge(from.mr.lkey(), from.mr.address(), 8);
        from.qp.wrId(4).flags(SendFlags.SIGNALED);
        from.qp.compareSwap(to.mr.rkey(), to.mr.address(), 42, 7);
        from.qp.sge(from.mr.lkey(), from.mr.address() + 8, 8);
        assertThat(from.qp.submit()).isEqualTo(PostResult.POSTED);
        from.expect(WcStatus.SUCCESS);
        from.expect(WcStatus.SUCCESS);
        assertThat(from.memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
        assertThat(from.memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(42);
        assertThat(to.memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
    }

    @Test
    void shouldMoveDataBothWays() {
        send(card, soft);
        send(soft, card);
        access(card, soft);
        access(soft, card);
    }

    @Test
    void shouldSendInlineDataAndMoreThanTheTransportHasUnderWay() {
        MemorySegment text = MemorySegment.ofArray("inline".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 60; i++) {
            soft.qp.postRecv(i, soft.mr.lkey(), soft.mr.address() + i * 16L, 16);
        }
        card.qp.start();
        for (int i = 0; i < 60; i++) {
            card.qp.wrId(i).flags(i == 59 ? SendFlags.SIGNALED : SendFlags.NONE);
            card.qp.send();
            card.qp.inline(text, 0, 6);
        }
        assertThat(card.qp.submit()).isEqualTo(PostResult.POSTED);
        for (int i = 0; i < 60; i++) {
            assertThat(soft.next().wrId(0)).isEqualTo(i);
        }
        assertThat(card.next().wrId(0)).isEqualTo(59);
        assertThat(soft.memory.getString(59 * 16).substring(0, 6)).isEqualTo("inline");
    }

    @Test
    void shouldFailAsACardDoesWhenThePeerRefuses() throws Exception {
        card.qp.postWrite(
                1, 0, card.mr.lkey(), card.mr.address(), 8, soft.mr.rkey() + 1, soft.mr.address());
        card.qp.postSend(2, 0, card.mr.lkey(), card.mr.address(), 8);
        card.qp.postRecv(3, card.mr.lkey(), card.mr.address(), 8);
        card.expect(WcStatus.REM_ACCESS_ERR);
        card.expect(WcStatus.WR_FLUSH_ERR);
        card.expect(WcStatus.WR_FLUSH_ERR);
        assertThat(card.qp.queryState()).isEqualTo(QpState.ERR);
        // What is posted now is flushed too.
        card.qp.postSend(4, 0, card.mr.lkey(), card.mr.address(), 8);
        card.expect(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void shouldRefuseThePeerAndTellOwnFaults() throws Exception {
        soft.qp.postRead(
                1,
                SendFlags.SIGNALED,
                soft.mr.lkey(),
                soft.mr.address(),
                8,
                card.mr.rkey(),
                card.mr.address() + BYTES);
        soft.expect(WcStatus.REM_ACCESS_ERR);
        assertThat(card.qp.queryState()).isEqualTo(QpState.ERR);
        card.qp.toReset();
        soft.qp.toReset();
        Endpoint left = soft.qp.endpoint();
        Endpoint right = card.qp.endpoint();
        soft.qp.connect(right);
        card.qp.connect(left);
        card.qp.postSend(9, SendFlags.SIGNALED, card.mr.lkey() + 1, card.mr.address(), 8);
        card.expect(WcStatus.LOC_PROT_ERR);
    }

    @Test
    void shouldGiveUpWhenThePeerIsGone() throws Exception {
        soft.qp.close();
        card.qp.postSend(1, 0, card.mr.lkey(), card.mr.address(), 8);
        card.expect(WcStatus.RETRY_EXC_ERR);
    }

    @Test
    void shouldSayWhatIsWrongWithAWire() {
        assertThatThrownBy(() -> Verbs.open("emulated/x?wire=" + directory.resolve("nobody")))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("-netdev stream,server=on");
        assertThatThrownBy(() -> Verbs.open("emulated/y?wire=" + directory.resolve("wire")))
                .hasMessageContaining("has its device already");
        assertThatThrownBy(
                        () ->
                                Verbs.open(
                                        "emulated/z?profile=ib&wire="
                                                + directory.resolve("nobody")))
                .hasMessageContaining("InfiniBand port");
    }
}
