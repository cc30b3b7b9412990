package org.ringside.interop;

import java.util.EnumSet;
import java.util.Set;
import org.ringside.verbs.Access;

/**
 * An operation and what is wrong with it. Both ends know from it what to do; {@code
 * hw-tests/vm/guest/errors.py} has the same numbers.
 *
 * <p>Memory of an end, of which the first {@link #REGION} bytes are registered:
 *
 * <pre>
 *   0      message of the requester
 *   1024   target of WRITE, READ and atomics at the responder
 *   2048   receive of the responder
 * </pre>
 *
 * @param operation send, send_imm, write, write_imm, read, faa or cas
 * @param fault none, or what is wrong
 */
record ErrorCase(String operation, String fault) {
    static final int MEMORY = 8192;
    static final int REGION = 4096;
    static final int TARGET = 1024;
    static final int RECEIVE = 2048;

    /** So far before the end of the region an access out of bounds begins. */
    private static final int BEFORE_END = 32;

    /** Posted at once: what becomes of the second tells how the first ended. */
    static final int REQUESTS = 2;

    private static final int LENGTH = 64;
    private static final int SHORT = 32;
    private static final int VARIANT = 0xff;
    private static final int INDEX = 0x5a5a00;

    private boolean is(String name) {
        return fault.equals(name);
    }

    boolean isAtomic() {
        return operation.equals("faa") || operation.equals("cas");
    }

    int length() {
        return isAtomic() ? Long.BYTES : LENGTH;
    }

    /** Rights of the requester's region. */
    Set<Access> localAccess() {
        return is("local-permission")
                ? EnumSet.noneOf(Access.class)
                : EnumSet.of(Access.LOCAL_WRITE);
    }

    /** Rights of the responder's region. */
    Set<Access> remoteAccess() {
        return is("permission") ? EnumSet.of(Access.LOCAL_WRITE) : EnumSet.allOf(Access.class);
    }

    /** Rights of the responder's QP. */
    Set<Access> qpAccess() {
        return is("qp-permission") ? EnumSet.noneOf(Access.class) : EnumSet.allOf(Access.class);
    }

    /** Whether the key that the requester gets is of another PD than the responder's QP. */
    boolean hasOtherPd() {
        return is("wrong-pd");
    }

    int lkey(int good) {
        return is("local-lkey") ? good ^ VARIANT : good;
    }

    /** Where the message is, from the begin of the requester's memory. */
    long local() {
        return is("local-bounds") ? beyond() : 0;
    }

    private long beyond() {
        return isAtomic() ? REGION : REGION - BEFORE_END;
    }

    int rkey(int good) {
        return switch (fault) {
            case "bad-rkey" -> good ^ VARIANT;
            case "unknown-rkey" -> good ^ INDEX;
            default -> good;
        };
    }

    /** Where the target is, from the begin of the responder's memory. */
    long remote() {
        return switch (fault) {
            case "bounds" -> beyond();
            case "misaligned" -> TARGET + 4L;
            default -> TARGET;
        };
    }

    /** Receives that the responder posts. */
    int receives() {
        boolean takes = operation.startsWith("send") || operation.equals("write_imm");
        return takes && !is("rnr") ? REQUESTS : 0;
    }

    int receiveLength() {
        return is("oversize") ? SHORT : LENGTH;
    }

    int receiveLkey(int good) {
        return is("receive-lkey") ? good ^ VARIANT : good;
    }
}
