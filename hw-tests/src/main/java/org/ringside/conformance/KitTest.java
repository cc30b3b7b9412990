package org.ringside.conformance;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/** What all classes of the kit share: the devices that they run on. */
@OnEachDevice
@Timeout(value = 300, unit = TimeUnit.SECONDS)
abstract class KitTest {
    @Parameter Topology topology;

    final Connection connect() throws Exception {
        return Connection.of(topology);
    }
}
