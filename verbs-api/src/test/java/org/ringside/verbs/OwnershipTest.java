package org.ringside.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class OwnershipTest {
    private final FakeContext context = new FakeContext("fake/0");

    @Test
    void shouldCloseChildrenYoungestFirst() throws Exception {
        ProtectionDomain pd = context.createPd();
        CompletionChannel channel = context.createCompletionChannel(0);
        CompletionQueue cq = context.createCq(16, channel);
        pd.createQp(new QpOptions(cq));
        pd.register(context.allocate(64), EnumSet.noneOf(Access.class));
        context.close();
        context.close();

        assertThat(context.calls)
                .containsExactly(
                        "close mr",
                        "close buffer",
                        "close qp",
                        "close cq",
                        "close channel",
                        "close pd 1",
                        "close device");
        assertThat(channel.isClosed()).isTrue();
    }

    @Test
    void shouldRefuseToCloseWhatIsUsedAndNameTheUsers() throws Exception {
        ProtectionDomain pd = context.createPd();
        CompletionQueue cq = context.createCq(16);
        QueuePair qp = pd.createQp(new QpOptions(cq));
        assertThatThrownBy(cq::close)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.EBUSY))
                .hasMessage("CQ 0x2 on fake/0 is in use by QP 0x3 on fake/0; close them first");
        assertThat(context.calls).isEmpty();
        qp.close();
        cq.close();
        pd.close();
        assertThat(context.calls).containsExactly("close qp", "close cq", "close pd 1");
    }

    @Test
    void shouldLeaveNothingInUseWhenMakingFails() throws Exception {
        ProtectionDomain pd = context.createPd();
        CompletionQueue cq = context.createCq(16);
        context.refuseQp = true;
        assertThatThrownBy(() -> pd.createQp(new QpOptions(cq))).hasMessage("no more QPs");
        cq.close();
        pd.close();
    }

    @Test
    void shouldNotMixDevices() throws Exception {
        FakeContext other = new FakeContext("fake/1");
        ProtectionDomain pd = context.createPd();
        CompletionQueue foreign = other.createCq(16);
        DeviceBuffer foreignBuffer = other.allocate(64);

        assertThatThrownBy(() -> pd.createQp(new QpOptions(foreign)))
                .hasMessage(
                        "CQ 0x1 on fake/1 belongs to device fake/1, not to device fake/0; make it"
                                + " from the same context");
        assertThatThrownBy(() -> pd.register(foreignBuffer, EnumSet.noneOf(Access.class)))
                .hasMessageContaining("belongs to device fake/1");
        assertThatThrownBy(() -> context.createCq(1, other.createCompletionChannel(0)))
                .hasMessageContaining("belongs to device fake/1");
    }

    @Test
    void shouldRefuseUseAfterClose() throws Exception {
        CompletionQueue cq = context.createCq(16);
        ProtectionDomain pd = context.createPd();
        cq.close();
        assertThatThrownBy(() -> pd.createQp(new QpOptions(cq)))
                .hasMessage("CQ 0x1 on fake/0 is closed; make a new one");
        context.close();
        assertThatThrownBy(context::createPd).hasMessage("device fake/0 is closed; make a new one");
    }

    @Test
    void shouldCheckMemoryBeforeTheProviderSeesIt() throws Exception {
        ProtectionDomain pd = context.createPd();
        try (Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(
                            () ->
                                    pd.register(
                                            arena.allocate((1L << 20) + 1),
                                            EnumSet.noneOf(Access.class)))
                    .hasMessage("memory region size is 1048577, this device takes 1 to 1048576");
            assertThatThrownBy(
                            () -> pd.register(arena.allocate(8), EnumSet.of(Access.REMOTE_ATOMIC)))
                    .hasMessageContaining("add Access.LOCAL_WRITE");
        }
    }

    @Test
    void shouldSayWhatADeviceDoesNotSupport() {
        assertThatThrownBy(() -> context.setGid(1, 0, Gid.NONE))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.EOPNOTSUPP))
                .hasMessage("device fake/0 does not support setting GID table entries");
    }
}
