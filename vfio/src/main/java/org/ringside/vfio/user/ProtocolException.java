package org.ringside.vfio.user;

import java.io.IOException;

/** The peer sent what the protocol does not allow, or closed in the middle of a message. */
public final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
