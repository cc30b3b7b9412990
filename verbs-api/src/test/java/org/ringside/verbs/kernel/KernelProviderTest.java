package org.ringside.verbs.kernel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.Access;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/**
 * The provider on {@link FakeVerbs}: what it hands to libibverbs, and what it makes of the answers.
 */
class KernelProviderTest {
    private FakeVerbs fake;
    private KernelProvider provider;
    private Context context;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private QueuePair qp;

    @BeforeEach
    void open() throws Exception {
        fake = new FakeVerbs();
        provider = new KernelProvider(new Libraries(fake, Native.load("c", Libc.class)));
        context = provider.open("kernel/fake0");
        pd = context.createPd();
        cq = context.createCq(64);
        qp = pd.createQp(new QpOptions(cq).sendWrs(4).recvWrs(4).sendSges(2).inlineBytes(32));
    }

    @AfterEach
    void close() throws Exception {
        context.close();
        context.close();
        fake.close();
    }

    private void connect() throws VerbsException {
        qp.connect(new Endpoint(0x99, 0x1234, 0, Gid.linkLocal(0x020000000001L)));
    }

    @Test
    void shouldSayWhatTheDeviceSays() throws Exception {
        assertThat(context.attributes().maxInline()).isEqualTo(256);
        assertThat(context.attributes().maxMrSize()).isEqualTo(Long.MAX_VALUE);
        assertThat(context.attributes().completionVectors()).isEqualTo(2);
        assertThat(context.port(1).active()).isTrue();
        assertThat(context.port(1).activeMtu().bytes()).isEqualTo(1024);
        assertThat(context.gid(1, 2)).isEqualTo(Gid.parse("fe80::3"));
        assertThatThrownBy(() -> context.setGid(1, 0, Gid.NONE))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ip addr add");
    }

    @Test
    void shouldTakeTheWayToRts() throws Exception {
        fake.calls.clear();
        connect();
        assertThat(fake.calls)
                .filteredOn(call -> call.startsWith("modify_qp"))
                .containsExactly("modify_qp 1 0x39", "modify_qp 2 0x129181", "modify_qp 3 0x12e01");
    }

    @Test
    void shouldHandOverAListOfRequests() throws Exception {
        connect();
        qp.start();
        qp.wrId(70).flags(SendFlags.SIGNALED | SendFlags.FENCE);
        qp.writeImm(0x55, 0x7000, 0x01020304);
        qp.sge(0x11, 0x1000, 16);
        qp.sge(0x12, 0x2000, 8);
        qp.wrId(71).flags(SendFlags.SOLICITED);
        qp.send();
        qp.inline(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), 0, 8);
        assertThat(qp.submit()).isEqualTo(PostResult.POSTED);

