package org.ringside.verbs.cm.ib;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.cm.CmListener;
import org.ringside.verbs.cm.CmRequest;
import org.ringside.verbs.spi.Mailbox;

/** A service id that is listened to. */
final class IbListener extends CmListener {
    /** Requests that wait to be taken; more are rejected. */
    private static final int BACKLOG = 1024;

    private final IbConnectionManager manager;
    private final long serviceId;
    private final int port;
    private final Mailbox<IbRequest> requests = new Mailbox<>(Integer.MAX_VALUE);
    private int waiting;
    private boolean closed;

    IbListener(IbConnectionManager manager, long serviceId, int port) {
        this.manager = manager;
        this.serviceId = serviceId;
        this.port = port;
    }

    @Override
    public int port() {
        return port;
    }

    long serviceId() {
        return serviceId;
    }

    /**
     * Somebody asks. Under the manager's monitor.
     *
     * @return false when too many wait already
     */
    boolean offer(IbRequest request) {
        if (waiting == BACKLOG) {
            return false;
        }
        waiting++;
        requests.add(request);
        return true;
    }

    @Override
    public @Nullable CmRequest await(Duration timeout) throws InterruptedException {
        IbRequest taken = requests.await(timeout);
        if (taken != null) {
            manager.guarded(() -> waiting--);
        }
        return taken;
    }

    /** Nobody shall wait any more. */
    void end() {
        requests.end();
    }

    @Override
    public void close() {
        manager.guarded(
                () -> {
                    if (!closed) {
                        closed = true;
                        manager.forget(this);
                        for (IbRequest left = requests.poll();
                                left != null;
                                left = requests.poll()) {
                            left.refuse();
                        }
                    }
                });
        end();
    }
}
