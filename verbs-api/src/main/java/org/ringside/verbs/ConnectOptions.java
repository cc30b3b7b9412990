package org.ringside.verbs;

import java.util.EnumSet;
import java.util.Set;

/**
 * Choices of {@link QueuePair#connect(Endpoint, ConnectOptions)}. Fluent; the defaults suit a local
 * network.
 */
public final class ConnectOptions {
    int port = 1;
    int gidIndex;
    int timeout = 14;
    int retryCount = 7;
    int rnrRetry = 7;
    int minRnrTimer = 12;
    int rdAtomic = 16;
    Mtu mtu = Mtu.MTU_4096;
    Set<Access> access = EnumSet.allOf(Access.class);

    /** Port number from 1. */
    public ConnectOptions port(int port) {
        this.port = port;
        return this;
    }

    /** Index of the local GID. */
    public ConnectOptions gidIndex(int gidIndex) {
        this.gidIndex = gidIndex;
        return this;
    }

    /** Largest path MTU; the port's active MTU bounds it too. */
    public ConnectOptions mtu(Mtu mtu) {
        this.mtu = mtu;
        return this;
    }

    /** ACK timeout as in {@link QpTransitions.ToRts}. */
    public ConnectOptions timeout(int timeout) {
        this.timeout = timeout;
        return this;
    }

    /** Resends after a timeout. */
    public ConnectOptions retryCount(int retryCount) {
        this.retryCount = retryCount;
        return this;
    }

    /** Resends after RNR NAK. */
    public ConnectOptions rnrRetry(int rnrRetry) {
        this.rnrRetry = rnrRetry;
        return this;
    }

    /** RNR timer code. */
    public ConnectOptions minRnrTimer(int minRnrTimer) {
        this.minRnrTimer = minRnrTimer;
        return this;
    }

    /** READs and atomics outstanding each way; the device's limits bound it too. */
    public ConnectOptions rdAtomic(int rdAtomic) {
        this.rdAtomic = rdAtomic;
        return this;
    }

    /** What the peer may do. */
    public ConnectOptions access(Set<Access> access) {
        this.access = Set.copyOf(access);
        return this;
    }
}
