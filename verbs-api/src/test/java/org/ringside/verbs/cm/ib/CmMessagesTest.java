package org.ringside.verbs.cm.ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.Gid;
import org.ringside.verbs.cm.CmAddress;
import org.ringside.verbs.cm.PortSpace;

class CmMessagesTest {
    /** REQ of rping on rdma_rxe of Linux 6.12: 10.77.0.2 to port 7174 of 10.77.0.1. */
    private static final String REQ_OF_LINUX =
            "0107020300000000000000027fee2ceb0010000000000000eb2cee7f00000000"
                    + "0000000001061c06505400fffe00020300000000000000000000110100000001"
                    + "000000a07f8fdea7ffff37f0ffffffff00000000000000000000ffff0a4d0002"
                    + "00000000000000000000ffff0a4d000184049000004000880000000000000000"
                    + "0000000000000000000000000000000000000000000000000000000000000000"
                    + "000000000040c75d0000000000000000000000000a4d00020000000000000000"
                    + "000000000a4d0001";

    private static final Gid LINUX = Gid.parse("10.77.0.2");
    private static final Gid OURS = Gid.parse("10.77.0.1");

    private static Mad ofLinux() {
        return Mad.received(Arrays.copyOf(HexFormat.of().parseHex(REQ_OF_LINUX), Mad.SIZE));
    }

    @Test
    void shouldReadARequestOfLinux() {
        Mad mad = ofLinux();
        assertThat(mad.isOfConnectionManager()).isTrue();
        assertThat(mad.attribute()).isEqualTo(Mad.REQ);
        assertThat(mad.transaction()).isEqualTo(0x2_7fee_2cebL);
        Req req = Req.read(mad);
        assertThat(req)
                .isEqualTo(
                        new Req(
                                0xeb2c_ee7f,
                                PortSpace.TCP.serviceId(7174),
                                0x5054_00ff_fe00_0203L,
                                0x11,
                                1,
                                1,
                                Req.RC,
                                0x7f_8fde,
                                7,
                                3,
                                7,
                                LINUX,
                                OURS,
                                0x84049,
                                0,
                                64,
                                17));
        assertThat(IpHeader.isKnown(mad, Req.PRIVATE_DATA)).isTrue();
        IpHeader header = IpHeader.read(mad, Req.PRIVATE_DATA);
        assertThat(header.peer()).isEqualTo(new CmAddress(LINUX, 0xc75d));
        assertThat(header.destination()).isEqualTo(OURS);
    }

    @Test
    void shouldWriteARequestAsLinuxDoes() {
        Mad linux = ofLinux();
        Mad ours = Req.read(linux).mad(linux.transaction());
        IpHeader.read(linux, Req.PRIVATE_DATA).write(ours, Req.PRIVATE_DATA);
        byte[] expected = linux.array().clone();
        // Timeouts of the manager itself are shorter here, and so is the wait for its answers.
        expected[Mad.BODY + 43] = (byte) (Resend.TIMEOUT_CODE << 3);
        expected[Mad.BODY + 47] = (byte) (Resend.TIMEOUT_CODE << 3 | 7);
        // The rate, which Linux leaves 0 where there is no static one.
        expected[Mad.BODY + 91] = ours.array()[Mad.BODY + 91];
        assertThat(HexFormat.of().formatHex(ours.array()))
                .isEqualTo(HexFormat.of().formatHex(expected));
    }

    @Test
    void shouldKeepTheFieldsOfAReply() {
        Rep rep = new Rep(0x5c11_344d, 0xeb2c_ee7f, 2, 0xbf_5687, 1, 1, 7, 0x5054_00ff_fe00_0201L);
        Mad mad = rep.mad(5);
        assertThat(Rep.read(mad)).isEqualTo(rep);
        assertThat(mad.u8(26)).isEqualTo(Resend.ACK_DELAY_CODE << 3);
        assertThat(mad.data(Rep.PRIVATE_DATA, Rep.PRIVATE_DATA_SIZE)).containsOnly(0);
    }

    @Test
    void shouldReadBothKindsOfRouteHeader() {
        byte[] v4 = new byte[RouteHeader.SIZE];
        byte[] ip = HexFormat.of().parseHex("450001342ec740004011f6550a4d00020a4d0001");
        System.arraycopy(ip, 0, v4, 20, ip.length);
        v4[0] = 0x60; // Of no meaning.
        assertThat(RouteHeader.read(MemorySegment.ofArray(v4)))
                .isEqualTo(new RouteHeader(LINUX, OURS));
        byte[] v6 = new byte[RouteHeader.SIZE];
        Gid from = Gid.parse("fe80::1");
        Gid to = Gid.parse("fe80::2");
        System.arraycopy(from.bytes(), 0, v6, 8, 16);
        System.arraycopy(to.bytes(), 0, v6, 24, 16);
        assertThat(RouteHeader.read(MemorySegment.ofArray(v6)))
                .isEqualTo(new RouteHeader(from, to));
    }
}
