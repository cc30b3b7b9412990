package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.WqeOpcode;

/** Packets and octets of each operation, as they would be on a link. */
class PortTrafficTest {
    private static final int LENGTH = 3000;

    /** LRH, BTH, ICRC, VCRC. */
    private static final int HEADERS = 8 + 12 + 4 + 2;

    private final Rig rig = new Rig(Topology.TWO_FUNCTIONS);
    private final Node.Buffer here = rig.a.buffer(4096);
    private final Node.Buffer there = rig.b.buffer(4096);
    private final long packets = -Math.floorDiv(-LENGTH, rig.left.state.mtu);

    @AfterEach
    void close() {
        rig.close();
    }

    private void expect(long packetsThere, long octetsThere, long packetsBack, long octetsBack) {
        PortTraffic a = rig.a.engine.unicast();
        PortTraffic b = rig.b.engine.unicast();
        assertThat(a.sentPackets()).isEqualTo(packetsThere);
        assertThat(b.receivedPackets()).isEqualTo(packetsThere);
        assertThat(a.sentOctets()).isEqualTo(octetsThere);
        assertThat(b.receivedOctets()).isEqualTo(octetsThere);
        assertThat(b.sentPackets()).isEqualTo(packetsBack);
        assertThat(a.receivedPackets()).isEqualTo(packetsBack);
        assertThat(b.sentOctets()).isEqualTo(octetsBack);
        assertThat(a.receivedOctets()).isEqualTo(octetsBack);
    }

    @Test
    void shouldCountASendAndItsAcknowledgement() {
        rig.right.receive(there, 0, 4096);
        rig.left.start(WqeOpcode.SEND).sge(here, 0, LENGTH).post().ring();
        rig.run();
        expect(packets, packets * HEADERS + LENGTH, 1, HEADERS + 4);
    }

    @Test
    void shouldCountAWriteWithImmediate() {
        rig.right.receive(there, 0, 64);
        rig.left
                .start(WqeOpcode.RDMA_WRITE_IMM)
                .imm(1)
                .remote(there, 0)
                .sge(here, 0, LENGTH)
                .post()
                .ring();
        rig.run();
        expect(packets, packets * HEADERS + 16 + 4 + LENGTH, 1, HEADERS + 4);
    }

    @Test
    void shouldCountAReadAndItsAnswer() {
        rig.left.start(WqeOpcode.RDMA_READ).remote(there, 0).sge(here, 0, LENGTH).post().ring();
        rig.run();
        expect(1, HEADERS + 16, packets, packets * HEADERS + 2 * 4 + LENGTH);
    }

    @Test
    void shouldBeginAnew() {
        rig.left.start(WqeOpcode.RDMA_READ).remote(there, 0).sge(here, 0, 8).post().ring();
        rig.run();
        rig.a.engine.unicast().clear();
        rig.b.engine.unicast().clear();
        expect(0, 0, 0, 0);
    }
}
