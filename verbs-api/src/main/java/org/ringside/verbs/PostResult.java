package org.ringside.verbs;

/**
 * Outcome of a post. On anything but {@link #POSTED} nothing of the call (of the whole batch) was
 * handed to the device.
 */
public enum PostResult {
    /** Handed to the device. */
    POSTED,
    /** Not enough room; poll completions first. */
    QUEUE_FULL,
    /**
     * The QP's state does not allow it: sends need RTS, SQD or ERR, receives anything but RESET.
     */
    WRONG_STATE,
    /** More scatter/gather entries than the QP was made for. */
    TOO_MANY_SGES,
    /** More inline data than the QP was made for. */
    INLINE_TOO_LARGE,
    /**
     * A length is negative, or over what the device sends in one message; or an atomic is not 8
     * bytes at a multiple of 8.
     */
    BAD_LENGTH,
    /**
     * The builder was used out of order: data without operation, operation without start, submit
     * without either.
     */
    BAD_SEQUENCE,
    /** The QP was not made for this operation. */
    NOT_SUPPORTED,
    /**
     * The device has gone; work that was outstanding completes with {@link WcStatus#WR_FLUSH_ERR}.
     */
    DEVICE_LOST
}
