package org.ringside.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QueuePairTest {
    private final FakeContext context = new FakeContext("fake/0");

    private FakeQp qp() throws VerbsException {
        return (FakeQp) context.createPd().createQp(new QpOptions(context.createCq(16)));
    }

    @Test
    void shouldConnectWithinTheDevicesLimits() throws Exception {
        FakeQp qp = qp();
        qp.connect(new Endpoint(0x123, 77, 0, new Gid(9, 9)));

        assertThat(qp.steps)
                .containsExactly("INIT port 1", "RTR qp 291 MTU_1024 psn 77", "RTS rd_atomic 4");
        assertThat(qp.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void shouldRefuseTransitionsThatDoNotExist() throws Exception {
        FakeQp qp = qp();
        assertThatThrownBy(() -> qp.toRts(new QpTransitions.ToRts(0, 0, 0, 0, 0)))
                .hasMessage(
                        "QP 0x3 on fake/0 is in state RESET, from which there is no way to RTS");
        assertThatThrownBy(qp::toErr).hasMessageContaining("no way to ERR");
        qp.toInit(new QpTransitions.ToInit(1, 0, java.util.Set.of()));
        qp.toErr();
        assertThatThrownBy(() -> qp.toInit(new QpTransitions.ToInit(1, 0, java.util.Set.of())))
                .hasMessageEndingWith("take it to RESET first");
        qp.toReset();
        assertThat(qp.state()).isEqualTo(QpState.RESET);
    }

    @Test
    void shouldUseTheSamePsnInEndpointAndConnectionAndANewOneAfterReset() throws Exception {
        FakeQp qp = qp();
        Endpoint first = qp.endpoint();
        assertThat(qp.endpoint().psn()).isEqualTo(first.psn());
        assertThat(first.gid()).isEqualTo(new Gid(1, 0));
        assertThat(qp.endpoint(1, 1).gid()).isEqualTo(new Gid(1, 1));
    }

    @Test
    void shouldBuildSinglePostsOfTheSteps() throws Exception {
        FakeQp qp = qp();
        assertThat(qp.postWrite(5, SendFlags.SIGNALED, 1, 100, 64, 2, 200))
                .isEqualTo(PostResult.POSTED);
        assertThat(qp.postRecv(6, 1, 100, 32)).isEqualTo(PostResult.POSTED);
        assertThat(qp.postRead(7, 0, 1, 100, 8, 2, 300)).isEqualTo(PostResult.POSTED);

        assertThat(qp.steps)
                .containsExactly(
                        "start",
                        "write 5 to 2:200",
                        "sge 1:100+64",
                        "submit",
                        "startRecv",
                        "recv 6",
                        "recvSge 1:100+32",
                        "submitRecv",
                        "start",
                        "read 7 from 2:300",
                        "sge 1:100+8",
                        "submit");
    }

    @Test
    void shouldRefuseNumbersThatTheWireCannotCarry() {
        assertThatThrownBy(() -> new QpTransitions.ToRts(1 << 24, 0, 0, 0, 0))
                .hasMessage("send PSN 0x1000000 does not fit in 24 bits");
        assertThatThrownBy(() -> new QpTransitions.ToRts(0, 32, 0, 0, 0))
                .hasMessageContaining("timeout");
        assertThatThrownBy(() -> new QpTransitions.ToRts(0, 0, 8, 0, 0))
                .hasMessageContaining("retry count");
        assertThatThrownBy(() -> new Endpoint(-1, 0, 0, Gid.NONE))
                .hasMessageContaining("QP number");
        assertThatThrownBy(() -> Mtu.ofCode(6)).hasMessage("MTU code 6, expected 1 to 5");
    }

    @Test
    void shouldRefuseSizesBeyondTheDevice() throws Exception {
        ProtectionDomain pd = context.createPd();
        CompletionQueue cq = context.createCq(16);
        assertThatThrownBy(() -> pd.createQp(new QpOptions(cq).sendWrs(65)))
                .hasMessage("send queue size is 65, this device takes 1 to 64");
        assertThatThrownBy(() -> pd.createQp(new QpOptions(cq).recvSges(5)))
                .hasMessageContaining("receive scatter/gather entries is 5");
        assertThatThrownBy(() -> pd.createQp(new QpOptions(cq).inlineBytes(65)))
                .hasMessageContaining("inline bytes is 65");
    }
}
