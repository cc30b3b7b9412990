package org.ringside.vfio.user;

/**
 * Header of every message.
 *
 * <pre>
 *    0          2          4            8          12         16
 *   | id       | command  | size       | flags    | error    | payload ...
 * </pre>
 *
 * <p>The size counts header and payload. An error reply has no payload.
 */
public final class Header {
    /** Bytes. */
    public static final int SIZE = 16;

    /** u16, the sender's choice; the reply repeats it. */
    public static final int MESSAGE_ID = 0;

    /** u16, a {@link Command}; the reply repeats it. */
    public static final int COMMAND = 2;

    /** u32, bytes with this header. */
    public static final int MESSAGE_SIZE = 4;

    /** u32. */
    public static final int FLAGS = 8;

    /** u32, a Linux errno when {@link #FLAG_ERROR} is set. */
    public static final int ERROR = 12;

    /** Bits of the flags that hold the type. */
    public static final int TYPE_MASK = 0xf;

    public static final int TYPE_REQUEST = 0;
    public static final int TYPE_REPLY = 1;

    /** The sender of the request does not want a reply; a failure is silent then. */
    public static final int FLAG_NO_REPLY = 0x10;

    /** The reply reports a failure. */
    public static final int FLAG_ERROR = 0x20;

    private Header() {}
}
