package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.PortAttributes.LinkLayer;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/** Our driver on a function whose port is InfiniBand. */
@Timeout(60)
class IbPortTest {
    private static final String FIRST = "emulated/ib-a?profile=ib&wire=ib";
    private static final String SECOND = "emulated/ib-b?profile=ib&wire=ib";

    @Test
    void shouldShowLidAndGid() throws Exception {
        try (Context a = Verbs.open(FIRST);
                Context b = Verbs.open(SECOND)) {
            PortAttributes port = a.port(1);

            assertThat(port.linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
            assertThat(port.active()).isTrue();
            assertThat(port.activeMtu()).isEqualTo(Mtu.MTU_4096);
            assertThat(port.lid()).isOne();
            assertThat(b.port(1).lid()).isEqualTo(2);
            assertThat(port.gidTableLength()).isEqualTo(8);
            assertThat(a.gid(1, 0).toString()).startsWith("fe80:");
            assertThat(a.gid(1, 0)).isNotEqualTo(b.gid(1, 0));
            assertThat(a.gid(1, 1)).isEqualTo(Gid.NONE);
            assertThat(a.attributes().nodeGuid()).isNotZero();
        }
    }

    @Test
    void shouldLeaveTheGidTableToTheSubnetManager() throws Exception {
        try (Context context = Verbs.open(FIRST)) {
            Gid own = context.gid(1, 0);

            assertThatThrownBy(() -> context.setGid(1, 1, own))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(VerbsException.EOPNOTSUPP))
                    .hasMessageContaining("InfiniBand");
        }
    }

    @Test
    void shouldWantThePeersLid() throws Exception {
        try (Context context = Verbs.open(FIRST)) {
            CompletionQueue cq = context.createCq(16);
            QueuePair qp = context.createPd().createQp(new QpOptions(cq));
            Endpoint own = qp.endpoint();
            assertThat(own.lid()).isOne();

            assertThatThrownBy(
                            () -> qp.connect(new Endpoint(own.qpNumber(), own.psn(), 0, own.gid())))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("destination LID is 0");
        }
    }

    @Test
    void shouldGoUpAndDownWithoutAFinding() throws Exception {
        Emulator emulator;
        try (Context context = Verbs.open(FIRST)) {
            emulator = Objects.requireNonNull(EmulatedProvider.emulator(FIRST));
            assertThat(context.port(1).active()).isTrue();
        }
        assertThat(emulator.findings().list()).isEmpty();
    }
}
