package org.ringside.ethernet.virtio;

/** Feature bits (virtio 1.2, 5.1.3 and 6). */
final class Features {
    static final long MTU = 1L << 3;
    static final long MAC = 1L << 5;
    static final long STATUS = 1L << 16;
    static final long VERSION_1 = 1L << 32;
    static final long ACCESS_PLATFORM = 1L << 33;
    static final long RING_PACKED = 1L << 34;
    static final long ORDER_PLATFORM = 1L << 36;

    /** What this driver makes use of. */
    static final long KNOWN =
            MTU | MAC | STATUS | VERSION_1 | ACCESS_PLATFORM | RING_PACKED | ORDER_PLATFORM;

    private Features() {}
}
