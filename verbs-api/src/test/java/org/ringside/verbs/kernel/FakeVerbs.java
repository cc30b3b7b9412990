package org.ringside.verbs.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.sun.jna.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A libibverbs without a kernel: one device {@code fake0}, whose structures are real memory and
 * whose function pointers lead back here. Each send completes at once; of receives it keeps count.
 */
@SuppressWarnings("MethodName")
final class FakeVerbs implements Libibverbs, AutoCloseable {
    static {
        // Before the calls are bound: they lead back into Java.
        System.setProperty(Calls.ORDINARY, "true");
    }

    static final int QP_NUMBER = 0x17;

    final List<String> calls = new ArrayList<>();
    final List<Long> sent = new ArrayList<>();
    final Arena arena = Arena.ofShared();
    final long device = allocate(Abi.Device.SIZE);
    final long context = allocate(Abi.Context.SIZE);

    /** Struct ibv_wc of what has completed and was not polled, in order; a ring. */
    private final long completions = allocate(1024 * Abi.Wc.SIZE);

    private final int zeroFd = Native.load("c", Libc.class).eventfd(0, Libc.CLOEXEC);
    private int completed;
    private int polled;

    /** What the next post returns. */
    int postErrno;

    /** Status and opcode of completions to come. */
    int status;

    /** Which call fails next, and how. */
    String failing = "";

    /** Keeps the last list that was posted. */
    long lastList;

    boolean recordPosts = true;

    /** Nothing completes any more. */
    boolean swallow;

    FakeVerbs() throws ReflectiveOperationException {
        Raw.copy(
                java.lang.foreign.MemorySegment.ofArray(
                        "fake0\0".getBytes(java.nio.charset.StandardCharsets.US_ASCII)),
                0,
                device + Abi.Device.NAME,
                6);
        Raw.copy(
                java.lang.foreign.MemorySegment.ofArray(
                        "/sys\0".getBytes(java.nio.charset.StandardCharsets.US_ASCII)),
                0,
                device + Abi.Device.DEV_PATH,
                5);
        Raw.putInt(context + Abi.Context.ASYNC_FD, zeroFd);
        Raw.putInt(context + Abi.Context.NUM_COMP_VECTORS, 2);
        function(
                Abi.Context.OPS_POST_SEND,
                "postSend",
                int.class,
                long.class,
                long.class,
                long.class);
        function(
                Abi.Context.OPS_POST_RECV,
                "postRecv",
                int.class,
                long.class,
                long.class,
                long.class);
        function(Abi.Context.OPS_POLL_CQ, "pollCq", int.class, long.class, int.class, long.class);
        function(Abi.Context.OPS_REQ_NOTIFY_CQ, "notifyCq", int.class, long.class, int.class);
    }

    static void putString(long address, String text) {
        byte[] bytes = (text + "\0").getBytes(StandardCharsets.US_ASCII);
        Raw.copy(MemorySegment.ofArray(bytes), 0, address, bytes.length);
    }

    private long allocate(long size) {
        return arena.allocate(size, 64).address();
    }

    private void function(int offset, String name, Class<?> result, Class<?>... arguments)
            throws ReflectiveOperationException {
        MethodHandle handle =
                MethodHandles.lookup()
                        .findVirtual(
                                FakeVerbs.class, name, MethodType.methodType(result, arguments))
                        .bindTo(this);
        FunctionDescriptor shape =
                FunctionDescriptor.of(
                        JAVA_INT,
                        Arrays.stream(arguments)
                                .map(each -> each == int.class ? JAVA_INT : JAVA_LONG)
                                .toArray(MemoryLayout[]::new));
        Raw.putLong(
                context + offset, Linker.nativeLinker().upcallStub(handle, shape, arena).address());
    }

    // ---- the data path

