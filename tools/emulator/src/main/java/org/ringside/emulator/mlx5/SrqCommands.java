package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.SrqState;
import org.ringside.mlx5.layout.ArmRqIn;
import org.ringside.mlx5.layout.ArmRqOut;
import org.ringside.mlx5.layout.CreateSrqIn;
import org.ringside.mlx5.layout.CreateSrqOut;
import org.ringside.mlx5.layout.DestroySrqIn;
import org.ringside.mlx5.layout.DestroySrqOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QuerySrqIn;
import org.ringside.mlx5.layout.QuerySrqOut;
import org.ringside.mlx5.layout.Srqc;
import org.ringside.mlx5.layout.StructField;

/**
 * CREATE_SRQ, DESTROY_SRQ, QUERY_SRQ, ARM_RQ: what ISSI 0 has, for basic and XRC queues alike. A
 * message through an XRC QP completes to the queue's CQ, any other to that of its QP.
 */
final class SrqCommands implements CommandTable.CommandGroup {
    private static final StructField SRQC = CreateSrqIn.SRQ_CONTEXT_ENTRY;
    private static final StructField OUT = QuerySrqOut.SRQ_CONTEXT_ENTRY;
    private static final int UNIT = 16;

    /** op_mod of ARM_RQ that names an SRQ, not an RQ. */
    private static final int OF_SRQ = 1;

    private final Hca hca;
    private final Srqs srqs;

    SrqCommands(Hca hca) {
        this.hca = hca;
        this.srqs = new Srqs(hca);
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_SRQ,
                        CreateSrqIn.LAYOUT,
                        CreateSrqOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_SRQ,
                        DestroySrqIn.LAYOUT,
                        DestroySrqOut.LAYOUT,
                        c -> srqs.destroy(c.get(DestroySrqIn.SRQN), Srq.Kind.SRQ)));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_SRQ,
                        QuerySrqIn.LAYOUT,
                        QuerySrqOut.LAYOUT,
                        this::query,
                        Flag.OUTPUT_LIST));
        table.add(
                CommandSpec.of(
                        Opcode.ARM_RQ, ArmRqIn.LAYOUT, ArmRqOut.LAYOUT, this::arm, Flag.OP_MOD));
    }

    private void create(Command c) {
        c.requireZero(SRQC, Srqc.STATE, Srqc.WQ_SIGNATURE, Srqc.CONT_SRQ, Srqc.WQE_CNT);
        HwObject.Plain pd = hca.objects().pds().get(c.get(SRQC, Srqc.PD));
        HwObject.Plain xrcd = srqs.xrcd(c.get(SRQC, Srqc.XRCD));
        Objects.Cq cq =
                c.isSet(SRQC, Srqc.CQN) ? hca.objects().cqs().get(c.get(SRQC, Srqc.CQN)) : null;
        long logSize = c.get(SRQC, Srqc.LOG_SRQ_SIZE);
        long stride = (long) UNIT << c.get(SRQC, Srqc.LOG_RQ_STRIDE);
        long record = RingPages.record(c.get(SRQC, Srqc.DBR_ADDR), hca.dma());
        RingPages ring =
                RingPages.of(
                        c,
                        SRQC,
                        Srqc.LOG_PAGE_SIZE,
                        Srqc.PAGE_OFFSET,
                        CreateSrqIn.PAS,
                        Srqs.bytes(logSize, stride),
                        hca.dma());
        Srq srq = new Srq(Srq.Kind.SRQ, pd, xrcd, cq, c.context(SRQC), ring.addresses());
        long limit = c.get(SRQC, Srqc.LWM);
        int number = srqs.add(srq, ring, logSize, stride, record, SrqState.NO_USER_INDEX, limit);
        c.put(CreateSrqOut.SRQN, number);
    }

    private void arm(Command c) {
        if (c.opMod() != OF_SRQ) {
            throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod is %d; 1 is for SRQs", c.opMod());
        }
        srqs.arm(c.get(ArmRqIn.SRQ_NUMBER), Srq.Kind.SRQ, c.get(ArmRqIn.LWM));
    }

    private void query(Command c) {
        Srq srq = srqs.get(c.get(QuerySrqIn.SRQN), Srq.Kind.SRQ);
        c.putContext(OUT, srq.context);
        c.put(OUT, Srqc.LWM, srq.state().limit());
        c.putPages(QuerySrqOut.PAS, srq.pages);
    }
}
