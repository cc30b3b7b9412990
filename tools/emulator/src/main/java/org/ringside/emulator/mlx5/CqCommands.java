package org.ringside.emulator.mlx5;

import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.transport.CqState;
import org.ringside.emulator.transport.PageList;
import org.ringside.mlx5.layout.Cqc;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CreateCqIn;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.DestroyCqIn;
import org.ringside.mlx5.layout.DestroyCqOut;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryCqIn;
import org.ringside.mlx5.layout.QueryCqOut;
import org.ringside.mlx5.layout.StructField;

/** CREATE_CQ, DESTROY_CQ, QUERY_CQ. */
final class CqCommands implements CommandTable.CommandGroup {
    private static final StructField CQC = CreateCqIn.CQ_CONTEXT;
    private static final StructField OUT = QueryCqOut.CQ_CONTEXT;
    private static final int CQE64 = 64;
    private static final int CQE128 = 128;
    private static final int MAX_CQE_SZ = 1;
    private static final int STATUS_OVERFLOW = 0x9;
    private static final int STATE_ARMED = 0x9;
    private static final int STATE_FIRED = 0xa;

    private final Hca hca;

    CqCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                        Opcode.CREATE_CQ,
                        CreateCqIn.LAYOUT,
                        CreateCqOut.LAYOUT,
                        this::create,
                        Flag.INPUT_LIST,
                        Flag.TAKES_PAGES));
        table.add(
                CommandSpec.of(
                        Opcode.DESTROY_CQ, DestroyCqIn.LAYOUT, DestroyCqOut.LAYOUT, this::destroy));
        table.add(
                CommandSpec.of(
                        Opcode.QUERY_CQ,
                        QueryCqIn.LAYOUT,
                        QueryCqOut.LAYOUT,
                        this::query,
                        Flag.OUTPUT_LIST));
    }

    private void create(Command c) {
        c.requireZero(CreateCqIn.CQ_UMEM_VALID);
        c.requireZero(
                CQC,
                Cqc.STATUS,
                Cqc.DBR_UMEM_VALID,
                Cqc.APU_CQ,
                Cqc.CC,
                Cqc.SCQE_BREAK_MODERATION_EN,
                Cqc.CQE_COMP_EN,
                Cqc.MINI_CQE_RES_FORMAT,
                Cqc.ST,
                Cqc.CQE_COMPRESSION_LAYOUT,
                Cqc.CQ_PERIOD,
                Cqc.CQ_MAX_COUNT,
                Cqc.CONSUMER_COUNTER,
                Cqc.PRODUCER_COUNTER);
        long cqeSize = c.atMost(CQC, Cqc.CQE_SZ, MAX_CQE_SZ, "the largest size code");
        int cqeBytes = cqeSize == 0 ? CQE64 : CQE128;
        int logSize =
                (int)
                        c.atMost(
                                CQC,
                                Cqc.LOG_CQ_SIZE,
                                CapabilityTables.LOG_MAX_CQ_SIZE,
                                "log_max_cq_sz");
        EventQueue eq = hca.events().table().get(c.get(CQC, Cqc.C_EQN_OR_APU_ELEMENT));
        UarPage uar = hca.uars().table().get(c.get(CQC, Cqc.UAR_PAGE));
        long record = RingPages.record(c.get(CQC, Cqc.DBR_ADDR), hca.dma());
        RingPages pages =
                RingPages.of(
                        c,
                        CQC,
                        Cqc.LOG_PAGE_SIZE,
                        Cqc.PAGE_OFFSET,
                        CreateCqIn.PAS,
                        (long) cqeBytes << logSize,
                        hca.dma());
        checkCqes(pages.ring(), logSize, cqeBytes);
        int armRecord = Integer.reverseBytes(hca.dma().getInt(record + DoorbellRecord.ARM));
        Objects.Cq cq = new Objects.Cq(uar, eq, c.context(CQC), pages.addresses(), armRecord);
        int number = hca.objects().cqs().add(cq);
        CqState state =
                new CqState(
                        number,
                        eq.index(),
                        uar.index(),
                        logSize,
                        cqeBytes,
                        pages.ring(),
                        record,
                        c.isSet(CQC, Cqc.OI));
        cq.state = state;
        hca.engine().add(state);
        eq.addUser();
        uar.add(state);
        c.put(CreateCqOut.CQN, number);
    }

    /** CQEs that look written before the device wrote any would be taken for completions. */
    private void checkCqes(PageList ring, int logSize, int cqeBytes) {
        for (int i = 0; i < 1 << logSize; i++) {
            // The dword with the opcode and the owner bit in its last byte.
            long at = ring.iova((long) i * cqeBytes + cqeBytes - Integer.BYTES);
            int opOwn = Integer.reverseBytes(hca.dma().getInt(at)) & 0xff;
            if (opOwn >>> 4 != CqeOpcode.INVALID && (opOwn & 1) == 0) {
                hca.findings()
                        .report(
                                Finding.Kind.COMMAND,
                                ("CREATE_CQ: CQE %d of %d starts with opcode and owner 0x%02x;"
                                                + " software would take it for a completion")
                                        .formatted(i, 1 << logSize, opOwn));
                return;
            }
        }
    }

    private void destroy(Command c) {
        Objects.Cq cq = hca.objects().cqs().remove(c.get(DestroyCqIn.CQN));
        hca.engine().remove(cq.state());
        cq.uar.remove(cq.state());
        cq.eq.removeUser();
    }

    private void query(Command c) {
        Objects.Cq cq = hca.objects().cqs().get(c.get(QueryCqIn.CQN));
        c.putContext(OUT, cq.context);
        CqState state = cq.state();
        c.put(OUT, Cqc.STATUS, state.isFailed() ? STATUS_OVERFLOW : 0);
        c.put(OUT, Cqc.ST, state.isArmed() ? STATE_ARMED : STATE_FIRED);
        c.put(OUT, Cqc.CONSUMER_COUNTER, state.consumerIndex());
        c.put(OUT, Cqc.PRODUCER_COUNTER, state.producerIndex());
        c.putPages(QueryCqOut.PAS, cq.pages);
    }
}
