package org.ringside.verbs.cm;

import org.ringside.verbs.VerbsException;

/** The other side said no. */
public final class CmRejectedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final int reason;
    private final transient byte[] privateData;

    /** For providers. */
    public CmRejectedException(String message, int reason, byte[] privateData) {
        super(ECONNREFUSED, message);
        this.reason = reason;
        this.privateData = privateData.clone();
    }

    /** The code of the message that said so: REJ (IBTA 12.6.7.2), or the status of SIDR_REP. */
    public int reason() {
        return reason;
    }

    /** As {@link CmConnection#privateData()}. */
    public byte[] privateData() {
        return privateData == null ? new byte[0] : privateData.clone();
    }
}
