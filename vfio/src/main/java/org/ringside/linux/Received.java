package org.ringside.linux;

/** What one recvmsg brought. */
public final class Received {
    private final int bytes;
    private final int[] fds;

    /** With so much data and these descriptors, which the receiver owns from now on. */
    public Received(int bytes, int[] fds) {
        this.bytes = bytes;
        this.fds = fds;
    }

    /** Bytes of data; 0 when the peer has closed. */
    public int bytes() {
        return bytes;
    }

    /**
     * Descriptors that came along, close-on-exec and the receiver's to close; empty when none did.
     * The array is the receiver's too.
     */
    public int[] fds() {
        return fds;
    }
}
