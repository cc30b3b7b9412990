package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceAttributes;
import org.ringside.verbs.Gid;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/** What a device says of itself. */
class DeviceTest extends KitTest {
    @Test
    void shouldSayLimitsThatAreUsable() throws Exception {
        DeviceAttributes device = OpenDevices.get(topology.left()).attributes();

        assertThat(device.firmwareVersion()).isNotBlank();
        assertThat(device.maxQp()).isGreaterThanOrEqualTo(16);
        assertThat(device.maxQpWr()).isGreaterThanOrEqualTo(64);
        assertThat(device.maxSge()).isGreaterThanOrEqualTo(2);
        assertThat(device.maxCqe()).isGreaterThanOrEqualTo(256);
        assertThat(device.maxMrSize()).isGreaterThanOrEqualTo(1L << 30);
        assertThat(device.maxMessageSize()).isGreaterThanOrEqualTo(1L << 20);
        assertThat(device.completionVectors()).isPositive();
        assertThat(device.ports()).isPositive();
        assertThat(device.nodeGuid()).isNotZero();
    }

    @Test
    void shouldHaveAnActivePortWithAnAddress() throws Exception {
        Context context = OpenDevices.get(topology.left());
        PortAttributes port = context.port(1);

        assertThat(port.active()).isTrue();
        assertThat(port.gidTableLength()).isPositive();
        assertThat(context.gid(1, 0)).isNotEqualTo(Gid.NONE);
        if (port.linkLayer() == PortAttributes.LinkLayer.ETHERNET) {
            assertThat(port.lid()).isZero();
        } else {
            assertThat(port.lid()).isPositive();
        }
    }

    @Test
    void shouldRefusePortsThatAreNotThere() throws Exception {
        Context context = OpenDevices.get(topology.left());
        int beyond = context.attributes().ports() + 1;

        assertThatThrownBy(() -> context.port(0))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("port number is 0");
        assertThatThrownBy(() -> context.port(beyond))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("port number is " + beyond);
        assertThatThrownBy(() -> context.gid(1, context.port(1).gidTableLength()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("GID index");
    }

    @Test
    void shouldNameProvidersWhenNoneServesTheName() {
        assertThatThrownBy(() -> Verbs.open("nonsense/0"))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.ENODEV))
                .hasMessageContaining("nonsense/0")
                .hasMessageContaining("providers here:");
    }

    @Test
    void shouldHaveNoEventWhenNothingHappened() throws Exception {
        assertThat(OpenDevices.get(topology.left()).isLost()).isFalse();
    }
}
