package org.ringside.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.verbs.Gid;

class PacketWriterTest {
    private static final long OUR_MAC = 0x5254_0000_0001L;
    private static final long PEER_MAC = 0x5254_0000_0002L;
    private static final Gid US = Gid.parse("10.0.0.1");
    private static final Gid PEER = Gid.parse("10.0.0.2");

    private final Frame frame = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 8));
    private final Flow flow = flow(US, PEER, Ethernet.NO_VLAN);
    private final PacketWriter writer = new PacketWriter();
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();

    private static Flow flow(Gid from, Gid to, int vlan) {
        return new Flow(OUR_MAC, PEER_MAC, vlan, from, to, 0, 64, 0, Udp.sourcePort(0, 0x11, 0x12));
    }

    /** The bytes of a scapy packet, made here: same headers, same checksum, same ICRC. */
    @Test
    void shouldMakeTheBytesThatScapyMade() {
        Gid self = Gid.parse("192.168.0.7");
        Flow same = new Flow(OUR_MAC, PEER_MAC, Ethernet.NO_VLAN, self, self, 1, 64, 0, 0xc000);
        same.identification(0x478);
        byte[] wanted = Vectors.SCAPY_UC_SEND_ONLY.bytes();
        packet.parse(Vectors.SCAPY_UC_SEND_ONLY.frame());
        writer.begin(
                frame, same, Opcodes.send(Service.UC, Place.ONLY), 0xd3, 0xcf1710, false, false);
        MemorySegment payload = packet.frame().memory();
        writer.seal(payload, packet.payload(), packet.payloadLength());
        // scapy's example has a UDP checksum, we send none
        int checksum = packet.bth() - 2;
        wanted[checksum] = 0;
        wanted[checksum + 1] = 0;
        assertThat(frame.toByteArray()).isEqualTo(wanted);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1021, 1022, 1023, 1024, 4095, 4096})
    void shouldParseWhatItBuilt(int length) {
        for (Flow each :
                new Flow[] {
                    flow,
                    flow(Gid.parse("fe80::1"), Gid.parse("fe80::2"), Ethernet.NO_VLAN),
                    flow(US, PEER, 3 << 13 | 10),
                    flow(Gid.parse("fe80::1"), Gid.parse("fe80::2"), 4094)
                }) {
            byte[] data = new byte[length];
            new Random(length).nextBytes(data);
            Opcode opcode = Opcodes.writeImmediate(Service.RC, true);
            frame.memory().fill((byte) 9);
            writer.begin(frame, each, opcode, 0x123456, 0xabcdef, true, true);
            writer.rdma(-8, 0xfedcba98, 0xffff_fffeL);
            writer.immediate(0x01020304);
            writer.seal(MemorySegment.ofArray(data), 0, length);

            assertThat(packet.parse(frame)).isEqualTo(Verdict.ROCE);
            assertThat(icrc.matches(packet)).isTrue();
            assertThat(packet.opcode()).isSameAs(opcode);
            assertThat(packet.destinationQp()).isEqualTo(0x123456);
            assertThat(packet.psn()).isEqualTo(0xabcdef);
            assertThat(packet.ackRequest()).isTrue();
            assertThat(packet.solicited()).isTrue();
            assertThat(packet.address()).isEqualTo(-8);
            assertThat(packet.rkey()).isEqualTo(0xfedcba98);
            assertThat(packet.rdmaLength()).isEqualTo(0xffff_fffeL);
            assertThat(packet.immediate()).isEqualTo(0x01020304);
            assertThat(packet.payloadLength()).isEqualTo(length);
            assertThat(new Gid(packet.sourceHigh(), packet.sourceLow())).isEqualTo(each.source());
            assertThat(new Gid(packet.destinationHigh(), packet.destinationLow()))
                    .isEqualTo(each.destination());
            assertThat(Ethernet.vlan(frame.bytes())).isEqualTo(each.vlan());
            byte[] got = new byte[length];
            frame.bytes().get(packet.payload(), got);
            assertThat(got).isEqualTo(data);
        }
    }

    @Test
    void shouldKeepTheIpv4ChecksumRight() {
        for (int id = 0; id < 0x20000; id += 977) {
            flow.identification(id);
            writer.begin(frame, flow, Opcodes.ACKNOWLEDGE, 1, 2, false, false);
            writer.acknowledge(Syndrome.ACK, id);
            writer.seal(0);
            assertThat(Ip.fold(Ip.sum(frame.bytes(), Ethernet.SIZE, Ip.V4_SIZE))).isZero();
        }
    }

    @Test
    void shouldChooseTheSourcePortThatLinuxChooses() {
        assertThat(Udp.sourcePort(0, 17, 18)).isEqualTo(0xc132);
        assertThat(Udp.sourcePort(0, 18, 17)).isEqualTo(0xc132);
        assertThat(Udp.sourcePort((49549 * 31 + 7174) & 0xfffff, 17, 18)).isEqualTo(52231);
    }

    @Test
    void shouldRefuseTwoFamilies() {
        assertThatThrownBy(() -> flow(US, Gid.parse("fe80::2"), Ethernet.NO_VLAN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of two families");
    }
}
