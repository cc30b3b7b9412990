package org.ringside.softroce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;
import org.ringside.verbs.cm.CmAddress;
import org.ringside.verbs.cm.CmConnection;
import org.ringside.verbs.cm.CmDatagramPeer;
import org.ringside.verbs.cm.CmListener;
import org.ringside.verbs.cm.CmOptions;
import org.ringside.verbs.cm.CmRejectedException;
import org.ringside.verbs.cm.CmRequest;
import org.ringside.verbs.cm.ConnectionManager;
import org.ringside.verbs.cm.PortSpace;

@Timeout(60)
class SoftCmTest {
    private static final int PORT = 7174;
    private static final int QKEY = 0x0123_4567;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SoftProvider provider = new SoftProvider();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static final class Host implements AutoCloseable {
        final Context context;
        final ConnectionManager cm;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final Arena arena = Arena.ofShared();
        final MemorySegment memory = arena.allocate(8192, 64);
        final MemoryRegion mr;
        private final WorkCompletions one = new WorkCompletions(1);

        Host(Context context) throws VerbsException {
            this.context = context;
            cm = ConnectionManager.open(context);
            pd = context.createPd();
            cq = context.createCq(64);
            mr = pd.register(memory, EnumSet.allOf(Access.class));
        }

        QueuePair qp(QpType type) throws VerbsException {
            return pd.createQp(new QpOptions(cq).type(type));
        }

        WorkCompletions next() {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (cq.poll(one) == 0) {
                assertThat(System.nanoTime() - end).as("completion in time").isNegative();
                Thread.onSpinWait();
            }
            return one;
        }

        @Override
        public void close() throws VerbsException {
            context.close();
            arena.close();
        }
    }

    private Host host(String address) throws VerbsException {
        return new Host(provider.open("soft/cm-%s?ip=%s".formatted(address, address)));
    }

    private static CmRequest request(CmListener listener) throws InterruptedException {
        CmRequest request = listener.await(PATIENCE);
        assertThat(request).as("request in time").isNotNull();
        return request;
    }

    private <T> Future<T> concurrently(Callable<T> work) {
        return threads.submit(work);
    }

