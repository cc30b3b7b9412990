package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.ringside.emulator.device.ResetCause;
import org.ringside.emulator.transport.Wire;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.AllocUarIn;
import org.ringside.mlx5.layout.AllocUarOut;
import org.ringside.mlx5.layout.CmdMailbox;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.Cqc;
import org.ringside.mlx5.layout.CreateCqIn;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.CreateEqIn;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.CreateMkeyIn;
import org.ringside.mlx5.layout.CreateMkeyOut;
import org.ringside.mlx5.layout.CreateQpIn;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.DeallocPdIn;
import org.ringside.mlx5.layout.DeallocPdOut;
import org.ringside.mlx5.layout.DeallocUarIn;
import org.ringside.mlx5.layout.DeallocUarOut;
import org.ringside.mlx5.layout.DestroyCqIn;
import org.ringside.mlx5.layout.DestroyCqOut;
import org.ringside.mlx5.layout.DestroyEqIn;
import org.ringside.mlx5.layout.DestroyEqOut;
import org.ringside.mlx5.layout.DestroyQpIn;
import org.ringside.mlx5.layout.DestroyQpOut;
import org.ringside.mlx5.layout.DisableHcaIn;
import org.ringside.mlx5.layout.DisableHcaOut;
import org.ringside.mlx5.layout.EnableHcaIn;
import org.ringside.mlx5.layout.EnableHcaOut;
import org.ringside.mlx5.layout.Eqc;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Init2rtrQpIn;
import org.ringside.mlx5.layout.Init2rtrQpOut;
import org.ringside.mlx5.layout.InitHcaIn;
import org.ringside.mlx5.layout.InitHcaOut;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.ManagePagesIn;
import org.ringside.mlx5.layout.ManagePagesOp;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Mkc;
import org.ringside.mlx5.layout.MkeyAccessMode;
import org.ringside.mlx5.layout.Mtu;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.QueryPagesIn;
import org.ringside.mlx5.layout.QueryPagesOut;
import org.ringside.mlx5.layout.QueryPagesStage;
import org.ringside.mlx5.layout.Rst2initQpIn;
import org.ringside.mlx5.layout.Rst2initQpOut;
import org.ringside.mlx5.layout.Rtr2rtsQpIn;
import org.ringside.mlx5.layout.Rtr2rtsQpOut;
import org.ringside.mlx5.layout.ServiceType;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.TeardownHcaIn;
import org.ringside.mlx5.layout.TeardownHcaOut;
import org.ringside.mlx5.layout.Uar;

/**
 * The least that drives a function: registers, one command at a time in a slot, rings in test
 * memory. Knows nothing that a real driver could not know; everything is the tables'.
 */
final class RawDriver implements AutoCloseable {
    static final int SLOT_BYTES = 64;
    static final int LOG_EQ = 4;
    static final int LOG_CQ = 4;
    static final int LOG_SQ = 4;
    static final int LOG_RQ = 4;

    final TestHost host = new TestHost();
    final ConnectX function;
    long queue;
    int token = 1;
    boolean signing;

    // What bringUp and makeQp made.
    int uar;
    int commandEq;
    int pd;
    int mkey;
    long eqRing;
    long cqRing;
    long cqRecord;
    long qpRing;
    long qpRecord;

    RawDriver(DeviceOptions.Builder options) throws IOException {
        this(options, new Wire());
    }

    RawDriver(DeviceOptions.Builder options, Wire wire) throws IOException {
        function = new ConnectX(options.build(), wire);
        function.attach(host);
    }

    /** A VF without page demands whose doorbells trap. */
    static DeviceOptions.Builder plain() {
        return DeviceOptions.named("test")
                .bootPages(0)
                .initPages(0)
                .doorbells(DeviceOptions.Doorbells.TRAPPED);
    }

    int read(long offset) {
        return Integer.reverseBytes((int) function.read(0, offset, Integer.BYTES));
    }

    void write(long offset, int value) {
        function.write(
                0, offset, Integer.BYTES, Integer.toUnsignedLong(Integer.reverseBytes(value)));
    }

    void writeLong(long offset, long value) {
        function.write(0, offset, Long.BYTES, Long.reverseBytes(value));
    }

    /** Duty cycles until nothing is left to do. */
    void settle() {
        for (int i = 0; i < 1000 && function.poll() > 0; i++) {}
    }

