package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.SrqState;
import org.ringside.mlx5.layout.CreateRmpIn;
import org.ringside.mlx5.layout.CreateRmpOut;
import org.ringside.mlx5.layout.DestroyRmpIn;
import org.ringside.mlx5.layout.DestroyRmpOut;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.ModifyRmpIn;
import org.ringside.mlx5.layout.ModifyRmpOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryRmpIn;
import org.ringside.mlx5.layout.QueryRmpOut;
import org.ringside.mlx5.layout.RmpBitmask;
import org.ringside.mlx5.layout.Rmpc;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.Wq;

/**
 * CREATE_RMP, MODIFY_RMP, QUERY_RMP, DESTROY_RMP: receive memory pools, which under ISSI 1 are the
 * basic shared receive queues.
 */
final class RmpCommands implements CommandTable.CommandGroup {
    private static final StructField RMPC = CreateRmpIn.CTX;
    private static final StructField OUT = QueryRmpOut.RMP_CONTEXT;
    private static final int WQ = RMPC.offset() + Rmpc.WQ.offset();
    private static final int READY = 1;
    private static final int MIN_LOG_STRIDE = 5;
    private static final int MAX_LOG_STRIDE = 11;

    private final Hca hca;
    private final Srqs srqs;

    RmpCommands(Hca hca) {
        this.hca = hca;
        this.srqs = new Srqs(hca);
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_RMP,
                        CreateRmpIn.LAYOUT,
                        CreateRmpOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_RMP,
                        DestroyRmpIn.LAYOUT,
                        DestroyRmpOut.LAYOUT,
                        c -> srqs.destroy(c.get(DestroyRmpIn.RMPN), Srq.Kind.RMP)));
        table.add(
                CommandSpec.of(
                        Opcode.MODIFY_RMP, ModifyRmpIn.LAYOUT, ModifyRmpOut.LAYOUT, this::modify));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_RMP,
                        QueryRmpIn.LAYOUT,
                        QueryRmpOut.LAYOUT,
                        this::query,
                        Flag.OUTPUT_LIST));
    }

    private static long wq(Command c, Field field) {
        return field.get(c.in(), WQ);
    }

    private static void requireZero(Command c, Field... fields) {
        for (Field field : fields) {
            if (field.isSet(c.in(), WQ)) {
                throw Refusal.of(
                        Reason.UNSUPPORTED, "%s is 0x%x, not 0", field.name(), wq(c, field));
            }
        }
    }

    private void create(Command c) {
        if (c.get(RMPC, Rmpc.STATE) != READY) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE, "state %d, an RMP starts in 1", c.get(RMPC, Rmpc.STATE));
        }
        c.requireZero(RMPC, Rmpc.BASIC_CYCLIC_RCV_WQE);
        requireZero(
                c,
                Wq.WQ_TYPE,
                Wq.WQ_SIGNATURE,
                Wq.CD_SLAVE,
                Wq.UAR_PAGE,
                Wq.DBR_UMEM_VALID,
                Wq.WQ_UMEM_VALID,
                Wq.LOG_WQE_NUM_OF_STRIDES,
                Wq.SHAMPO_ENABLE);
        long logStride = wq(c, Wq.LOG_WQ_STRIDE);
        if (logStride < MIN_LOG_STRIDE || logStride > MAX_LOG_STRIDE) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "log_wq_stride is %d, not %d to %d",
                    logStride,
                    MIN_LOG_STRIDE,
                    MAX_LOG_STRIDE);
        }
        HwObject.Plain pd = hca.objects().pds().get(wq(c, Wq.PD));
        long logSize = wq(c, Wq.LOG_WQ_SZ);
        long stride = 1L << logStride;
        long record = RingPages.record(wq(c, Wq.DBR_ADDR), hca.dma());
        RingPages ring =
                RingPages.of(
                        c,
                        wq(c, Wq.LOG_WQ_PG_SZ),
                        wq(c, Wq.PAGE_OFFSET),
                        CreateRmpIn.PAS,
                        Srqs.bytes(logSize, stride),
                        hca.dma());
        Srq srq = new Srq(Srq.Kind.RMP, pd, null, null, c.context(RMPC), ring.addresses());
        long limit = wq(c, Wq.LWM);
        c.put(
                CreateRmpOut.RMPN,
                srqs.add(srq, ring, logSize, stride, record, SrqState.NO_USER_INDEX, limit));
    }

    /** The only thing that can change is the limit. */
    private void modify(Command c) {
        StructField context = ModifyRmpIn.CTX;
        if (c.get(context, Rmpc.STATE) != READY || c.get(ModifyRmpIn.RMP_STATE) != READY) {
            throw Refusal.of(
                    Reason.OBJECT_STATE,
                    "from state %d to %d; there is 1 only",
                    c.get(ModifyRmpIn.RMP_STATE),
                    c.get(context, Rmpc.STATE));
        }
        long number = c.get(ModifyRmpIn.RMPN);
        srqs.get(number, Srq.Kind.RMP);
        if (c.isSet(ModifyRmpIn.BITMASK, RmpBitmask.LWM)) {
            long limit = Wq.LWM.get(c.in(), context.offset() + Rmpc.WQ.offset());
            srqs.arm(number, Srq.Kind.RMP, limit);
        }
    }

    private void query(Command c) {
        Srq srq = srqs.get(c.get(QueryRmpIn.RMPN), Srq.Kind.RMP);
        c.putContext(OUT, srq.context);
        int wq = OUT.offset() + Rmpc.WQ.offset();
        Wq.LWM.set(c.out(), wq, srq.state().limit());
        Wq.HW_COUNTER.set(c.out(), wq, srq.state().consumed());
    }
}