    int postSend(long qp, long list, long bad) {
        if (postErrno != 0) {
            Raw.putLong(bad, list);
            return postErrno;
        }
        lastList = list;
        for (long each = list; each != 0; each = Raw.getLong(each + Abi.SendWr.NEXT)) {
            if (recordPosts) {
                sent.add(each);
            }
            complete(
                    Raw.getLong(each),
                    Raw.getInt(each + Abi.SendWr.OPCODE) == Abi.WrOpcode.RDMA_READ ? 2 : 0,
                    Raw.getInt(Raw.getLong(each + Abi.SendWr.SG_LIST) + Abi.Sge.LENGTH));
        }
        return 0;
    }

    int postRecv(long qp, long list, long bad) {
        lastList = list;
        for (long each = list; each != 0; each = Raw.getLong(each + Abi.RecvWr.NEXT)) {
            complete(Raw.getLong(each), Abi.Wc.RECV, 3);
        }
        return 0;
    }

    private void complete(long tag, int opcode, int length) {
        if (swallow) {
            return;
        }
        long wc = completions + (long) (completed++ & 1023) * Abi.Wc.SIZE;
        Raw.putLong(wc + Abi.Wc.WR_ID, tag);
        Raw.putInt(wc + Abi.Wc.STATUS, status);
        Raw.putInt(wc + Abi.Wc.OPCODE, opcode);
        Raw.putInt(wc + Abi.Wc.BYTE_LEN, length);
        Raw.putInt(wc + Abi.Wc.IMM_DATA, 0x04030201);
        Raw.putInt(wc + Abi.Wc.WC_FLAGS, Abi.Wc.WITH_IMM);
        Raw.putInt(wc + Abi.Wc.QP_NUM, QP_NUMBER);
    }

    int pollCq(long cq, int entries, long wc) {
        int n = 0;
        while (n < entries && polled != completed) {
            long from = completions + (long) (polled++ & 1023) * Abi.Wc.SIZE;
            for (int i = 0; i < Abi.Wc.SIZE; i += 8) {
                Raw.putLong(wc + (long) n * Abi.Wc.SIZE + i, Raw.getLong(from + i));
            }
            n++;
        }
        return n;
    }

    int notifyCq(long cq, int solicitedOnly) {
        calls.add("notify " + solicitedOnly);
        return 0;
    }

    // ---- set-up

    private int done(String call) {
        calls.add(call);
        return failing.equals(call) ? 22 : 0;
    }

    private long made(String call, int size) {
        calls.add(call);
        if (failing.equals(call)) {
            Native.setLastError(12);
            return 0;
        }
        return allocate(size);
    }

    @Override
    public long ibv_get_device_list(long count) {
        Raw.putInt(count, 1);
        long list = allocate(16);
        Raw.putLong(list, device);
        return list;
    }

    @Override
    public void ibv_free_device_list(long list) {
        calls.add("free_device_list");
    }

    @Override
    public long ibv_open_device(long opened) {
        if (made("open_device", 8) == 0) {
            Native.setLastError(24);
            return 0;
        }
        return context;
    }

    @Override
    public int ibv_close_device(long closed) {
        return done("close_device");
    }

    @Override
    public int ibv_query_device(long of, long at) {
        Raw.putByte(at + Abi.DeviceAttr.PHYS_PORT_CNT, 1);
        Raw.putLong(at + Abi.DeviceAttr.MAX_MR_SIZE, -1);
        Raw.putInt(at + Abi.DeviceAttr.ATOMIC_CAP, 1);
        for (int field :
                new int[] {
                    Abi.DeviceAttr.MAX_QP_WR, Abi.DeviceAttr.MAX_CQE, Abi.DeviceAttr.MAX_SGE
                }) {
            Raw.putInt(at + field, 64);
        }
        Raw.putInt(at + Abi.DeviceAttr.MAX_QP_RD_ATOM, 16);
        Raw.putInt(at + Abi.DeviceAttr.MAX_QP_INIT_RD_ATOM, 16);
        return done("query_device");
    }

