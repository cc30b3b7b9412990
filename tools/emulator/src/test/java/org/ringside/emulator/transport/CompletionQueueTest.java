package org.ringside.emulator.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.WqeLayout;
import org.ringside.mlx5.layout.WqeOpcode;

/** Arming, overrun, and what software may do wrong with a completion queue. */
class CompletionQueueTest {
    private Rig rig;
    private TestQp left;
    private String completion;

    @BeforeEach
    void setUp() {
        rig = new Rig(Topology.TWO_FUNCTIONS, 2);
        left = rig.left;
        completion = "completion on " + left.sendCq.state;
    }

    @AfterEach
    void tearDown() {
        rig.close();
    }

    private void write() {
        write(WqeLayout.CTRL_CQ_UPDATE);
    }

    private void write(int flags) {
        left.start(WqeOpcode.RDMA_WRITE, flags).remote(0, 0).post().ring();
        rig.run();
    }

    @Test
    void shouldRaiseOneEventForTheNextCqe() {
        write();
        assertThat(rig.a.events).as("not armed").isEmpty();
        left.sendCq.drain();
        left.sendCq.arm(false);
        assertThat(rig.a.events).isEmpty();
        write();
        write();
        assertThat(rig.a.events).containsExactly(completion);
    }

    @Test
    void shouldRaiseAnEventAtOnceForCqesThatSoftwareHasNotSeen() {
        write();
        left.sendCq.arm(false);
        assertThat(rig.a.events).containsExactly(completion);
    }

    @Test
    void shouldIgnoreARequestThatWasSatisfied() {
        left.sendCq.arm(2, false);
        write();
        left.sendCq.drain();
        left.sendCq.arm(2, false);
        write();
        assertThat(rig.a.events).hasSize(1);
        left.sendCq.arm(3, false);
        assertThat(rig.a.events).hasSize(2);
    }

    @Test
    void shouldWaitForSolicitedCqes() {
        Node.Buffer buffer = rig.b.buffer(64);
        for (int i = 0; i < 3; i++) {
            rig.right.receive(buffer, 0, 64);
        }
        rig.right.receiveCq.arm(true);
        left.start(WqeOpcode.SEND).post().ring();
        rig.run();
        assertThat(rig.b.events).isEmpty();
        left.start(WqeOpcode.SEND, WqeLayout.CTRL_CQ_UPDATE | WqeLayout.CTRL_SOLICITED).post();
        left.ring();
        rig.run();
        assertThat(rig.b.events).containsExactly("completion on " + rig.right.receiveCq.state);
        assertThat(rig.right.receiveCq.ring.get(JAVA_BYTE, 64 + 63) & 2).as("SE").isEqualTo(2);
        rig.right.receiveCq.drain();
        rig.right.receiveCq.arm(true);
        assertThat(rig.b.events).as("the solicited one was seen").hasSize(1);
        rig.right.to(State.ERR);
        rig.run();
        assertThat(rig.b.events).as("errors are solicited").hasSize(2);
    }

    @Test
    void shouldRaiseAnEventWhenTheWqeAsksForOne() {
        write(WqeLayout.CTRL_CQ_UPDATE_AND_EQE);
        assertThat(rig.a.events).containsExactly(completion);
    }

    @Test
    void shouldReportADoorbellThatContradictsItsRecord() {
        BigEndian.putInt(left.sendCq.record, DoorbellRecord.ARM, 0x1000_0000);
        rig.a.engine.arm(left.sendCq.state, 0x1000_0001);
        assertThat(rig.a.findings).singleElement().asString().contains("write the record first");
    }

    @Test
    void shouldFailOnOverrun() {
        for (int i = 0; i < 4; i++) {
            write();
        }
        assertThat(rig.a.events).isEmpty();
        assertThat(left.state.state()).isEqualTo(State.RTS);
        write();
        assertThat(rig.a.events)
                .containsExactly(
                        "error 1 of " + left.sendCq.state, "WQ_CATAS_ERROR of " + left.state);
        assertThat(left.state.state()).isEqualTo(State.ERR);
        assertThat(left.sendCq.state.isFailed()).isTrue();
        assertThat(left.sendCq.drain()).as("what was there stays").hasSize(4);
        rig.after(1_000_000);
        assertThat(left.sendCq.drain()).as("nothing comes any more").isEmpty();
    }

    @Test
    void shouldFailTheSenderWhenTheReceiversQueueOverruns() {
        Node.Buffer buffer = rig.b.buffer(64);
        for (int i = 0; i < 6; i++) {
            rig.right.receive(buffer, 0, 64);
            left.start(WqeOpcode.SEND).post().ring();
            rig.run();
            if (i < 4) {
                assertThat(left.sendCq.drain()).containsExactly(i + " SEND");
            }
        }
        assertThat(left.sendCq.drain()).containsExactly("4 REMOTE_OP_ERR", "5 WR_FLUSH_ERR");
        assertThat(rig.b.events)
                .containsExactly(
                        "error 1 of " + rig.right.receiveCq.state,
                        "WQ_CATAS_ERROR of " + rig.right.state);
    }

    @Test
    void shouldOverwriteWhenOverrunIsIgnored() {
        TestCq cq = new TestCq(rig.a, 0, 64, true);
        TestQp qp = new TestQp(rig.a, cq, cq, 2, 4);
        qp.state.forceLoopback = true;
        qp.state.remoteQpn = qp.state.qpn;
        qp.to(State.INIT).to(State.RTR).to(State.RTS);
        for (int i = 0; i < 7; i++) {
            qp.start(WqeOpcode.NOP).post();
        }
        qp.ring();
        rig.run();
        assertThat(qp.state.state()).isEqualTo(State.RTS);
        assertThat(cq.state.producerIndex()).isEqualTo(7);
        assertThat(rig.a.events).isEmpty();
        assertThat(BigEndian.getInt(cq.ring, 60) >>> 16).isEqualTo(6);
    }

    @Test
    void shouldReportAConsumerIndexBeyondTheProducer() {
        write();
        BigEndian.putInt(left.sendCq.record, DoorbellRecord.CONSUMER_INDEX, 3);
        left.sendCq.arm(false);
        assertThat(rig.a.findings).singleElement().asString().contains("consumer index record");
    }

    @Test
    void shouldReportCqesThatSoftwareDidNotPreset() {
        left.sendCq.ring.fill((byte) 0);
        write();
        assertThat(rig.a.findings).singleElement().asString().contains("looked valid");
        assertThat(left.sendCq.next()).hasToString("0 RDMA_WRITE");
    }

    @Test
    void shouldFailWhenTheRingIsNotMapped() {
        rig.a.memory.unmap(left.sendCq.state.pages.iova(0));
        write();
        assertThat(rig.a.events)
                .containsExactly(
                        "error 2 of " + left.sendCq.state, "WQ_CATAS_ERROR of " + left.state);
    }

    @Test
    void shouldReportDoorbellRecordsThatCannotBeTrue() {
        BigEndian.putInt(left.record, DoorbellRecord.SEND, 33);
        left.ring();
        rig.run();
        assertThat(rig.a.findings).singleElement().asString().contains("send doorbell record");
        assertThat(left.state.sendCounter()).isZero();
        left.to(State.ERR);
        rig.after(1_000_000_000L);
        assertThat(rig.a.findings).as("told once").hasSize(1);
    }
}
