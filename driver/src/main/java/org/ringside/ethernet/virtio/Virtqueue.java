package org.ringside.ethernet.virtio;

/**
 * A queue of single buffers between driver and device. Buffers are named by numbers from 0 up to
 * the queue's size; the address and the direction of each are given once, by {@link #prepare}.
 *
 * <p>What the device says is checked before it is used: only a buffer that it has comes back, once.
 *
 * <p>Threading: one thread.
 */
abstract class Virtqueue {
    /** No buffer. */
    static final int NONE = -1;

    private final String name;
    private final int size;
    private final boolean[] atDevice;
    private int outstanding;
    private int usedLength;

    /**
     * @param name for messages
     * @param size buffers
     */
    Virtqueue(String name, int size) {
        this.name = name;
        this.size = size;
        this.atDevice = new boolean[size];
    }

    final int size() {
        return size;
    }

    /** Buffers that the device has. */
    final int outstanding() {
        return outstanding;
    }

    /** IOVA of the descriptors, for the device. */
    abstract long descriptors();

    /** IOVA of what the driver writes: the available ring, or its event suppression. */
    abstract long driverArea();

    /** IOVA of what the device writes: the used ring, or its event suppression. */
    abstract long deviceArea();

    /**
     * Says where a buffer is.
     *
     * @param deviceWrites whether it is for receiving
     */
    abstract void prepare(int buffer, long iova, boolean deviceWrites);

    /** Hands a buffer to the device, which sees it from now on. */
    final void offer(int buffer, int length) {
        if (atDevice[buffer]) {
            throw new IllegalStateException(name + ": the device has buffer " + buffer);
        }
        atDevice[buffer] = true;
        outstanding++;
        expose(buffer, length);
    }

    /**
     * The next buffer that the device has done with, {@link #NONE} when there is none.
     *
     * @throws QueueFault when the device gives back what it does not have
     */
    final int take() {
        int buffer = outstanding == 0 ? NONE : nextUsed();
        if (buffer == NONE) {
            return NONE;
        }
        if (buffer < 0 || buffer >= size || !atDevice[buffer]) {
            throw fault("buffer 0x%x comes back, which the device does not have", buffer);
        }
        atDevice[buffer] = false;
        outstanding--;
        return buffer;
    }

    /** Bytes that the device wrote to the buffer taken last, as it says. */
    final int usedLength() {
        return usedLength;
    }

    final void usedLength(int bytes) {
        usedLength = bytes;
    }

    final QueueFault fault(String format, Object... values) {
        return new QueueFault(name + ": " + format.formatted(values));
    }

    /** Whether the device wants to be told of buffers that were offered since it looked last. */
    abstract boolean wantsNotification();

    abstract void expose(int buffer, int length);

    /** Number as the device gives it, and its {@link #usedLength(int)}. */
    abstract int nextUsed();
}
