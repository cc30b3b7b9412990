package org.ringside.mlx5;

import org.jspecify.annotations.Nullable;
import org.ringside.verbs.PostResult;

/**
 * The two rings of one QP, as completions find them.
 *
 * <p>Immutable but for the rings and the observer.
 */
public final class WorkQueues {
    final int qpNumber;
    final SendQueue send;
    final ReceiveQueue receive;

    /** The QP itself, told of errors; null on a bare ring. */
    private volatile @Nullable Observer observer;

    /** Who wants to know what happens to the rings. */
    interface Observer {
        /** The device has moved the QP to an error state. */
        void failed();
    }

    /** The rings of a QP number. */
    public WorkQueues(int qpNumber, SendQueue send, ReceiveQueue receive) {
        this.qpNumber = qpNumber;
        this.send = send;
        this.receive = receive;
    }

    void observe(Observer by) {
        observer = by;
    }

    @Nullable Observer observer() {
        return observer;
    }

    /** The device has died: posts fail from now on. */
    void lose() {
        send.setLimit(false, PostResult.DEVICE_LOST);
        receive.setLimit(false, PostResult.DEVICE_LOST);
    }

    /** A completion with an error has been polled. */
    void failed() {
        Observer by = observer;
        if (by != null) {
            by.failed();
        }
    }
}
