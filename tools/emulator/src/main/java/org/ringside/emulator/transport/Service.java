package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.ServiceType;

/** Transport service of a QP (IBTA 9.2 and 14). */
public enum Service {
    /** Reliable connection. */
    RC(ServiceType.RC),
    /** Unreliable connection. */
    UC(ServiceType.UC),
    /** Unreliable datagram. */
    UD(ServiceType.UD),
    /** Extended reliable connection: initiators have no receives, targets no sends. */
    XRC(ServiceType.XRC),
    /** The port's QP 0: subnet management packets. */
    SMI(ServiceType.QP0),
    /** The port's QP 1: general services. */
    GSI(ServiceType.QP1),
    /** Changes memory keys by WQEs, talks to nobody. */
    UMR(ServiceType.REG_UMR);

    private final int code;

    Service(int code) {
        this.code = code;
    }

    /** The service with a {@link ServiceType}, or null when the device has none. */
    public static @Nullable Service of(int code) {
        for (Service service : values()) {
            if (service.code == code) {
                return service;
            }
        }
        return null;
    }

    /** {@link ServiceType}. */
    public int code() {
        return code;
    }

    /** Whether each WQE says where it goes. */
    public boolean isDatagram() {
        return this == UD || this == SMI || this == GSI;
    }

    /** Whether it has one peer. */
    public boolean isConnected() {
        return this == RC || this == UC || this == XRC;
    }

    /** Whether requests are answered. */
    public boolean isReliable() {
        return this == RC || this == XRC;
    }
}
