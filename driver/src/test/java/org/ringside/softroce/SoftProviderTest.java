package org.ringside.softroce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.ethernet.EthernetPort;
import org.ringside.ethernet.Hub;
import org.ringside.verbs.Access;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
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

class SoftProviderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SoftProvider provider = new SoftProvider();

    @Test
    void shouldRefuseANameTwiceUntilItIsClosed() throws Exception {
        try (Context first = provider.open("soft/twice")) {
            assertThatThrownBy(() -> provider.open("soft/twice?ip=10.0.0.1"))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.EBUSY))
                    .hasMessageContaining("can be open once");
            assertThat(first.port(1).active()).isTrue();
        }
        provider.open("soft/twice").close();
    }

    @Test
    void shouldSayWhatIsWrongWithAName() {
        assertThatThrownBy(() -> provider.open("soft/"))
                .isInstanceOf(VerbsException.class)
                .hasMessage("soft/: no name; choose one, as in soft/a");
        assertThatThrownBy(() -> provider.open("soft/a?ip=host"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("\"host\" is no IP address literal")
                .hasMessageContaining("ip=ADDRESS");
        assertThatThrownBy(() -> provider.open("soft/a?mtu=9"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("\"mtu=9\" is no option");
    }

    @Test
    void shouldSayWhenNobodyListensAtTheWire() {
        assertThatThrownBy(() -> provider.open("soft/wired?wire=/nowhere/net.sock"))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.ENODEV))
                .hasMessageContaining("cannot connect to /nowhere/net.sock")
                .hasMessageContaining("-netdev stream,server=on");
    }

    @Test
    void shouldDieWithItsWire(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("net.sock");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket));
            try (Context context = provider.open("soft/wire-a?ip=10.4.0.1&wire=" + socket)) {
                assertThat(context.port(1).active()).isTrue();
                listener.accept().close();
                AsyncEvent event = context.awaitEvent(PATIENCE);
                assertThat(event).isNotNull();
                assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
                assertThat(context.isLost()).isTrue();
                assertThat(context.port(1).active()).isFalse();
            }
        }
    }

    @Test
    void shouldWaitForTheOtherEndOfItsWire(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("net.sock");
        String listening = "soft/wire-b?listen=" + socket;
        try (Context context = provider.open(listening)) {
            assertThat(context.port(1).active()).isFalse();
            assertThatThrownBy(() -> provider.open(listening))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("cannot listen on " + socket);
            try (SocketChannel cable = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                assertThat(cable.isConnected()).isTrue();
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (!context.port(1).active()) {
                    assertThat(System.nanoTime() - end).as("link in time").isNegative();
                    Thread.onSpinWait();
                }
            }
        }
        assertThat(socket).doesNotExist();
        provider.open(listening).close();
        assertThat(socket).doesNotExist();
    }

    @Test
    void shouldHaveTheAddressesOfItsNameInTheGidTable() throws Exception {
        try (Context context = provider.open("soft/gids?ip=192.0.2.7&ip=fd00::7")) {
            assertThat(context.gid(1, 0).isLinkLocalEui64()).isTrue();
            assertThat(context.gid(1, 1)).isEqualTo(Gid.parse("192.0.2.7"));
            assertThat(context.gid(1, 2)).isEqualTo(Gid.parse("fd00::7"));
            assertThat(context.gid(1, 3)).isEqualTo(Gid.NONE);
            context.setGid(1, 5, Gid.parse("192.0.2.8"));
            assertThat(context.gid(1, 4)).isEqualTo(Gid.NONE);
            assertThat(context.gid(1, 5)).isEqualTo(Gid.parse("192.0.2.8"));
        }
    }

    @Test
    void shouldWriteEachFrameToTheFileOfItsName(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("frames.pcapng");
        int polls = 3;
        try (End a = new End(provider.open("soft/seen?capture=" + file), QpType.RC, 8);
                End b = new End(provider.open("soft/other"), QpType.RC, 8)) {
            connect(a, b, 0);
            for (int i = 0; i < polls; i++) {
                assertThat(b.qp.postRecv(1, b.mr.lkey(), b.mr.address(), 64))
                        .isEqualTo(PostResult.POSTED);
                assertThat(a.send(SendFlags.SIGNALED)).isEqualTo(PostResult.POSTED);
                assertThat(a.next().status(0)).isEqualTo(WcStatus.SUCCESS);
            }
        }
        ByteBuffer read = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int roce = 0;
        while (read.hasRemaining()) {
            int start = read.position();
            int type = read.getInt();
            int length = read.getInt();
            // Data of an enhanced packet is behind 28 bytes, its IPv6 next header and UDP port in
            // it.
            if (type == 6 && (read.get(start + 28 + 14 + 6) & 0xff) == 17) {
                roce += Short.reverseBytes(read.getShort(start + 28 + 14 + 40 + 2)) == 4791 ? 1 : 0;
            }
            read.position(start + length);
        }
        assertThat(roce).as("requests and acknowledgements").isGreaterThanOrEqualTo(2 * polls);
    }

    @Test
    void shouldSayThatACaptureCannotBeWritten(@TempDir Path directory) throws Exception {
        Path nowhere = directory.resolve("missing/x.pcapng");
        assertThatThrownBy(() -> provider.open("soft/seen?capture=" + nowhere))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the capture file " + nowhere + " cannot be written");
        provider.open("soft/seen").close();
    }

    /** One end of a connection on a device of its own. */
    private static final class End implements AutoCloseable {
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final Arena arena = Arena.ofShared();
        final MemorySegment memory = arena.allocate(4096, 64);
        final MemoryRegion mr;
        private final WorkCompletions one = new WorkCompletions(1);

        End(Context context, QpType type, int cqEntries) throws VerbsException {
            this.context = context;
            pd = context.createPd();
            cq = context.createCq(cqEntries);
            qp = pd.createQp(new QpOptions(cq).type(type));
            mr = pd.register(memory, EnumSet.allOf(Access.class));
        }

        WorkCompletions next() {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (cq.poll(one) == 0) {
                assertThat(System.nanoTime() - end).as("completion in time").isNegative();
                Thread.onSpinWait();
            }
            return one;
        }

        PostResult send(int flags) {
            return qp.postSend(1, flags, mr.lkey(), mr.address(), 64);
        }

        @Override
        public void close() throws VerbsException {
            context.close();
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }

    private static void connect(End a, End b, int gidIndex) throws VerbsException {
        Endpoint left = a.qp.endpoint(1, gidIndex);
        Endpoint right = b.qp.endpoint(1, gidIndex);
        a.qp.connect(right, new ConnectOptions().gidIndex(gidIndex));
        b.qp.connect(left, new ConnectOptions().gidIndex(gidIndex));
    }

    @Test
    void shouldFindThePeerByItsIpAddress() throws Exception {
        try (End a = new End(provider.open("soft/ip-a?ip=10.1.0.1"), QpType.RC, 16);
                End b = new End(provider.open("soft/ip-b?ip=10.1.0.2"), QpType.RC, 16)) {
            connect(a, b, 1);
            a.memory.fill((byte) 7);
            assertThat(b.qp.postRecv(5, b.mr.lkey(), b.mr.address(), 4096))
                    .isEqualTo(PostResult.POSTED);
            assertThat(a.send(SendFlags.SIGNALED)).isEqualTo(PostResult.POSTED);
            assertThat(a.next().status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(b.next().byteLength(0)).isEqualTo(64);
            assertThat(b.memory.asSlice(0, 64).mismatch(a.memory.asSlice(0, 64))).isEqualTo(-1);
        }
    }

    @Test
    void shouldSayThatNobodyAnswersForAnAddress() throws Exception {
        try (End a = new End(provider.open("soft/lonely?ip=10.2.0.1"), QpType.RC, 16)) {
            Endpoint nobody = new Endpoint(17, 0, 0, Gid.parse("10.2.0.99"));
            assertThatThrownBy(() -> a.qp.connect(nobody, new ConnectOptions().gidIndex(1)))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.ETIMEDOUT))
                    .hasMessageContaining("answers for ::ffff:10.2.0.99");
        }
    }

    @Test
    void shouldSayWhenAGidIsEmptyOrOfAnotherFamily() throws Exception {
        try (End a = new End(provider.open("soft/families?ip=10.3.0.1"), QpType.RC, 16)) {
            Endpoint peer = new Endpoint(17, 0, 0, Gid.linkLocal(0x02_00_00_00_00_55L));
            assertThatThrownBy(() -> a.qp.connect(peer, new ConnectOptions().gidIndex(7)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("GID index 7 is empty");
            a.qp.toReset();
            assertThatThrownBy(() -> a.qp.connect(peer, new ConnectOptions().gidIndex(1)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("of two families");
        }
    }

    private static EthernetPort narrow(EthernetPort port) {
        return (EthernetPort)
                Proxy.newProxyInstance(
                        EthernetPort.class.getClassLoader(),
                        new Class<?>[] {EthernetPort.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("mtu")
                                        ? 1500
                                        : method.invoke(port, arguments));
    }

    /** A QEMU NIC's end of a stream carries 4200 bytes; a NIC that carries 1500 says no to 4096. */
    @Test
    void shouldRefuseAPathMtuThatThePortDoesNotCarry() throws Exception {
        EthernetPort narrow = narrow(new Hub().plug("narrow", 0x02_00_00_00_00_07L));
        try (Context context = SoftContext.open("soft/narrow", narrow, List.of())) {
            End end = new End(context, QpType.RC, 4);
            end.qp.toInit(new QpTransitions.ToInit(1, 0, EnumSet.noneOf(Access.class)));
            assertThat(context.port(1).activeMtu()).isEqualTo(Mtu.MTU_1024);
            assertThatThrownBy(
                            () ->
                                    end.qp.toRtr(
                                            new QpTransitions.ToRtr(
                                                    AddressVector.to(end.qp.endpoint(), 0),
                                                    Mtu.MTU_2048,
                                                    17,
                                                    0,
                                                    1,
                                                    1)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("the port carries packets of 1024 at most");
        }
    }

    @Test
    void shouldSendOverAnUnreliableConnection() throws Exception {
        try (End a = new End(provider.open("soft/uc-a"), QpType.UC, 16);
                End b = new End(provider.open("soft/uc-b"), QpType.UC, 16)) {
            connect(a, b, 0);
            assertThat(b.qp.postRecv(5, b.mr.lkey(), b.mr.address(), 4096))
                    .isEqualTo(PostResult.POSTED);
            assertThat(a.send(SendFlags.SIGNALED)).isEqualTo(PostResult.POSTED);
            assertThat(a.next().status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(b.next().wrId(0)).isEqualTo(5);
        }
    }

    @Test
    void shouldRefuseWorkOnMemoryThatWasClosed() throws Exception {
        try (End a = new End(provider.open("soft/closed-a"), QpType.RC, 16);
                End b = new End(provider.open("soft/closed-b"), QpType.RC, 16)) {
            connect(a, b, 0);
            a.arena.close();
            assertThat(a.send(SendFlags.SIGNALED)).isEqualTo(PostResult.POSTED);
            assertThat(a.next().status(0)).isEqualTo(WcStatus.LOC_PROT_ERR);
            assertThat(a.qp.state()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void shouldFailTheQpsOfACqThatRunsOver() throws Exception {
        try (End a = new End(provider.open("soft/over-a"), QpType.RC, 4);
                End b = new End(provider.open("soft/over-b"), QpType.RC, 4)) {
            connect(a, b, 0);
            for (int i = 0; i < 8; i++) {
                assertThat(
                                a.qp.postWrite(
                                        i,
                                        SendFlags.SIGNALED,
                                        a.mr.lkey(),
                                        a.mr.address(),
                                        8,
                                        b.mr.rkey(),
                                        b.mr.address()))
                        .isEqualTo(PostResult.POSTED);
            }
            AsyncEvent event = a.context.awaitEvent(PATIENCE);
            assertThat(event).isNotNull();
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.CQ_ERR);
            assertThat(event.cq()).isSameAs(a.cq);
            assertThat(event.detail()).contains("is full (4 entries)");
            assertThat(a.qp.queryState()).isEqualTo(QpState.ERR);
        }
    }
}
