package org.ringside.verbs.cm.ib;

import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmAddress;
import org.ringside.verbs.cm.CmConnection;
import org.ringside.verbs.cm.CmOptions;
import org.ringside.verbs.cm.CmRequest;

/** What both kinds of request have. */
abstract class IbRequest extends CmRequest {
    private final CmAddress peer;
    private final QpType type;
    private final byte[] privateData;
    private boolean decided;

    IbRequest(CmAddress peer, QpType type, byte[] privateData) {
        this.peer = peer;
        this.type = type;
        this.privateData = privateData;
    }

    @Override
    public final CmAddress peer() {
        return peer;
    }

    @Override
    public final QpType type() {
        return type;
    }

    @Override
    public final byte[] privateData() {
        return privateData.clone();
    }

    /** It is decided now; that can be done once. */
    final void decide() throws VerbsException {
        if (decided) {
            throw new VerbsException(
                    VerbsException.EINVAL, this + " was accepted or rejected already");
        }
        decided = true;
    }

    /** The listener goes: rejected without a word. Under the manager's monitor. */
    abstract void refuse();

    @Override
    public CmConnection accept(QueuePair qp, CmOptions options)
            throws VerbsException, InterruptedException {
        throw new VerbsException(
                VerbsException.EINVAL, this + " is for datagrams; answer it with acceptDatagrams");
    }

    @Override
    public void acceptDatagrams(QueuePair qp, int qkey, byte[] privateData) throws VerbsException {
        throw new VerbsException(
                VerbsException.EINVAL, this + " is for a connection; answer it with accept");
    }

    @Override
    public String toString() {
        return "request of " + peer;
    }
}
