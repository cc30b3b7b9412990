package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.WqeOpcode;

/** SEND with invalidate: takes a key of the receiver away. */
final class RemoteInvalidateTest {
    private static final int ALL =
            MkeyState.LOCAL_READ
                    | MkeyState.LOCAL_WRITE
                    | MkeyState.REMOTE_READ
                    | MkeyState.REMOTE_WRITE
                    | MkeyState.ATOMIC;

    private final Rig rig = new Rig(Topology.TWO_FUNCTIONS);

    @AfterEach
    void close() {
        rig.close();
    }

    private void invalidate(int rkey) {
        rig.left.start(WqeOpcode.SEND_INVAL).imm(rkey).inline(new byte[] {7}).post().ring();
        rig.run();
    }

    @Test
    void shouldDeliverTheDataAndTakeTheKeyAway() {
        Node.Buffer into = rig.b.buffer(64);
        Node.Buffer window = rig.b.buffer(64, ALL | MkeyState.REMOTE_INVALIDATE);
        rig.right.receive(into, 0, 64);

        invalidate(window.key());

        assertThat(rig.left.sendCq.drain()).containsExactly("0 SEND_INVAL");
        TestCq.Cqe cqe = rig.right.receiveCq.next();
        assertThat(cqe.opcode()).isEqualTo(CqeOpcode.RESP_SEND_INV);
        assertThat(cqe.imm()).as("the key").isEqualTo(window.key());
        assertThat(into.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        assertThat(window.mkey().isFree()).isTrue();

        rig.left.start(WqeOpcode.RDMA_WRITE).remote(window, 0).inline(new byte[] {1}).post().ring();
        rig.run();
        assertThat(rig.left.sendCq.drain()).containsExactly("1 REMOTE_ACCESS_ERR");
        assertThat(rig.b.findings.getLast()).contains("was invalidated");
    }

    @Test
    void shouldFailTheReceiverWhoseKeyMayNotBeInvalidated() {
        Node.Buffer into = rig.b.buffer(64);
        rig.right.receive(into, 0, 64);

        invalidate(into.key());

        assertThat(rig.left.sendCq.drain()).containsExactly("0 REMOTE_OP_ERR");
        assertThat(rig.right.receiveCq.drain()).containsExactly("0 LOCAL_PROT_ERR");
        assertThat(rig.right.state.state()).isEqualTo(State.ERR);
        assertThat(into.mkey().isFree()).isFalse();
        assertThat(rig.b.findings.getFirst()).contains("does not allow remote invalidation");
    }

    @Test
    void shouldFailTheReceiverOfAKeyThatIsNotThere() {
        rig.right.receive(rig.b.buffer(64), 0, 64);

        invalidate(0x7777_7700);

        assertThat(rig.left.sendCq.drain()).containsExactly("0 REMOTE_OP_ERR");
        assertThat(rig.right.receiveCq.drain()).containsExactly("0 LOCAL_PROT_ERR");
    }
}
