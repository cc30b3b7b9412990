package org.ringside.verbs.cm;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.ringside.verbs.Access;
import org.ringside.verbs.Mtu;

/**
 * Choices of a connection and of the way to it. Fluent; the defaults suit a local network. The
 * accepting side takes MTU, ACK timeout and retry counts from the request.
 */
public final class CmOptions {
    private static final byte[] NOTHING = {};

    private byte[] privateData = NOTHING;
    private Duration timeout = Duration.ofSeconds(20);
    private Set<Access> access = EnumSet.allOf(Access.class);
    private Mtu mtu = Mtu.MTU_4096;
    private int ackTimeout = 14;
    private int retryCount = 7;
    private int rnrRetry = 7;
    private int minRnrTimer = 12;
    private int rdAtomic = 16;

    /**
     * What the other side gets with the message; it may be empty. At most 56 bytes with a request
     * for a connection, 180 with one for datagrams, 196 and 136 with what accepts these.
     */
    public CmOptions privateData(byte[] privateData) {
        this.privateData = privateData.clone();
        return this;
    }

    /** How long the whole may take. */
    public CmOptions timeout(Duration timeout) {
        this.timeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /** What the peer may do; for a QP that is still in RESET. */
    public CmOptions access(Set<Access> access) {
        this.access = Set.copyOf(access);
        return this;
    }

    /** Largest path MTU; the port's active MTU bounds it too. */
    public CmOptions mtu(Mtu mtu) {
        this.mtu = Objects.requireNonNull(mtu, "mtu");
        return this;
    }

    /** ACK timeout, 4.096 us times 2 to this. */
    public CmOptions ackTimeout(int ackTimeout) {
        this.ackTimeout = ackTimeout;
        return this;
    }

    /** Resends after a timeout, 0 to 7. */
    public CmOptions retryCount(int retryCount) {
        this.retryCount = retryCount;
        return this;
    }

    /** Resends after RNR NAK, 0 to 6; 7 is without end. */
    public CmOptions rnrRetry(int rnrRetry) {
        this.rnrRetry = rnrRetry;
        return this;
    }

    /** Code of the wait asked from the peer when no receive is posted (IBTA table 46). */
    public CmOptions minRnrTimer(int minRnrTimer) {
        this.minRnrTimer = minRnrTimer;
        return this;
    }

    /** READs and atomics outstanding each way; the device and the peer bound it too. */
    public CmOptions rdAtomic(int rdAtomic) {
        this.rdAtomic = rdAtomic;
        return this;
    }

    public byte[] privateData() {
        return privateData.clone();
    }

    public Duration timeout() {
        return timeout;
    }

    public Set<Access> access() {
        return access;
    }

    public Mtu mtu() {
        return mtu;
    }

    public int ackTimeout() {
        return ackTimeout;
    }

    public int retryCount() {
        return retryCount;
    }

    public int rnrRetry() {
        return rnrRetry;
    }

    public int minRnrTimer() {
        return minRnrTimer;
    }

    public int rdAtomic() {
        return rdAtomic;
    }
}
