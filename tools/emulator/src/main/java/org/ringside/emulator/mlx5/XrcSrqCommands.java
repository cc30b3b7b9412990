package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.SrqState;
import org.ringside.mlx5.layout.ArmXrcSrqIn;
import org.ringside.mlx5.layout.ArmXrcSrqOut;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CreateXrcSrqIn;
import org.ringside.mlx5.layout.CreateXrcSrqOut;
import org.ringside.mlx5.layout.DestroyXrcSrqIn;
import org.ringside.mlx5.layout.DestroyXrcSrqOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryXrcSrqIn;
import org.ringside.mlx5.layout.QueryXrcSrqOut;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.XrcSrqc;

/** CREATE_XRC_SRQ, DESTROY_XRC_SRQ, QUERY_XRC_SRQ, ARM_XRC_SRQ: what ISSI 1 has for XRC. */
final class XrcSrqCommands implements CommandTable.CommandGroup {
    private static final StructField SRQC = CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY;
    private static final StructField OUT = QueryXrcSrqOut.XRC_SRQ_CONTEXT_ENTRY;
    private static final int UNIT = 16;

    /** op_mod of ARM_XRC_SRQ. */
    private static final int OF_XRC_SRQ = 1;

    private final Hca hca;
    private final Srqs srqs;

    XrcSrqCommands(Hca hca) {
        this.hca = hca;
        this.srqs = new Srqs(hca);
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_XRC_SRQ,
                        CreateXrcSrqIn.LAYOUT,
                        CreateXrcSrqOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_XRC_SRQ,
                        DestroyXrcSrqIn.LAYOUT,
                        DestroyXrcSrqOut.LAYOUT,
                        c -> srqs.destroy(c.get(DestroyXrcSrqIn.XRC_SRQN), Srq.Kind.XRC_SRQ)));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_XRC_SRQ,
                        QueryXrcSrqIn.LAYOUT,
                        QueryXrcSrqOut.LAYOUT,
                        this::query,
                        Flag.OUTPUT_LIST));
        table.add(
                CommandSpec.of(
                        Opcode.ARM_XRC_SRQ,
                        ArmXrcSrqIn.LAYOUT,
                        ArmXrcSrqOut.LAYOUT,
                        this::arm,
                        Flag.OP_MOD));
    }

    private void create(Command c) {
        c.requireZero(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID);
        c.requireZero(
                SRQC,
                XrcSrqc.STATE,
                XrcSrqc.WQ_SIGNATURE,
                XrcSrqc.CONT_SRQ,
                XrcSrqc.BASIC_CYCLIC_RCV_WQE,
                XrcSrqc.DBR_UMEM_VALID,
                XrcSrqc.WQE_CNT,
                XrcSrqc.USER_INDEX_EQUAL_XRC_SRQN);
        HwObject.Plain pd = hca.objects().pds().get(c.get(SRQC, XrcSrqc.PD));
        HwObject.Plain xrcd = hca.objects().xrcds().get(c.get(SRQC, XrcSrqc.XRCD));
        Objects.Cq cq = hca.objects().cqs().get(c.get(SRQC, XrcSrqc.CQN));
        long logSize = c.get(SRQC, XrcSrqc.LOG_XRC_SRQ_SIZE);
        long stride = (long) UNIT << c.get(SRQC, XrcSrqc.LOG_RQ_STRIDE);
        long address =
                c.get(SRQC, XrcSrqc.DB_RECORD_ADDR_H) << 32
                        | c.get(SRQC, XrcSrqc.DB_RECORD_ADDR_L) << 2;
        long record = RingPages.record(address, hca.dma());
        RingPages ring =
                RingPages.of(
                        c,
                        SRQC,
                        XrcSrqc.LOG_PAGE_SIZE,
                        XrcSrqc.PAGE_OFFSET,
                        CreateXrcSrqIn.PAS,
                        Srqs.bytes(logSize, stride),
                        hca.dma());
        Srq srq = new Srq(Srq.Kind.XRC_SRQ, pd, xrcd, cq, c.context(SRQC), ring.addresses());
        boolean named = hca.capabilities().has(CmdHcaCap.CQE_VERSION);
        long userIndex = named ? c.get(SRQC, XrcSrqc.USER_INDEX) : SrqState.NO_USER_INDEX;
        long limit = c.get(SRQC, XrcSrqc.LWM);
        c.put(
                CreateXrcSrqOut.XRC_SRQN,
                srqs.add(srq, ring, logSize, stride, record, userIndex, limit));
    }

    private void arm(Command c) {
        if (c.opMod() != OF_XRC_SRQ) {
            throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod is %d, not 1", c.opMod());
        }
        srqs.arm(c.get(ArmXrcSrqIn.XRC_SRQN), Srq.Kind.XRC_SRQ, c.get(ArmXrcSrqIn.LWM));
    }

    private void query(Command c) {
        Srq srq = srqs.get(c.get(QueryXrcSrqIn.XRC_SRQN), Srq.Kind.XRC_SRQ);
        c.putContext(OUT, srq.context);
        c.put(OUT, XrcSrqc.LWM, srq.state().limit());
        c.putPages(QueryXrcSrqOut.PAS, srq.pages);
    }
}