    void setQueue() {
        queue = host.allocate(4096, 4096);
        write(InitialSeg.CMDQ_PHY_ADDR_63_32.dword(), (int) (queue >>> 32));
        write(InitialSeg.CMDQ_PHY_ADDR_31_12.dword(), (int) queue);
    }

    void ring(int slot) {
        write(InitialSeg.COMMAND_DOORBELL_VECTOR.dword(), 1 << slot);
    }

    /** A command with its fields still to be set. */
    final class Request {
        final Layout layout;
        final MemorySegment in;
        int outputLength;
        int slot;
        Consumer<MemorySegment> entryChange = entry -> {};
        Consumer<MemorySegment> blockChange = block -> {};

        Request(Layout layout, Layout out, int opcode, int listBytes) {
            this.layout = layout;
            this.in = MemorySegment.ofArray(new byte[layout.byteSize() + listBytes]);
            this.outputLength = out.byteSize();
            CommandIn.OPCODE.set(in, 0, opcode);
        }

        Request set(Field field, long value) {
            field.set(in, 0, value);
            return this;
        }

        Request set(StructField struct, Field field, long value) {
            field.set(in, struct.offset(), value);
            return this;
        }

        Request opMod(int value) {
            return set(CommandIn.OP_MOD, value);
        }

        Request output(int bytes) {
            outputLength = bytes;
            return this;
        }

        Request slot(int number) {
            slot = number;
            return this;
        }

        /** Changes the queue entry before its signature is made. */
        Request entry(Consumer<MemorySegment> change) {
            entryChange = change;
            return this;
        }

        /** Changes the first input mailbox before its signature is made. */
        Request block(Consumer<MemorySegment> change) {
            blockChange = change;
            return this;
        }

        Answer run() {
            Pending pending = start();
            settle();
            return pending.answer();
        }

        Answer ok() {
            Answer answer = run();
            assertThat(answer.delivery()).as(layout.name()).isZero();
            assertThat(CommandStatus.name(answer.status()))
                    .as("%s: %s", layout.name(), function.findings().list())
                    .isEqualTo("OK");
            return answer;
        }

        Pending start() {
            long entry = queue + (long) slot * SLOT_BYTES;
            MemorySegment e = host.at(entry, SLOT_BYTES);
            e.fill((byte) 0);
            CmdQueueEntry.TYPE.set(e, 0, 7);
            CmdQueueEntry.INPUT_LENGTH.set(e, 0, in.byteSize());
            CmdQueueEntry.OUTPUT_LENGTH.set(e, 0, outputLength);
            CmdQueueEntry.TOKEN.set(e, 0, ++token & 0xff);
            long inBytes = Math.min(16, in.byteSize());
            MemorySegment.copy(in, 0, e, CmdQueueEntry.COMMAND_INPUT_INLINE_DATA.offset(), inBytes);
            long input = chain((int) in.byteSize(), true);
            long output = chain(outputLength, false);
            CmdQueueEntry.INPUT_MAILBOX_POINTER_63_32.set(e, 0, input >>> 32);
            CmdQueueEntry.INPUT_MAILBOX_POINTER_31_9.set(e, 0, (input & 0xffff_ffffL) >>> 9);
            CmdQueueEntry.OUTPUT_MAILBOX_POINTER_63_32.set(e, 0, output >>> 32);
            CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.set(e, 0, (output & 0xffff_ffffL) >>> 9);
            CmdQueueEntry.OWNERSHIP.set(e, 0, 1);
            entryChange.accept(e);
            if (signing) {
                CmdQueueEntry.SIGNATURE.set(e, 0, 0xff ^ Mailboxes.xor(e, 0, SLOT_BYTES));
            }
            ring(slot);
            return new Pending(e, output, outputLength);
        }

        private long chain(int length, boolean input) {
            int blocks = Mailboxes.blocks(length);
            if (blocks == 0) {
                return 0;
            }
            long first = host.allocate(1024L * blocks, 1024);
            for (int i = 0; i < blocks; i++) {
                MemorySegment b = host.at(first + 1024L * i, CmdMailbox.LAYOUT.byteSize());
                b.fill((byte) 0);
                long next = i == blocks - 1 ? 0 : first + 1024L * (i + 1);
                CmdMailbox.NEXT_POINTER_63_32.set(b, 0, next >>> 32);
                CmdMailbox.NEXT_POINTER_31_10.set(b, 0, (next & 0xffff_ffffL) >>> 10);
                CmdMailbox.BLOCK_NUMBER.set(b, 0, i);
                CmdMailbox.TOKEN.set(b, 0, token & 0xff);
                if (input) {
                    int from = 16 + i * 512;
                    MemorySegment.copy(in, from, b, 0, Math.min(512, length - from));
                    if (i == 0) {
                        blockChange.accept(b);
                    }
                }
                if (signing) {
                    Mailboxes.sign(b);
                }
            }
            return first;
        }
    }