        long first = fake.sent.get(0);
        long second = fake.sent.get(1);
        assertThat(Raw.getInt(first + Abi.SendWr.OPCODE)).isEqualTo(1);
        assertThat(Raw.getInt(first + Abi.SendWr.SEND_FLAGS)).isEqualTo(3);
        assertThat(Raw.getInt(first + Abi.SendWr.IMM_DATA)).isEqualTo(0x04030201);
        assertThat(Raw.getLong(first + Abi.SendWr.WR_RDMA_REMOTE_ADDR)).isEqualTo(0x7000);
        assertThat(Raw.getInt(first + Abi.SendWr.WR_RDMA_RKEY)).isEqualTo(0x55);
        assertThat(Raw.getInt(first + Abi.SendWr.NUM_SGE)).isEqualTo(2);
        long list = Raw.getLong(first + Abi.SendWr.SG_LIST);
        assertThat(Raw.getLong(list)).isEqualTo(0x1000);
        assertThat(Raw.getInt(list + 24)).isEqualTo(8);
        assertThat(Raw.getInt(list + 28)).isEqualTo(0x12);
        assertThat(Raw.getLong(first + Abi.SendWr.NEXT)).isEqualTo(second);
        assertThat(Raw.getInt(second + Abi.SendWr.SEND_FLAGS))
                .isEqualTo(Abi.SendWr.INLINE | Abi.SendWr.SOLICITED);
        long inline = Raw.getLong(second + Abi.SendWr.SG_LIST);
        assertThat(Raw.getInt(inline + Abi.Sge.LENGTH)).isEqualTo(8);
        assertThat(Raw.getLong(Raw.getLong(inline))).isEqualTo(0x0807060504030201L);
        assertThat(Raw.getLong(second + Abi.SendWr.NEXT)).isZero();
    }

    @Test
    void shouldGiveTheCallersNumbersBack() throws Exception {
        connect();
        qp.postSend(-7, SendFlags.SIGNALED, 1, 0x1000, 16);
        qp.postRecv(0x1122_3344_5566_7788L, 1, 0x1000, 16);

        WorkCompletions two = new WorkCompletions(2);
        assertThat(cq.poll(two)).isEqualTo(2);
        assertThat(two.wrId(0)).isEqualTo(-7);
        assertThat(two.opcode(0)).isEqualTo(WcOpcode.SEND);
        assertThat(two.byteLength(0)).isZero();
        assertThat(two.hasImmediate(0)).isFalse();
        assertThat(two.wrId(1)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(two.opcode(1)).isEqualTo(WcOpcode.RECV);
        assertThat(two.byteLength(1)).isEqualTo(3);
        assertThat(two.immediate(1)).isEqualTo(0x01020304);
        assertThat(two.qpNumber(1)).isEqualTo(FakeVerbs.QP_NUMBER);
    }

    @Test
    void shouldTakeNoMoreThanTheQueueHolds() throws Exception {
        connect();
        for (int i = 0; i < 4; i++) {
            assertThat(qp.postSend(i, 0, 1, 0x1000, 16)).isEqualTo(PostResult.POSTED);
        }
        assertThat(qp.postSend(4, 0, 1, 0x1000, 16)).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(cq.startPoll()).isTrue();
        assertThat(qp.postSend(4, 0, 1, 0x1000, 16)).isEqualTo(PostResult.POSTED);
        cq.endPoll();
    }

    @Test
    void shouldForgetCompletionsOfAQpThatWasReset() throws Exception {
        connect();
        qp.postSend(1, 0, 1, 0x1000, 16);
        qp.toReset();
        assertThat(cq.startPoll()).isFalse();
        connect();
        qp.postSend(2, 0, 1, 0x1000, 16);
        assertThat(cq.startPoll()).isTrue();
        assertThat(cq.wrId()).isEqualTo(2);
        cq.endPoll();
    }

    @Test
    void shouldTellErrors() throws Exception {
        connect();
        fake.status = WcStatus.REM_ACCESS_ERR.ordinal();
        qp.postSend(1, 0, 1, 0x1000, 16);
        assertThat(cq.startPoll()).isTrue();
        assertThat(cq.status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(cq.vendorError()).isEqualTo(WcStatus.REM_ACCESS_ERR.ordinal());
        cq.endPoll();
        assertThat(qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void shouldPostNothingOfWhatTheLibraryRefuses() throws Exception {
        connect();
        fake.postErrno = VerbsException.ENOMEM;
        assertThat(qp.postSend(1, 0, 1, 0x1000, 16)).isEqualTo(PostResult.QUEUE_FULL);
        fake.postErrno = VerbsException.ENODEV;
        assertThat(qp.postSend(1, 0, 1, 0x1000, 16)).isEqualTo(PostResult.DEVICE_LOST);
        fake.postErrno = 0;
        assertThat(qp.postSend(2, 0, 1, 0x1000, 16)).isEqualTo(PostResult.POSTED);
        assertThat(cq.startPoll()).isTrue();
        assertThat(cq.wrId()).isEqualTo(2);
        cq.endPoll();
        assertThat(cq.startPoll()).isFalse();
    }

    @Test
    void shouldFlushWhatADeviceThatHasGoneOwes() throws Exception {
        connect();
        fake.swallow = true;
        qp.postSend(1, 0, 1, 0x1000, 16);
        qp.postSend(2, SendFlags.SIGNALED, 1, 0x1000, 16);
        qp.postRecv(3, 1, 0x1000, 16);
        assertThat(cq.startPoll()).isFalse();
        ((KernelContext) context).lose("pulled out");

        WorkCompletions all = new WorkCompletions(8);
        assertThat(cq.poll(all)).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(all.wrId(i)).isEqualTo(i + 1);
            assertThat(all.status(i)).isEqualTo(WcStatus.WR_FLUSH_ERR);
            assertThat(all.qpNumber(i)).isEqualTo(FakeVerbs.QP_NUMBER);
        }
        assertThat(cq.startPoll()).isFalse();
        assertThat(qp.postSend(4, 0, 1, 0x1000, 16)).isEqualTo(PostResult.DEVICE_LOST);
        AsyncEvent event = context.awaitEvent(Duration.ofSeconds(1));
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
        assertThat(event.detail()).isEqualTo("pulled out");
        assertThatThrownBy(() -> context.createPd()).hasMessageContaining("has gone");
    }

    @Test
    void shouldEndAWaitWhenTheDeviceGoes() throws Exception {
        CompletionChannel channel = context.createCompletionChannel(1);
        Thread waiter = Thread.ofPlatform().start(() -> await(channel));
        ((KernelContext) context).lose("pulled out");
        waiter.join(5_000);
        assertThat(waiter.isAlive()).isFalse();
    }

    private static void await(CompletionChannel channel) {
        try {
            assertThat(channel.await(Duration.ofMinutes(1))).isNull();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldEndAWaitWhenInterrupted() throws Exception {
        CompletionChannel channel = context.createCompletionChannel(0);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> channel.await(Duration.ofMinutes(1)))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldMapEvents() throws Exception {
        KernelContext kernel = (KernelContext) context;
        connect();
        kernel.event(3, ((KernelQp) qp).address());
        kernel.event(0, ((KernelCq) cq).cq);
        kernel.event(10, 0x7fff_0000_0001L);
        assertThat(context.pollEvent())
                .isEqualTo(new AsyncEvent(AsyncEvent.Type.QP_ACCESS_ERR, qp, null, 0, "event 3"));
        assertThat(qp.state()).isEqualTo(QpState.ERR);
        assertThat(context.pollEvent().cq()).isSameAs(cq);
        AsyncEvent port = context.pollEvent();
        assertThat(port.type()).isEqualTo(AsyncEvent.Type.PORT_ERR);
        assertThat(port.port()).isEqualTo(1);
        kernel.event(18, 0);
        assertThat(context.pollEvent()).isNull();
    }

    @Test
    void shouldTellWhyAndTheCure() throws Exception {
        fake.failing = "reg_mr";
        MemorySegment memory = fake.arena.allocate(64);
        assertThatThrownBy(() -> pd.register(memory, EnumSet.of(Access.LOCAL_WRITE)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(12))
                .hasMessageContaining("registering 64 bytes")
                .hasMessageContaining("ulimit -l");
        fake.failing = "open_device";
        assertThatThrownBy(() -> provider.open("kernel/fake0"))
                .hasMessageContaining("Too many open files")
                .hasMessageContaining("ulimit -n");
        fake.failing = "";
        assertThatThrownBy(() -> provider.open("kernel/nix"))
                .hasMessageContaining(
                        "kernel/nix: libibverbs knows no such device, but these: fake0");
        assertThatThrownBy(() -> provider.open("kernel/fake0?api=odd"))
                .hasMessageContaining("unknown option \"api=odd\"");
        assertThatThrownBy(() -> provider.open("kernel/")).hasMessageContaining("no device");
    }

    @Test
    void shouldCloseADeviceThatIsOfNoUse() {
        fake.calls.clear();
        fake.failing = "query_device";
        assertThatThrownBy(() -> provider.open("kernel/fake0"))
                .hasMessageContaining("ibv_query_device");
        assertThat(fake.calls).contains("close_device").endsWith("free_device_list");
    }

    @Test
    void shouldGiveAllBackInOrder() throws Exception {
        pd.register(fake.arena.allocate(64), EnumSet.of(Access.LOCAL_WRITE));
        fake.calls.clear();
        context.close();
        assertThat(fake.calls)
                .containsExactly(
                        "destroy_qp", "destroy_cq", "dereg_mr", "dealloc_pd", "close_device");
    }

    @Test
    void shouldAllocateNothingPerOperation() throws Exception {
        connect();
        fake.recordPosts = false;
        WorkCompletions some = new WorkCompletions(4);
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        run(some, 20_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        run(some, 20_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated / 20_000).as("%d bytes in 20000 rounds", allocated).isZero();
    }

    private void run(WorkCompletions some, int rounds) {
        for (int i = 0; i < rounds; i++) {
            qp.postRecv(i, 1, 0x1000, 64);
            qp.postSend(i, SendFlags.SIGNALED, 1, 0x1000, 64);
            if (!cq.startPoll() || cq.wrId() != i || !cq.nextPoll()) {
                throw new AssertionError("no completion in round " + i);
            }
            cq.endPoll();
            qp.start();
            qp.wrId(i).flags(SendFlags.SIGNALED);
            qp.fetchAdd(1, 0x1000, 1);
            qp.sge(1, 0x1000, 8);
            qp.submit();
            if (cq.poll(some) != 1 || some.wrId(0) != i) {
                throw new AssertionError("no completion in round " + i);
            }
        }
    }

    @Test
    void shouldGiveMemoryOfItsOwnPages() throws Exception {
        MemorySegment memory = context.allocate(5000).memory();
        assertThat(memory.byteSize()).isEqualTo(5000);
        assertThat(memory.address() & 4095).isZero();
        assertThat(memory.get(JAVA_LONG, 4992)).isZero();
    }

    @Test
    void shouldRefuseObjectsOfAnotherDevice() throws Exception {
        try (Context other = provider.open("kernel/fake0?api=extended")) {
            CompletionQueue foreign = other.createCq(4);
            CompletionChannel channel = other.createCompletionChannel(0);
            assertThatThrownBy(() -> pd.createQp(new QpOptions(foreign)))
                    .hasMessageContaining("belongs to device kernel/fake0?api=extended");
            assertThatThrownBy(() -> context.createCq(4, channel))
                    .hasMessageContaining("belongs to device kernel/fake0?api=extended");
            assertThatThrownBy(() -> pd.register(other.allocate(64), EnumSet.noneOf(Access.class)))
                    .hasMessageContaining("belongs to device kernel/fake0?api=extended");
        }
    }

    @Test
    void shouldServeKernelNamesOnly() throws Exception {
        assertThat(provider.serves("kernel/rxe0")).isTrue();
        assertThat(provider.serves("vfio/0000:00:05.0")).isFalse();
        assertThat(List.of(provider.name(), provider.interfaceVersion() >>> 16))
                .isEqualTo(List.of("kernel", 1));
        try (Arena arena = Arena.ofConfined()) {
            assertThat(KernelContext.scratch(arena, 8) & 7).isZero();
        }
    }
}
