package org.ringside.verbs.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Calls through function pointers of libibverbs' objects, one method for each shape of them. The
 * handles are constants, so that the JIT compiles each call as such; the function is an argument.
 * Objects are passed by address.
 *
 * <p>What polls is short and never sleeps, so it skips the thread's change to native state ({@link
 * Linker.Option#critical}); what posts may make a system call, as rxe does, and does not.
 */
final class Calls {
    /**
     * True for a library that calls back into Java, as one of a test does: all calls change state.
     */
    static final String ORDINARY = "ringside.kernel.ordinaryCalls";

    private static final boolean MAY_BE_CRITICAL = !Boolean.getBoolean(ORDINARY);

    private static final MethodHandle INT_3 =
            bind(JAVA_INT, false, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle INT_NOTIFY = bind(JAVA_INT, false, JAVA_LONG, JAVA_INT);
    private static final MethodHandle INT_POLL =
            bind(JAVA_INT, true, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle INT_START = bind(JAVA_INT, true, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle INT_1 = bind(JAVA_INT, true, JAVA_LONG);
    private static final MethodHandle INT_COMPLETE = bind(JAVA_INT, false, JAVA_LONG);
    private static final MethodHandle VOID_1 = bind(null, true, JAVA_LONG);
    private static final MethodHandle VOID_IMM = bind(null, true, JAVA_LONG, JAVA_INT);
    private static final MethodHandle VOID_REMOTE =
            bind(null, true, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle VOID_REMOTE_IMM =
            bind(null, true, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle VOID_ADD =
            bind(null, true, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle VOID_SWAP =
            bind(null, true, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle VOID_SGE =
            bind(null, true, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle VOID_LIST = bind(null, true, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Calls() {}

    private static MethodHandle bind(
            @Nullable MemoryLayout result, boolean critical, MemoryLayout... arguments) {
        FunctionDescriptor shape =
                result == null
                        ? FunctionDescriptor.ofVoid(arguments)
                        : FunctionDescriptor.of(result, arguments);
        return critical && MAY_BE_CRITICAL
                ? Linker.nativeLinker().downcallHandle(shape, Linker.Option.critical(false))
                : Linker.nativeLinker().downcallHandle(shape);
    }

    private static AssertionError impossible(Throwable e) {
        return new AssertionError("a native call threw", e);
    }

    /** {@code int post_send(qp, wr, bad_wr)}, and post_recv. */
    static int post(MemorySegment function, long qp, long list, long bad) {
        try {
            return (int) INT_3.invokeExact(function, qp, list, bad);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code int poll_cq(cq, num_entries, wc)}. */
    static int poll(MemorySegment function, long cq, int entries, long wc) {
        try {
            return (int) INT_POLL.invokeExact(function, cq, entries, wc);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code int req_notify_cq(cq, solicited_only)}. */
    static int requestNotify(MemorySegment function, long cq, int solicitedOnly) {
        try {
            return (int) INT_NOTIFY.invokeExact(function, cq, solicitedOnly);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code int start_poll(cq, attr)}. */
    static int startPoll(MemorySegment function, long cq, long attr) {
        try {
            return (int) INT_START.invokeExact(function, cq, attr);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code int next_poll(cq)}, and the read functions of a CQ. */
    static int read(MemorySegment function, long cq) {
        try {
            return (int) INT_1.invokeExact(function, cq);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code void end_poll(cq)}, wr_start and wr_send. */
    static void run(MemorySegment function, long object) {
        try {
            VOID_1.invokeExact(function, object);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code int wr_complete(qp)}. */
    static int complete(MemorySegment function, long qp) {
        try {
            return (int) INT_COMPLETE.invokeExact(function, qp);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code void wr_send_imm(qp, imm_data)}. */
    static void sendImm(MemorySegment function, long qp, int immediate) {
        try {
            VOID_IMM.invokeExact(function, qp, immediate);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code void wr_rdma_write(qp, rkey, remote_addr)}, and wr_rdma_read. */
    static void rdma(MemorySegment function, long qp, int rkey, long remote) {
        try {
            VOID_REMOTE.invokeExact(function, qp, rkey, remote);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code void wr_rdma_write_imm(qp, rkey, remote_addr, imm_data)}. */
    static void writeImm(MemorySegment function, long qp, int rkey, long remote, int immediate) {
        try {
            VOID_REMOTE_IMM.invokeExact(function, qp, rkey, remote, immediate);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code void wr_atomic_fetch_add(qp, rkey, remote_addr, add)}. */
    static void fetchAdd(MemorySegment function, long qp, int rkey, long remote, long add) {
        try {
            VOID_ADD.invokeExact(function, qp, rkey, remote, add);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code void wr_atomic_cmp_swp(qp, rkey, remote_addr, compare, swap)}. */
    static void compareSwap(
            MemorySegment function, long qp, int rkey, long remote, long compare, long swap) {
        try {
            VOID_SWAP.invokeExact(function, qp, rkey, remote, compare, swap);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** {@code void wr_set_sge(qp, lkey, addr, length)}. */
    static void setSge(MemorySegment function, long qp, int lkey, long address, int length) {
        try {
            VOID_SGE.invokeExact(function, qp, lkey, address, length);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /**
     * {@code void wr_set_sge_list(qp, num_sge, sg_list)}, and wr_set_inline_data(qp, addr, length).
     */
    static void setList(MemorySegment function, long qp, long first, long second) {
        try {
            VOID_LIST.invokeExact(function, qp, first, second);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }
}
