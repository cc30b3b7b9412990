package org.ringside.conformance;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.ringside.verbs.Context;
import org.ringside.verbs.VerbsException;

/**
 * What the kernel's rdma_rxe tells otherwise than the specification, so that no test of the kit can
 * expect it there. Source: Linux 6.12, drivers/infiniband/sw/rxe.
 */
final class Rxe {
    /** RXE_VENDOR_ID of rxe_param.h. */
    private static final int VENDOR = 0xffffff;

    private Rxe() {}

    /** Skips the test where one of the devices is rxe, for a reason. */
    static void cannot(Topology topology, String reason) throws VerbsException {
        assumeFalse(
                is(OpenDevices.get(topology.left())) || is(OpenDevices.get(topology.right())),
                "rxe " + reason);
    }

    private static boolean is(Context context) {
        return context.deviceName().startsWith("kernel/")
                && context.attributes().vendorId() == VENDOR;
    }
}
