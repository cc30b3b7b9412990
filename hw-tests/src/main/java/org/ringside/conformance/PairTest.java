package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.VerbsException;

/** What only two devices can show; runs for each pair that is named. */
@ParameterizedClass(name = "on {0}", allowZeroInvocations = true)
@MethodSource("org.ringside.conformance.Topology#pairs")
@ExtendWith(OpenDevices.AtEnd.class)
class PairTest {
    @Parameter Topology topology;

    @Test
    void shouldGiveTwoDevicesTwoAddresses() throws Exception {
        assertThat(OpenDevices.get(topology.left()).gid(1, 0))
                .isNotEqualTo(OpenDevices.get(topology.right()).gid(1, 0));
    }

    @Test
    void shouldRefuseObjectsOfAnotherDevice() throws Exception {
        Context left = OpenDevices.get(topology.left());
        Context right = OpenDevices.get(topology.right());
        try (ProtectionDomain pd = left.createPd();
                CompletionQueue foreign = right.createCq(16)) {
            assertThatThrownBy(() -> pd.createQp(new QpOptions(foreign)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("belongs to device " + topology.right());
        }
    }
}
