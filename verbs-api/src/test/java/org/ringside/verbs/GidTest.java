package org.ringside.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GidTest {
    @Test
    void shouldMapIpv4() {
        Gid gid = Gid.parse("192.0.2.7");
        assertThat(gid).isEqualTo(new Gid(0, 0x0000_ffff_c000_0207L));
        assertThat(gid.isIpv4Mapped()).isTrue();
        assertThat(gid).hasToString("::ffff:192.0.2.7");
    }

    @Test
    void shouldParseIpv6() {
        Gid gid = Gid.parse("fe80::1:2");
        assertThat(gid).isEqualTo(new Gid(0xfe80_0000_0000_0000L, 0x0001_0002L));
        assertThat(gid).hasToString("fe80:0000:0000:0000:0000:0000:0001:0002");
        assertThat(Gid.of(gid.bytes())).isEqualTo(gid);
    }

    @Test
    void shouldMakeLinkLocalOfMacAndBack() {
        Gid gid = Gid.linkLocal(0x02_11_22_33_44_55L);
        assertThat(gid).isEqualTo(new Gid(0xfe80L << 48, 0x0011_22ff_fe33_4455L));
        assertThat(gid.isLinkLocalEui64()).isTrue();
        assertThat(gid.macOfLinkLocal()).isEqualTo(0x02_11_22_33_44_55L);
        assertThat(Gid.linkLocal(0xff_ff_ff_ff_ff_ffL).macOfLinkLocal())
                .isEqualTo(0xff_ff_ff_ff_ff_ffL);
    }

    @Test
    void shouldRefuseWhatIsNoAddress() {
        assertThatThrownBy(() -> Gid.parse("localhost")).hasMessageContaining("localhost");
        assertThatThrownBy(() -> Gid.parse("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Gid.of(new byte[15])).hasMessageContaining("15");
        assertThatThrownBy(() -> Gid.NONE.macOfLinkLocal())
                .isInstanceOf(IllegalStateException.class);
    }
}