    /** A command that may not be answered yet. */
    final class Pending {
        final MemorySegment entry;
        private final long output;
        private final int length;

        Pending(MemorySegment entry, long output, int length) {
            this.entry = entry;
            this.output = output;
            this.length = length;
        }

        boolean isAnswered() {
            return !CmdQueueEntry.OWNERSHIP.isSet(entry, 0);
        }

        Answer answer() {
            assertThat(isAnswered()).as("answered; %s", function.findings().list()).isTrue();
            MemorySegment out = MemorySegment.ofArray(new byte[Math.max(16, length)]);
            MemorySegment.copy(
                    entry, CmdQueueEntry.COMMAND_OUTPUT_INLINE_DATA.offset(), out, 0, 16);
            for (int i = 0; i < Mailboxes.blocks(length); i++) {
                int at = 16 + 512 * i;
                MemorySegment.copy(
                        host.at(output + 1024L * i, 512), 0, out, at, Math.min(512, length - at));
            }
            return new Answer((int) CmdQueueEntry.STATUS.get(entry, 0), out);
        }
    }

    /** What came back. */
    record Answer(int delivery, MemorySegment out) {
        int status() {
            return (int) CommandOut.STATUS.get(out, 0);
        }

        int syndrome() {
            return (int) CommandOut.SYNDROME.get(out, 0);
        }

        long get(Field field) {
            return field.get(out, 0);
        }

        long get(StructField struct, Field field) {
            return field.get(out, struct.offset());
        }
    }

    Request request(int opcode, Layout in, Layout out) {
        return new Request(in, out, opcode, 0);
    }

    Request request(int opcode, Layout in, Layout out, int listBytes) {
        return new Request(in, out, opcode, listBytes);
    }

    void enable() {
        setQueue();
        request(Opcode.ENABLE_HCA, EnableHcaIn.LAYOUT, EnableHcaOut.LAYOUT).ok();
    }

    int queryPages(int stage) {
        return (int)
                request(Opcode.QUERY_PAGES, QueryPagesIn.LAYOUT, QueryPagesOut.LAYOUT)
                        .opMod(stage)
                        .ok()
                        .get(QueryPagesOut.NUM_PAGES);
    }

    /** QUERY_PAGES of what a command waits for, from another slot than its. */
    int queryPagesOn(int slot) {
        return (int)
                request(Opcode.QUERY_PAGES, QueryPagesIn.LAYOUT, QueryPagesOut.LAYOUT)
                        .opMod(QueryPagesStage.REGULAR)
                        .slot(slot)
                        .ok()
                        .get(QueryPagesOut.NUM_PAGES);
    }

    Request give(long... pages) {
        Request request =
                request(
                                Opcode.MANAGE_PAGES,
                                ManagePagesIn.LAYOUT,
                                ManagePagesOut.LAYOUT,
                                8 * pages.length)
                        .opMod(ManagePagesOp.GIVE)
                        .set(ManagePagesIn.INPUT_NUM_ENTRIES, pages.length);
        for (int i = 0; i < pages.length; i++) {
            ManagePagesIn.PAS.set(request.in, 0, i, pages[i]);
        }
        return request;
    }

    long[] newPages(int count) {
        long[] pages = new long[count];
        for (int i = 0; i < count; i++) {
            pages[i] = host.allocate(4096, 4096);
        }
        return pages;
    }

    Request take(int count) {
        return request(Opcode.MANAGE_PAGES, ManagePagesIn.LAYOUT, ManagePagesOut.LAYOUT)
                .opMod(ManagePagesOp.TAKE)
                .set(ManagePagesIn.INPUT_NUM_ENTRIES, count)
                .output(ManagePagesOut.PAS.byteSizeWith(count));
    }

    Request initHca() {
        return request(Opcode.INIT_HCA, InitHcaIn.LAYOUT, InitHcaOut.LAYOUT);
    }

    /** From reset to an initialized function with all the pages that it wants. */
    void start() {
        enable();
        giveAll(QueryPagesStage.BOOT);
        giveAll(QueryPagesStage.INIT);
        initHca().ok();
    }

