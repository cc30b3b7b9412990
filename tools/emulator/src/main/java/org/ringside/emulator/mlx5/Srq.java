package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.transport.SrqState;

/**
 * A shared receive queue, by whichever of the three commands it was made. They share their numbers,
 * as a QP names all of them in the same field.
 */
final class Srq extends HwObject {
    /** The command that made it, and so those that it takes. */
    enum Kind {
        SRQ,
        XRC_SRQ,
        RMP
    }

    final Kind kind;
    final HwObject.Plain pd;

    /** XRC domain and completion queue, which an RMP has not. */
    final HwObject.@Nullable Plain xrcd;

    final Objects.@Nullable Cq cq;

    /** The context as the driver wrote it. */
    final byte[] context;

    final long[] pages;
    private @Nullable SrqState state;

    Srq(
            Kind kind,
            HwObject.Plain pd,
            HwObject.@Nullable Plain xrcd,
            Objects.@Nullable Cq cq,
            byte[] context,
            long[] pages) {
        this.kind = kind;
        this.pd = pd;
        this.xrcd = xrcd;
        this.cq = cq;
        this.context = context;
        this.pages = pages;
    }

    void state(SrqState made) {
        state = made;
    }

    SrqState state() {
        if (state == null) {
            throw new IllegalStateException("SRQ 0x%x is not made yet".formatted(index()));
        }
        return state;
    }

    void use() {
        pd.addUser();
        if (xrcd != null) {
            xrcd.addUser();
        }
        if (cq != null) {
            cq.addUser();
        }
    }

    void release() {
        pd.removeUser();
        if (xrcd != null) {
            xrcd.removeUser();
        }
        if (cq != null) {
            cq.removeUser();
        }
    }
}
