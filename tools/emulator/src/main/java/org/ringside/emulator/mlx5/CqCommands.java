package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;
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
import org.ringside.mlx5.layout.ModifyCqIn;
import org.ringside.mlx5.layout.ModifyCqOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryCqIn;
import org.ringside.mlx5.layout.QueryCqOut;
import org.ringside.mlx5.layout.StructField;

/** CREATE_CQ, DESTROY_CQ, QUERY_CQ, MODIFY_CQ. */
final class CqCommands implements CommandTable.CommandGroup {
    private static final StructField CQC = CreateCqIn.CQ_CONTEXT;
    private static final StructField OUT = QueryCqOut.CQ_CONTEXT;
    // op_mod of MODIFY_CQ, and the bits of its field select (Linux mlx5_core, cq.h and cq.c).
    private static final int MODIFY = 0;
    private static final int RESIZE = 1;
    private static final int SELECT_OI = 1 << 2;
    private static final int SELECT_EQN = 1 << 3;
    private static final int SELECT_LOG_SIZE = 1;
    private static final int SELECT_PAGE_OFFSET = 1 << 1;
    private static final int SELECT_PAGE_SIZE = 1 << 2;
    private static final int SELECT_UMEM = 1 << 3;

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
        table.add(
                CommandSpec.of(
                        Opcode.MODIFY_CQ,
                        ModifyCqIn.LAYOUT,
                        ModifyCqOut.LAYOUT,
                        this::modify,
                        Flag.INPUT_LIST,
                        Flag.OP_MOD));
    }

    /** Another buffer, or other fields of the context, as op_mod says. */
    private void modify(Command c) {
        Objects.Cq cq = hca.objects().cqs().get(c.get(ModifyCqIn.CQN));
        switch (c.opMod()) {
            case MODIFY -> modifyFields(c, cq);
            case RESIZE -> resize(c, cq);
            default ->
                    throw Refusal.of(
                            Reason.UNKNOWN_OP_MOD,
                            "op_mod %d; 0 changes fields, 1 the buffer",
                            c.opMod());
        }
    }

    private void modifyFields(Command c, Objects.Cq cq) {
        long select = select(c, SELECT_OI | SELECT_EQN);
        c.requireInput(ModifyCqIn.LAYOUT.byteSize(), "op_mod 0");
        CqState state = cq.state();
        if ((select & SELECT_EQN) != 0) {
            EventQueue eq = hca.events().table().get(c.get(CQC, Cqc.C_EQN_OR_APU_ELEMENT));
            cq.moveTo(eq);
            cq.keep(Cqc.C_EQN_OR_APU_ELEMENT, eq.index());
        }
        if ((select & SELECT_OI) != 0) {
            state.overrunIgnored(c.isSet(CQC, Cqc.OI));
            cq.keep(Cqc.OI, c.get(CQC, Cqc.OI));
        }
    }

    /** Of the context the fields that describe a buffer, which are where CREATE_CQ has them. */
    private void resize(Command c, Objects.Cq cq) {
        select(c, SELECT_LOG_SIZE | SELECT_PAGE_OFFSET | SELECT_PAGE_SIZE | SELECT_UMEM);
        int cqeBytes = cqeBytes(c);
        int logSize = logSize(c);
        UserMemory memory =
                UserMemories.of(
                                hca,
                                c.umemId(ModifyCqIn.CQ_UMEM_VALID, ModifyCqIn.CQ_UMEM_ID),
                                UserMemories.NONE)
                        .ring();
        RingPages pages = ring(c, memory, (long) cqeBytes << logSize);
        checkCqes("MODIFY_CQ", pages.ring(), logSize, cqeBytes);
        if (!hca.engine().resize(cq.state(), logSize, cqeBytes, pages.ring())) {
            throw Refusal.of(
                    Reason.CQES_OUTSTANDING,
                    "CQEs 0x%x to 0x%x of %s are not consumed, and one more tells of the new"
                            + " buffer; it has %d",
                    cq.state().consumerIndex(),
                    cq.state().producerIndex(),
                    cq.state(),
                    1 << logSize);
        }
        cq.move(memory, pages.addresses());
        cq.keep(Cqc.LOG_CQ_SIZE, logSize);
        cq.keep(Cqc.CQE_SZ, c.get(CQC, Cqc.CQE_SZ));
        cq.keep(Cqc.LOG_PAGE_SIZE, c.get(CQC, Cqc.LOG_PAGE_SIZE));
        cq.keep(Cqc.PAGE_OFFSET, c.get(CQC, Cqc.PAGE_OFFSET));
    }

    /** What is to be changed; nothing that this device cannot change. */
    private static long select(Command c, long can) {
        long select = c.get(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT);
        if ((select & ~can) != 0) {
            throw Refusal.of(
                    Reason.UNSUPPORTED,
                    "field select 0x%x of op_mod %d; there are 0x%x",
                    select,
                    c.opMod(),
                    can);
        }
        return select;
    }

    private static int cqeBytes(Command c) {
        return c.atMost(CQC, Cqc.CQE_SZ, MAX_CQE_SZ, "the largest size code") == 0 ? CQE64 : CQE128;
    }

    private static int logSize(Command c) {
        return (int)
                c.atMost(CQC, Cqc.LOG_CQ_SIZE, CapabilityTables.LOG_MAX_CQ_SIZE, "log_max_cq_sz");
    }

    private void create(Command c) {
        c.requireZero(
                CQC,
                Cqc.STATUS,
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
        int cqeBytes = cqeBytes(c);
        int logSize = logSize(c);
        EventQueue eq = hca.events().table().get(c.get(CQC, Cqc.C_EQN_OR_APU_ELEMENT));
        UarPage uar = hca.uars().table().get(c.get(CQC, Cqc.UAR_PAGE));
        UserMemories memory = memory(c);
        long record = memory.recordAddress(c.get(CQC, Cqc.DBR_ADDR), hca.dma());
        RingPages pages = ring(c, memory.ring(), (long) cqeBytes << logSize);
        checkCqes("CREATE_CQ", pages.ring(), logSize, cqeBytes);
        int armRecord = Integer.reverseBytes(hca.dma().getInt(record + DoorbellRecord.ARM));
        Objects.Cq cq =
                new Objects.Cq(
                        uar, eq, c.context(CQC), pages.addresses(), armRecord, record, memory);
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
        cq.use();
        c.put(CreateCqOut.CQN, number);
    }

    private UserMemories memory(Command c) {
        return UserMemories.of(
                hca,
                c.umemId(CreateCqIn.CQ_UMEM_VALID, CreateCqIn.CQ_UMEM_ID),
                c.umemId(CQC, Cqc.DBR_UMEM_VALID, Cqc.DBR_UMEM_ID));
    }

    private RingPages ring(Command c, @Nullable UserMemory memory, long bytes) {
        if (memory == null) {
            c.requireZero(CreateCqIn.CQ_UMEM_OFFSET);
            return RingPages.of(
                    c, CQC, Cqc.LOG_PAGE_SIZE, Cqc.PAGE_OFFSET, CreateCqIn.PAS, bytes, hca.dma());
        }
        c.requireZero(CQC, Cqc.PAGE_OFFSET);
        c.requireInput(CreateCqIn.LAYOUT.byteSize(), "an umem");
        return memory.ring(c.get(CreateCqIn.CQ_UMEM_OFFSET), bytes, true, hca.dma());
    }

    /** CQEs that look written before the device wrote any would be taken for completions. */
    private void checkCqes(String command, PageList ring, int logSize, int cqeBytes) {
        for (int i = 0; i < 1 << logSize; i++) {
            // The dword with the opcode and the owner bit in its last byte.
            long at = ring.iova((long) i * cqeBytes + cqeBytes - Integer.BYTES);
            int opOwn = Integer.reverseBytes(hca.dma().getInt(at)) & 0xff;
            if (opOwn >>> 4 != CqeOpcode.INVALID && (opOwn & 1) == 0) {
                hca.findings()
                        .report(
                                Finding.Kind.COMMAND,
                                ("%s: CQE %d of %d starts with opcode and owner 0x%02x;"
                                                + " software would take it for a completion")
                                        .formatted(command, i, 1 << logSize, opOwn));
                return;
            }
        }
    }

    private void destroy(Command c) {
        Objects.Cq cq = hca.objects().cqs().remove(c.get(DestroyCqIn.CQN));
        hca.engine().remove(cq.state());
        cq.release();
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