    private void giveAll(int stage) {
        int pages = queryPages(stage);
        if (pages > 0) {
            give(newPages(pages)).ok();
        }
    }

    int allocUar() {
        return (int)
                request(Opcode.ALLOC_UAR, AllocUarIn.LAYOUT, AllocUarOut.LAYOUT)
                        .ok()
                        .get(AllocUarOut.UAR);
    }

    int allocPd() {
        return (int)
                request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT)
                        .ok()
                        .get(AllocPdOut.PD);
    }

    Request createEq(int vector, long events) {
        eqRing = host.allocate(64 << LOG_EQ, 4096);
        for (int i = 0; i < 1 << LOG_EQ; i++) {
            Eqe.OWNER.set(host.at(eqRing + 64L * i, 64), 0, 1);
        }
        Request request =
                request(Opcode.CREATE_EQ, CreateEqIn.LAYOUT, CreateEqOut.LAYOUT, 8)
                        .set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.LOG_EQ_SIZE, LOG_EQ)
                        .set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.UAR_PAGE, uar)
                        .set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.INTR, vector);
        CreateEqIn.EVENT_BITMASK.set(request.in, 0, 0, events);
        CreateEqIn.PAS.set(request.in, 0, 0, eqRing);
        return request;
    }

    Request createCq(int eqn) {
        cqRing = host.allocate(64 << LOG_CQ, 4096);
        for (int i = 0; i < 1 << LOG_CQ; i++) {
            host.at(cqRing + 64L * i + 63, 1).fill((byte) 0xf1);
        }
        cqRecord = host.allocate(8, 64);
        Request request =
                request(Opcode.CREATE_CQ, CreateCqIn.LAYOUT, CreateCqOut.LAYOUT, 8)
                        .set(CreateCqIn.CQ_CONTEXT, Cqc.LOG_CQ_SIZE, LOG_CQ)
                        .set(CreateCqIn.CQ_CONTEXT, Cqc.UAR_PAGE, uar)
                        .set(CreateCqIn.CQ_CONTEXT, Cqc.C_EQN_OR_APU_ELEMENT, eqn)
                        .set(CreateCqIn.CQ_CONTEXT, Cqc.DBR_ADDR, cqRecord);
        CreateCqIn.PAS.set(request.in, 0, 0, cqRing);
        return request;
    }

    /** A key over all of a page that starts at its IOVA. */
    Request createMkey(long page) {
        Request request =
                request(Opcode.CREATE_MKEY, CreateMkeyIn.LAYOUT, CreateMkeyOut.LAYOUT, 16)
                        .set(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE, 1);
        StructField mkc = CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY;
        request.set(mkc, Mkc.ACCESS_MODE_1_0, MkeyAccessMode.MTT)
                .set(mkc, Mkc.LR, 1)
                .set(mkc, Mkc.LW, 1)
                .set(mkc, Mkc.RR, 1)
                .set(mkc, Mkc.RW, 1)
                .set(mkc, Mkc.QPN, 0xff_ffff)
                .set(mkc, Mkc.MKEY_7_0, 0x5a)
                .set(mkc, Mkc.PD, pd)
                .set(mkc, Mkc.START_ADDR, page)
                .set(mkc, Mkc.LEN, 4096)
                .set(mkc, Mkc.TRANSLATIONS_OCTWORD_SIZE, 1)
                .set(mkc, Mkc.LOG_PAGE_SIZE, 12);
        CreateMkeyIn.KLM_PAS_MTT.set(request.in, 0, 0, page >>> 32);
        CreateMkeyIn.KLM_PAS_MTT.set(request.in, 0, 1, page & 0xffff_ffffL);
        return request;
    }

    Request createQp(int cqn) {
        qpRing = host.allocate(4096, 4096);
        qpRecord = host.allocate(8, 64);
        StructField qpc = CreateQpIn.QPC;
        Request request =
                request(Opcode.CREATE_QP, CreateQpIn.LAYOUT, CreateQpOut.LAYOUT, 8)
                        .set(qpc, Qpc.ST, ServiceType.RC)
                        .set(qpc, Qpc.PM_STATE, 3)
                        .set(qpc, Qpc.PD, pd)
                        .set(qpc, Qpc.LOG_RQ_SIZE, LOG_RQ)
                        .set(qpc, Qpc.LOG_SQ_SIZE, LOG_SQ)
                        .set(qpc, Qpc.UAR_PAGE, uar)
                        .set(qpc, Qpc.USER_INDEX, 0x123)
                        .set(qpc, Qpc.CQN_SND, cqn)
                        .set(qpc, Qpc.CQN_RCV, cqn)
                        .set(qpc, Qpc.DBR_ADDR, qpRecord);
        CreateQpIn.PAS.set(request.in, 0, 0, qpRing);
        return request;
    }

    Request toInit(int qpn) {
        return request(Opcode.RST2INIT_QP, Rst2initQpIn.LAYOUT, Rst2initQpOut.LAYOUT)
                .set(Rst2initQpIn.QPN, qpn)
                .set(Rst2initQpIn.QPC, Qpc.PM_STATE, 3)
                .set(Rst2initQpIn.QPC, Qpc.RRE, 1)
                .set(Rst2initQpIn.QPC, Qpc.RWE, 1);
    }

    static void path(Request request, Field field, long value) {
        field.set(request.in, Init2rtrQpIn.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset(), value);
    }

    /** To itself, by force loopback. */
    Request toRtr(int qpn, int remote) {
        Request request =
                request(Opcode.INIT2RTR_QP, Init2rtrQpIn.LAYOUT, Init2rtrQpOut.LAYOUT)
                        .set(Init2rtrQpIn.QPN, qpn)
                        .set(Init2rtrQpIn.QPC, Qpc.MTU, Mtu.MTU_1024)
                        .set(Init2rtrQpIn.QPC, Qpc.LOG_MSG_MAX, 30)
                        .set(Init2rtrQpIn.QPC, Qpc.REMOTE_QPN, remote)
                        .set(Init2rtrQpIn.QPC, Qpc.MIN_RNR_NAK, 12);
        path(request, Ads.FL, 1);
        return request;
    }

    Request toRts(int qpn) {
        return request(Opcode.RTR2RTS_QP, Rtr2rtsQpIn.LAYOUT, Rtr2rtsQpOut.LAYOUT)
                .set(Rtr2rtsQpIn.QPN, qpn)
                .set(Rtr2rtsQpIn.QPC, Qpc.RETRY_COUNT, 7)
                .set(Rtr2rtsQpIn.QPC, Qpc.RNR_RETRY, 7);
    }

    Request simple(int opcode, Layout in, Layout out, Field number, long value) {
        return request(opcode, in, out).set(number, value);
    }

    Request destroyEq(int eqn) {
        return simple(
                Opcode.DESTROY_EQ,
                DestroyEqIn.LAYOUT,
                DestroyEqOut.LAYOUT,
                DestroyEqIn.EQ_NUMBER,
                eqn);
    }

    Request destroyCq(int cqn) {
        return simple(
                Opcode.DESTROY_CQ, DestroyCqIn.LAYOUT, DestroyCqOut.LAYOUT, DestroyCqIn.CQN, cqn);
    }

    Request destroyQp(int qpn) {
        return simple(
                Opcode.DESTROY_QP, DestroyQpIn.LAYOUT, DestroyQpOut.LAYOUT, DestroyQpIn.QPN, qpn);
    }

    Request deallocPd(int number) {
        return simple(
                Opcode.DEALLOC_PD, DeallocPdIn.LAYOUT, DeallocPdOut.LAYOUT, DeallocPdIn.PD, number);
    }

    Request deallocUar(int number) {
        return simple(
                Opcode.DEALLOC_UAR,
                DeallocUarIn.LAYOUT,
                DeallocUarOut.LAYOUT,
                DeallocUarIn.UAR,
                number);
    }

    Request teardown(int profile) {
        return simple(
                Opcode.TEARDOWN_HCA,
                TeardownHcaIn.LAYOUT,
                TeardownHcaOut.LAYOUT,
                TeardownHcaIn.PROFILE,
                profile);
    }

    Request disable() {
        return request(Opcode.DISABLE_HCA, DisableHcaIn.LAYOUT, DisableHcaOut.LAYOUT);
    }

    /** EQE {@code index} of the EQ made last. */
    MemorySegment eqe(int index) {
        return host.at(eqRing + 64L * index, 64);
    }

    void eqDoorbell(int page, int eqn, int consumed, boolean arm) {
        write(page * 4096L + (arm ? Uar.EQ_ARM : Uar.EQ_CONSUMER), Uar.eqWord(eqn, consumed));
    }

    void reset() {
        function.reset(ResetCause.FUNCTION_LEVEL);
    }

    @Override
    public void close() {
        function.detach();
    }
}
