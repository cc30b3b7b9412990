package org.ringside.mlx5;

import java.lang.invoke.VarHandle;

/**
 * Memory order between this CPU and the device, named by purpose as rdma-core's util/udma_barrier.h
 * does. The only fences of the driver are here.
 *
 * <p>x86-64 keeps stores in order, to ordinary memory and to uncached registers, and loads in
 * order, so there only the compiler has to be held: the fences below cost no instruction. VFIO maps
 * BARs uncached; a write-combining mapping would need more.
 *
 * <p>Elsewhere a full fence stands in for the outer-shareable store barrier that rdma-core uses;
 * Java has no way to ask for that one. Unproven on AArch64.
 */
final class Barriers {
    private static final boolean STORES_IN_ORDER = isX86(System.getProperty("os.arch", ""));

    private Barriers() {}

    private static boolean isX86(String arch) {
        return arch.equals("amd64") || arch.equals("x86_64");
    }

    /**
     * What was written to ordinary memory is visible to the device before what is written there
     * next (udma_to_device_barrier): the WQE before its doorbell record.
     */
    static void wqeBeforeDoorbellRecord() {
        storeStore();
    }

    /**
     * What was written to ordinary memory is visible to the device before the next register is
     * written (mmio_wc_start without write combining): the record before the doorbell.
     */
    static void recordBeforeDoorbell() {
        storeStore();
    }

    /**
     * What the device published by an owner bit is read after that bit (udma_from_device_barrier).
     */
    static void ownerBeforeContents() {
        VarHandle.acquireFence();
    }

    /** What was read from a ring is done with before the device is told that it may reuse it. */
    static void consumedBeforeDoorbell() {
        if (STORES_IN_ORDER) {
            VarHandle.releaseFence();
        } else {
            VarHandle.fullFence();
        }
    }

    /**
     * The doorbell leaves before the next store (mmio_flush_writes without write combining): keeps
     * two doorbells in program order.
     */
    static void flushDoorbell() {
        storeStore();
    }

    private static void storeStore() {
        if (STORES_IN_ORDER) {
            VarHandle.releaseFence();
        } else {
            VarHandle.fullFence();
        }
    }
}
