package org.ringside.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Arrays;
import org.ringside.linux.Layouts.Cmsghdr;
import org.ringside.linux.Layouts.Iovec;
import org.ringside.linux.Layouts.Msghdr;

/**
 * Native memory that one thread needs during a call, so that calls make no garbage: the captured
 * errno, a message header with its vector and control data, and room for any other small structure.
 */
final class Scratch {
    private static final ThreadLocal<Scratch> CURRENT = ThreadLocal.withInitial(Scratch::new);
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final long ERRNO =
            CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final int CONTROL_SIZE = Cmsghdr.space(SystemCalls.MAX_MESSAGE_FDS * 4);
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;

    /** Where the linker leaves errno. */
    final MemorySegment capture;

    /** 256 bytes for one structure. */
    final MemorySegment struct;

    /** The struct msghdr; it points at one struct iovec. */
    final MemorySegment message;

    /** The path "". */
    final MemorySegment emptyPath;

    private final MemorySegment vector;
    private final MemorySegment control;

    private Scratch() {
        Arena arena = Arena.ofAuto();
        capture = arena.allocate(CAPTURE);
        struct = arena.allocate(256, 8);
        emptyPath = arena.allocate(1);
        message = arena.allocate(Msghdr.SIZE, 8);
        vector = arena.allocate(Iovec.SIZE, 8);
        control = arena.allocate(CONTROL_SIZE, 8);
        message.set(JAVA_LONG, Msghdr.IOV, vector.address());
        message.set(JAVA_LONG, Msghdr.IOVLEN, 1);
    }

    static Scratch current() {
        return CURRENT.get();
    }

    static int errno(MemorySegment capture) {
        return capture.get(JAVA_INT, ERRNO);
    }

    /** Makes the message carry this data and these descriptors. */
    void describeSend(MemorySegment data, int[] fds) {
        describeData(data);
        int bytes = fds.length * 4;
        if (fds.length > SystemCalls.MAX_MESSAGE_FDS) {
            throw new IllegalArgumentException(
                    fds.length + " descriptors; a message carries " + SystemCalls.MAX_MESSAGE_FDS);
        }
        if (fds.length == 0) {
            setControl(0);
            return;
        }
        control.set(JAVA_LONG, Cmsghdr.LEN, Cmsghdr.DATA + (long) bytes);
        control.set(JAVA_INT, Cmsghdr.LEVEL, SOL_SOCKET);
        control.set(JAVA_INT, Cmsghdr.TYPE, SCM_RIGHTS);
        for (int i = 0; i < fds.length; i++) {
            control.set(JAVA_INT, Cmsghdr.DATA + i * 4L, fds[i]);
        }
        setControl(Cmsghdr.space(bytes));
    }

    /** Makes the message take data here and up to so many descriptors. */
    void describeReceive(MemorySegment into, int maxFds) {
        if (maxFds < 0 || maxFds > SystemCalls.MAX_MESSAGE_FDS) {
            throw new IllegalArgumentException("maxFds " + maxFds);
        }
        describeData(into);
        setControl(maxFds == 0 ? 0 : Cmsghdr.space(maxFds * 4));
    }

    /** Flags of the message received, such as MSG_CTRUNC. */
    int receivedFlags() {
        return message.get(JAVA_INT, Msghdr.FLAGS);
    }

    /** Descriptors of the message received. */
    int[] receivedFds() {
        long end = message.get(JAVA_LONG, Msghdr.CONTROLLEN);
        int[] fds = {};
        long at = 0;
        while (at + Cmsghdr.SIZE <= end) {
            long length = control.get(JAVA_LONG, at + Cmsghdr.LEN);
            if (length < Cmsghdr.SIZE || length > end - at) {
                break;
            }
            if (control.get(JAVA_INT, at + Cmsghdr.LEVEL) == SOL_SOCKET
                    && control.get(JAVA_INT, at + Cmsghdr.TYPE) == SCM_RIGHTS) {
                int more = (int) (length - Cmsghdr.DATA) / 4;
                int had = fds.length;
                fds = Arrays.copyOf(fds, had + more);
                for (int i = 0; i < more; i++) {
                    fds[had + i] = control.get(JAVA_INT, at + Cmsghdr.DATA + i * 4L);
                }
            }
            at += Cmsghdr.align((int) length);
        }
        return fds;
    }

    private void describeData(MemorySegment data) {
        if (!data.isNative()) {
            throw new IllegalArgumentException("heap memory cannot be handed to the kernel");
        }
        vector.set(JAVA_LONG, Iovec.BASE, data.address());
        vector.set(JAVA_LONG, Iovec.LEN, data.byteSize());
    }

    private void setControl(int bytes) {
        message.set(JAVA_LONG, Msghdr.CONTROL, bytes == 0 ? 0 : control.address());
        message.set(JAVA_LONG, Msghdr.CONTROLLEN, bytes);
        message.set(JAVA_INT, Msghdr.FLAGS, 0);
    }
}
