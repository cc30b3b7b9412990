package org.ringside.verbs.cm.ib;

import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Gid;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmAddress;

/** Somebody asks where to send datagrams. What he was told is kept, for he may ask again. */
final class IbDatagramRequest extends IbRequest implements Conversation {
    /** How long the answer is kept: longer than anybody asks again. */
    private static final long KEPT_NANOS = 10_000_000_000L;

    private final IbConnectionManager manager;
    private final Mad request;
    private final Route route;
    private final Asker asker;
    private @Nullable Mad answer;
    private long due = Resend.NEVER;

    IbDatagramRequest(
            IbConnectionManager manager, CmAddress peer, Mad request, Route route, Asker asker) {
        super(
                peer,
                QpType.UD,
                request.data(
                        Sidr.REQ_PRIVATE_DATA + IpHeader.SIZE,
                        Sidr.REQ_PRIVATE_DATA_SIZE - IpHeader.SIZE));
        this.manager = manager;
        this.request = request;
        this.route = route;
        this.asker = asker;
    }

    @Override
    public void acceptDatagrams(QueuePair qp, int qkey, byte[] privateData) throws VerbsException {
        manager.requireMine(qp);
        if (qp.type() != QpType.UD) {
            throw new VerbsException(
                    VerbsException.EINVAL, qp + " is of type " + qp.type() + ", not UD");
        }
        answer(
                Sidr.reply(request, Sidr.VALID, qp.number(), qkey)
                        .data(Sidr.REP_PRIVATE_DATA, checked(privateData)));
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        answer(
                Sidr.reply(request, Sidr.REJECTED, 0, 0)
                        .data(Sidr.REP_PRIVATE_DATA, checked(privateData)));
    }

    private static byte[] checked(byte[] privateData) throws VerbsException {
        return IbConnectionManager.privateData(privateData, Sidr.REP_PRIVATE_DATA_SIZE);
    }

    private void answer(Mad mad) throws VerbsException {
        manager.guardedVerb(
                () -> {
                    decide();
                    answerNow(mad);
                });
    }

    private void answerNow(Mad mad) {
        answer = mad;
        due = System.nanoTime() + KEPT_NANOS;
        manager.send(mad, route);
    }

    @Override
    void refuse() {
        answerNow(Sidr.reply(request, Sidr.REJECTED, 0, 0));
    }

    @Override
    public Gid peerGid() {
        return route.peer();
    }

    /** He asks again. */
    @Override
    public void received(Mad mad, long now) {
        if (answer != null) {
            manager.send(answer, route);
        }
    }

    @Override
    public long due() {
        return due;
    }

    @Override
    public void timer(long now) {
        manager.forget(asker);
    }

    @Override
    public void end() {
        // Who asked gets no answer, and gives up.
    }
}