    @Override
    public int ibv_query_port(long of, byte port, long at) {
        Raw.putInt(at + Abi.PortAttr.STATE, Abi.PortAttr.ACTIVE);
        Raw.putInt(at + Abi.PortAttr.ACTIVE_MTU, 3);
        Raw.putInt(at + Abi.PortAttr.GID_TBL_LEN, 4);
        Raw.putInt(at + Abi.PortAttr.MAX_MSG_SZ, 1 << 20);
        Raw.putByte(at + Abi.PortAttr.LINK_LAYER, Abi.PortAttr.ETHERNET);
        return done("query_port");
    }

    @Override
    public int ibv_query_gid(long of, byte port, int index, long gid) {
        Raw.putLong(gid, Long.reverseBytes(0xfe80_0000_0000_0000L));
        Raw.putLong(gid + 8, Long.reverseBytes(index + 1L));
        return done("query_gid");
    }

    @Override
    public long ibv_alloc_pd(long of) {
        return made("alloc_pd", Abi.Pd.SIZE);
    }

    @Override
    public int ibv_dealloc_pd(long pd) {
        return done("dealloc_pd");
    }

    @Override
    public long ibv_reg_mr(long pd, long address, long length, int access) {
        long mr = made("reg_mr", Abi.Mr.SIZE);
        if (mr != 0) {
            Raw.putInt(mr + Abi.Mr.LKEY, 0x100 + access);
            Raw.putInt(mr + Abi.Mr.RKEY, 0x200 + access);
        }
        return mr;
    }

    @Override
    public int ibv_dereg_mr(long mr) {
        return done("dereg_mr");
    }

    @Override
    public long ibv_create_comp_channel(long of) {
        long channel = made("create_comp_channel", Abi.CompChannel.SIZE);
        Raw.putInt(channel + Abi.CompChannel.FD, zeroFd);
        return channel;
    }

    @Override
    public int ibv_destroy_comp_channel(long channel) {
        return done("destroy_comp_channel");
    }

    @Override
    public int ibv_get_cq_event(long channel, long cq, long cqContext) {
        return done("get_cq_event");
    }

    @Override
    public void ibv_ack_cq_events(long cq, int events) {
        calls.add("ack " + events);
    }

    @Override
    public long ibv_create_cq(long of, int entries, long cqContext, long channel, int vector) {
        long cq = made("create_cq", Abi.Cq.SIZE);
        if (cq != 0) {
            Raw.putInt(cq + Abi.Cq.CQE, entries);
        }
        return cq;
    }

    @Override
    public int ibv_destroy_cq(long cq) {
        return done("destroy_cq");
    }

    @Override
    public long ibv_create_qp(long pd, long attributes) {
        if (Raw.getInt(attributes + Abi.QpInitAttr.CAP_MAX_INLINE_DATA) > 256) {
            Native.setLastError(22);
            return 0;
        }
        long qp = made("create_qp", Abi.Qp.SIZE);
        if (qp != 0) {
            Raw.putInt(qp + Abi.Qp.QP_NUM, QP_NUMBER);
        }
        return qp;
    }

    @Override
    public long ibv_qp_to_qp_ex(long qp) {
        return 0;
    }

    @Override
    public int ibv_modify_qp(long qp, long attributes, int mask) {
        return done(
                "modify_qp %d 0x%x".formatted(Raw.getInt(attributes + Abi.QpAttr.QP_STATE), mask));
    }

    @Override
    public int ibv_query_qp(long qp, long attributes, int mask, long initAttributes) {
        Raw.putInt(attributes + Abi.QpAttr.QP_STATE, 6);
        return done("query_qp");
    }

    @Override
    public int ibv_destroy_qp(long qp) {
        return done("destroy_qp");
    }

    @Override
    public int ibv_get_async_event(long of, long event) {
        return done("get_async_event");
    }

    @Override
    public void ibv_ack_async_event(long event) {
        calls.add("ack_async_event");
    }

    @Override
    public String ibv_event_type_str(int type) {
        return "event " + type;
    }

    @Override
    public void close() {
        Native.load("c", Libc.class).close(zeroFd);
        arena.close();
    }
}
