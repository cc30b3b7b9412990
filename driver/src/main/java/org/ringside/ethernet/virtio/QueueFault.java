package org.ringside.ethernet.virtio;

/**
 * The device said something about a queue that cannot be. Nothing that it says is used any more.
 */
final class QueueFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    QueueFault(String message) {
        super(message);
    }
}
