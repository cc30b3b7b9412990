package org.ringside.ethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;

class HubTest {
    private static final long BROADCAST = 0xffff_ffff_ffffL;

    private final Hub hub = new Hub();
    private final EthernetPort a = hub.plug("a", 0x02_00_00_00_00_0aL);
    private final EthernetPort b = hub.plug("b", 0x02_00_00_00_00_0bL);
    private final EthernetPort c = hub.plug("c", 0x02_00_00_00_00_0cL);

    private static void send(EthernetPort from, long to) {
        Frame frame = Objects.requireNonNull(from.acquire());
        Ethernet.write(frame.bytes(), to, from.mac(), Ethernet.NO_VLAN, Ethernet.IPV4);
        frame.length(60);
        from.transmit(frame);
    }

    private static int received(EthernetPort port) {
        return port.poll((frame, now) -> assertThat(frame.length()).isEqualTo(60), 0);
    }

    @Test
    void shouldDeliverToTheOwnerOfTheMac() {
        send(a, b.mac());

        assertThat(received(b)).isEqualTo(1);
        assertThat(received(c)).isZero();
        assertThat(received(a)).isZero();
    }

    @Test
    void shouldDeliverToAllOthersWhenNobodyHasTheMac() {
        send(a, BROADCAST);

        assertThat(received(b)).isEqualTo(1);
        assertThat(received(c)).isEqualTo(1);
        assertThat(received(a)).isZero();
    }

    @Test
    void shouldRefuseAMacTwice() {
        assertThatThrownBy(() -> hub.plug("again", b.mac()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is on the hub already, as b");
    }

    @Test
    void shouldForgetAPortThatWasClosed() {
        b.close();
        b.close();

        assertThat(b.isUp()).isFalse();
        EthernetPort again = hub.plug("again", b.mac());
        send(a, again.mac());
        assertThat(received(again)).isEqualTo(1);
    }
}