    @Test
    void shouldConnectAndMoveDataAndEnd() throws Exception {
        try (Host client = host("10.6.0.1");
                Host server = host("10.6.0.2");
                CmListener listener = server.cm.listen(PortSpace.TCP, PORT)) {
            Future<CmConnection> accepting =
                    concurrently(
                            () -> {
                                CmRequest request = request(listener);
                                assertThat(request.type()).isEqualTo(QpType.RC);
                                assertThat(new String(request.privateData(), UTF_8).trim())
                                        .isEqualTo("who is there");
                                assertThat(request.privateData()).hasSize(56);
                                assertThat(request.peer().gid().toString())
                                        .isEqualTo("::ffff:10.6.0.1");
                                QueuePair qp = server.qp(QpType.RC);
                                qp.toInit(
                                        new QpTransitions.ToInit(
                                                1, 0, EnumSet.allOf(Access.class)));
                                qp.postRecv(5, server.mr.lkey(), server.mr.address(), 4096);
                                return request.accept(
                                        qp, new CmOptions().privateData("me".getBytes(UTF_8)));
                            });
            QueuePair qp = client.qp(QpType.RC);
            CmConnection connection =
                    client.cm.connect(
                            qp,
                            CmAddress.of("10.6.0.2", PORT),
                            new CmOptions().privateData("who is there".getBytes(UTF_8)));
            CmConnection accepted = accepting.get();
            assertThat(new String(connection.privateData(), UTF_8).trim()).isEqualTo("me");
            assertThat(connection.isEstablished()).isTrue();
            assertThat(qp.state()).isEqualTo(QpState.RTS);

            client.memory.fill((byte) 9);
            assertThat(
                            qp.postSend(
                                    1,
                                    SendFlags.SIGNALED,
                                    client.mr.lkey(),
                                    client.mr.address(),
                                    100))
                    .isEqualTo(PostResult.POSTED);
            assertThat(client.next().status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(server.next().byteLength(0)).isEqualTo(100);
            assertThat(server.memory.asSlice(0, 100).mismatch(client.memory.asSlice(0, 100)))
                    .isEqualTo(-1);

            connection.disconnect();
            assertThat(accepted.awaitDisconnect(PATIENCE)).isTrue();
            assertThat(qp.state()).isEqualTo(QpState.ERR);
            assertThat(connection.isEstablished()).isFalse();
            accepted.disconnect();
            connection.close();
        }
    }

    @Test
    void shouldConnectAnUnreliableConnectionWithASmallerMtu() throws Exception {
        try (Host client = host("10.7.0.1");
                Host server = host("10.7.0.2");
                CmListener listener = server.cm.listen(PortSpace.TCP, PORT)) {
            Future<CmConnection> accepting =
                    concurrently(
                            () -> {
                                CmRequest request = request(listener);
                                assertThat(request.type()).isEqualTo(QpType.UC);
                                QueuePair wrong = server.qp(QpType.RC);
                                assertThatThrownBy(() -> request.accept(wrong, new CmOptions()))
                                        .hasMessageContaining("the request is for UC");
                                return request.accept(server.qp(QpType.UC), new CmOptions());
                            });
            CmConnection connection =
                    client.cm.connect(
                            client.qp(QpType.UC),
                            CmAddress.of("10.7.0.2", PORT),
                            new CmOptions().mtu(Mtu.MTU_256));
            CmConnection accepted = accepting.get();
            accepted.close();
            assertThat(connection.awaitDisconnect(PATIENCE)).isTrue();
        }
    }

    @Test
    void shouldSayThatNobodyListensOrThatTheServerDoesNotWantIt() throws Exception {
        try (Host client = host("10.8.0.1");
                Host server = host("10.8.0.2")) {
            QueuePair qp = client.qp(QpType.RC);
            CmAddress to = CmAddress.of("10.8.0.2", PORT);
            assertThatThrownBy(() -> client.cm.connect(qp, to, new CmOptions()))
                    .isInstanceOfSatisfying(
                            CmRejectedException.class, e -> assertThat(e.reason()).isEqualTo(8))
                    .hasMessageContaining("nobody listens there");
            assertThat(qp.state()).isEqualTo(QpState.RESET);
            try (CmListener listener = server.cm.listen(PortSpace.TCP, PORT)) {
                assertThatThrownBy(() -> server.cm.listen(PortSpace.TCP, PORT))
                        .hasMessageContaining("somebody listens");
                Future<?> rejecting =
                        concurrently(
                                () -> {
                                    request(listener).reject("full".getBytes(UTF_8));
                                    return true;
                                });
                assertThatThrownBy(() -> client.cm.connect(qp, to, new CmOptions()))
                        .isInstanceOfSatisfying(
                                CmRejectedException.class,
                                e -> {
                                    assertThat(e.reason()).isEqualTo(28);
                                    assertThat(new String(e.privateData(), UTF_8).trim())
                                            .isEqualTo("full");
                                });
                rejecting.get();
            }
            // A listener that went takes its requests with it.
            assertThatThrownBy(() -> client.cm.connect(qp, to, new CmOptions()))
                    .hasMessageContaining("nobody listens there");
        }
    }

    @Test
    void shouldResolveWhereDatagramsGo() throws Exception {
        try (Host client = host("10.9.0.1");
                Host server = host("10.9.0.2");
                CmListener listener = server.cm.listen(PortSpace.UDP, PORT)) {
            QueuePair to = server.qp(QpType.UD);
            to.startDatagrams(1, QKEY);
            to.postRecv(5, server.mr.lkey(), server.mr.address(), 4096);
            Future<?> answering =
                    concurrently(
                            () -> {
                                CmRequest request = request(listener);
                                assertThat(request.type()).isEqualTo(QpType.UD);
                                assertThatThrownBy(() -> request.accept(to, new CmOptions()))
                                        .hasMessageContaining("acceptDatagrams");
                                request.acceptDatagrams(to, QKEY, new byte[] {1, 2});
                                return true;
                            });
            CmDatagramPeer peer =
                    client.cm.resolve(client.pd, CmAddress.of("10.9.0.2", PORT), new CmOptions());
            answering.get();
            assertThat(peer.qpNumber()).isEqualTo(to.number());
            assertThat(peer.qkey()).isEqualTo(QKEY);
            assertThat(peer.privateData()).startsWith(1, 2).hasSize(136);
            QueuePair from = client.qp(QpType.UD);
            from.startDatagrams(1, QKEY);
            from.start();
            from.wrId(1).flags(SendFlags.SIGNALED);
            from.send();
            from.to(peer.handle(), peer.qpNumber(), peer.qkey());
            from.sge(client.mr.lkey(), client.mr.address(), 10);
            assertThat(from.submit()).isEqualTo(PostResult.POSTED);
            assertThat(server.next().sourceQp(0)).isEqualTo(from.number());
            assertThatThrownBy(
                            () ->
                                    client.cm.resolve(
                                            client.pd,
                                            CmAddress.of("10.9.0.2", PORT + 1),
                                            new CmOptions()))
                    .isInstanceOf(CmRejectedException.class)
                    .hasMessageContaining("nobody listens there");
        }
    }

    @Test
    void shouldEndConnectionsWithTheManagerAndWakeWhoWaits() throws Exception {
        try (Host client = host("10.10.0.1")) {
            CmConnection connection;
            Future<?> waiting;
            try (Host server = host("10.10.0.2")) {
                CmListener listener = server.cm.listen(PortSpace.TCP, PORT);
                Future<CmConnection> accepting =
                        concurrently(
                                () ->
                                        request(listener)
                                                .accept(server.qp(QpType.RC), new CmOptions()));
                connection =
                        client.cm.connect(
                                client.qp(QpType.RC),
                                CmAddress.of("10.10.0.2", PORT),
                                new CmOptions());
                accepting.get();
                waiting = concurrently(() -> listener.await(Duration.ofHours(1)));
                assertThatThrownBy(() -> ConnectionManager.open(server.context))
                        .isInstanceOfSatisfying(
                                VerbsException.class,
                                e -> assertThat(e.errno()).isEqualTo(VerbsException.EBUSY));
            }
            assertThat(waiting.get()).isNull();
            assertThat(connection.awaitDisconnect(PATIENCE)).isTrue();
        }
    }

    @Test
    void shouldGiveUpInTimeWhenNobodyAnswers() throws Exception {
        try (Host client = host("10.11.0.1");
                Context deaf = provider.open("soft/deaf?ip=10.11.0.2")) {
            assertThat(deaf.isLost()).isFalse();
            assertThatThrownBy(
                            () ->
                                    client.cm.connect(
                                            client.qp(QpType.RC),
                                            CmAddress.of("10.11.0.2", PORT),
                                            new CmOptions().timeout(Duration.ofMillis(300))))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.ETIMEDOUT))
                    .hasMessageContaining("no answer");
            assertThatThrownBy(
                            () ->
                                    client.cm.connect(
                                            client.qp(QpType.RC),
                                            CmAddress.of("fe80::1", PORT),
                                            new CmOptions().privateData(new byte[57])))
                    .hasMessageContaining("57 bytes of private data, at most 56");
        }
    }
}
