package org.ringside.verbs.cm.ib;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Gid;

/** Our question where datagrams for a service go. */
final class SidrQuery implements Conversation {
    private final IbConnectionManager manager;
    private final Route route;
    private final Resend resend = new Resend();
    private @Nullable Mad answer;
    private boolean ended;

    SidrQuery(IbConnectionManager manager, Route route) {
        this.manager = manager;
        this.route = route;
    }

    void ask(Mad request, long now) {
        resend.start(request, now);
        manager.send(request, route);
    }

    /** The answer; null when none came in time. Under the monitor, which it gives up meanwhile. */
    @Nullable Mad await(long deadline) throws InterruptedException {
        while (answer == null && !ended) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                break;
            }
            TimeUnit.NANOSECONDS.timedWait(manager.monitor(), left);
        }
        return answer;
    }

    @Override
    public Gid peerGid() {
        return route.peer();
    }

    @Override
    public boolean expects(Mad mad) {
        return mad.attribute() == Mad.SIDR_REP;
    }

    @Override
    public void received(Mad mad, long now) {
        resend.stop();
        answer = mad;
        manager.monitor().notifyAll();
    }

    @Override
    public long due() {
        return resend.due();
    }

    @Override
    public void timer(long now) {
        Mad again = resend.next(now);
        if (again == null) {
            end();
        } else {
            manager.send(again, route);
        }
    }

    @Override
    public void end() {
        ended = true;
        manager.monitor().notifyAll();
    }
}
