package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;

/** The driver brings the model up over a real socket and moves data; nothing may be found. */
@Timeout(60)
class EmulatedProviderTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** One end of a connection. */
    private static final class End {
        final MemorySegment memory;
        final MemoryRegion region;
        final CompletionQueue cq;
        final QueuePair qp;

        End(Context context, CompletionChannel channel) throws VerbsException {
            ProtectionDomain pd = context.createPd();
            var buffer = context.allocate(8192);
            memory = buffer.memory();
            region = pd.register(buffer, EnumSet.allOf(Access.class));
            cq = channel == null ? context.createCq(16) : context.createCq(16, channel);
            qp = pd.createQp(new QpOptions(cq).signalAll(true));
        }

        End(Context context) throws VerbsException {
            this(context, null);
        }

        void awaitSuccess() {
            while (!cq.startPoll()) {
                Thread.onSpinWait();
            }
            assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
            cq.endPoll();
        }
    }

    private static void exchange(End a, End b) throws VerbsException {
        a.qp.connect(b.qp.endpoint());
        b.qp.connect(a.qp.endpoint());
        a.memory.set(LONG, 0, 0x0123456789abcdefL);
        b.qp.postRecv(1, b.region.lkey(), b.region.address() + 64, 8);
        a.qp.postSend(2, SendFlags.SIGNALED, a.region.lkey(), a.region.address(), 8);
        a.awaitSuccess();
        b.awaitSuccess();
        assertThat(b.memory.get(LONG, 64)).isEqualTo(0x0123456789abcdefL);

        a.qp.postWrite(
                3,
                SendFlags.SIGNALED,
                a.region.lkey(),
                a.region.address(),
                8,
                b.region.rkey(),
                b.region.address() + 128);
        a.awaitSuccess();
        assertThat(b.memory.get(LONG, 128)).isEqualTo(0x0123456789abcdefL);

        b.memory.set(LONG, 256, 41);
        a.qp.start();
        a.qp.wrId(4)
                .flags(SendFlags.SIGNALED)
                .fetchAdd(b.region.rkey(), b.region.address() + 256, 1);
        a.qp.sge(a.region.lkey(), a.region.address() + 512, 8);
        a.qp.submit();
        a.awaitSuccess();
        assertThat(a.memory.get(LONG, 512)).isEqualTo(41);
        a.qp.postRead(
                5,
                SendFlags.SIGNALED,
                a.region.lkey(),
                a.region.address() + 520,
                8,
                b.region.rkey(),
                b.region.address() + 256);
        a.awaitSuccess();
        assertThat(a.memory.get(LONG, 520)).isEqualTo(42);
    }

    private static Emulator emulator(String name) {
        return Objects.requireNonNull(EmulatedProvider.emulator(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "emulated",
                "emulated/t?doorbells=trapped",
                "emulated/p?profile=pf&bootPages=6&initPages=3000",
                "emulated/r?profile=pf&pageRequestEvery=1",
                "emulated/i?initMillis=50&commandMillis=2&bootPages=0&initPages=0"
            })
    void shouldMoveDataWithoutAFinding(String name) throws VerbsException {
        Emulator emulator;
        Path socket;
        try (Context context = Verbs.open(name)) {
            emulator = emulator(name);
            socket = emulator.socket();
            assertThat(socket).exists();
            exchange(new End(context), new End(context));
        }
        assertThat(emulator.findings().list()).isEmpty();
        assertThat(socket.getParent()).doesNotExist();
    }

    @Test
    void shouldJoinTwoDevicesByAWire() throws VerbsException {
        try (Context left = Verbs.open("emulated/left");
                Context right = Verbs.open("emulated/right?doorbells=trapped")) {
            exchange(new End(left), new End(right));
            assertThat(emulator("emulated/left").findings().list()).isEmpty();
            assertThat(emulator("emulated/right?doorbells=trapped").findings().list()).isEmpty();
        }
    }

    @Test
    void shouldWakeASleeper() throws VerbsException, InterruptedException {
        try (Context context = Verbs.open("emulated/sleeper")) {
            CompletionChannel channel = context.createCompletionChannel(0);
            End a = new End(context);
            End b = new End(context, channel);
            a.qp.connect(b.qp.endpoint());
            b.qp.connect(a.qp.endpoint());
            for (int i = 0; i < 5; i++) {
                b.qp.postRecv(i, b.region.lkey(), b.region.address(), 8);
                b.cq.requestNotify(false);
                a.qp.postSend(i, SendFlags.SIGNALED, a.region.lkey(), a.region.address(), 8);
                assertThat(channel.await(Duration.ofSeconds(10))).isSameAs(b.cq);
                b.awaitSuccess();
                a.awaitSuccess();
            }
            assertThat(emulator("emulated/sleeper").findings().list()).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAName() {
        assertThatThrownBy(() -> Verbs.open("emulated/x?doorbells=loud"))
                .isInstanceOf(VerbsException.class)
                .hasMessage(
                        "emulated/x?doorbells=loud: option doorbells takes mapped or trapped, not"
                                + " \"loud\"");
    }

    @Test
    void shouldListItself() throws VerbsException {
        assertThat(Verbs.devices())
                .anySatisfy(device -> assertThat(device.name()).isEqualTo("emulated"));
    }
}
