package org.ringside.mlx5;

import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.Cqc;
import org.ringside.mlx5.layout.CreateCqIn;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.DestroyCqIn;
import org.ringside.mlx5.layout.DestroyCqOut;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Uar;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;
import org.ringside.vfio.Mmio;

/** A completion queue: a {@link CompletionRing} that the device knows. */
final class Mlx5Cq extends CompletionQueue {
    private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final Mlx5Context context;
    private final CompletionRing ring;
    private final RingMemory record;
    private final DmaRing memory;
    private final Mmio doorbells;
    private final int number;
    private final @Nullable Mlx5Channel channel;

    /** Events so far; the device answers only the arm request that carries the next number. */
    private volatile int armSequence;

    private Mlx5Cq(
            Mlx5Context context,
            int number,
            DmaRing memory,
            int log,
            @Nullable Mlx5Channel channel) {
        super(context, number);
        this.context = context;
        this.number = number;
        this.memory = memory;
        this.record = memory.record();
        this.doorbells = context.device().doorbells.registers;
        this.channel = channel;
        this.ring = new CompletionRing(memory.ring(), log, record, context.device().qps);
    }

    static Mlx5Cq create(Mlx5Context context, int entries, @Nullable Mlx5Channel channel)
            throws VerbsException {
        Mlx5Device device = context.device();
        int log = Integer.SIZE - Integer.numberOfLeadingZeros(entries);
        DmaRing memory = DmaRing.allocate(device, CompletionRing.CQE << log);
        try {
            CompletionRing.initialize(memory.ring(), log);
            EventQueue events = channel == null ? device.asyncQueue : channel.queue();
            Command command =
                    new Command(
                                    Opcode.CREATE_CQ,
                                    CreateCqIn.LAYOUT,
                                    CreateCqIn.PAS.byteSizeWith(memory.pages()),
                                    CreateCqOut.LAYOUT,
                                    CreateCqOut.LAYOUT.byteSize())
                            .set(CreateCqIn.CQ_CONTEXT, Cqc.LOG_CQ_SIZE, log)
                            .set(CreateCqIn.CQ_CONTEXT, Cqc.UAR_PAGE, device.doorbells.index)
                            .set(CreateCqIn.CQ_CONTEXT, Cqc.C_EQN_OR_APU_ELEMENT, events.number())
                            .set(CreateCqIn.CQ_CONTEXT, Cqc.DBR_ADDR, memory.recordIova());
            memory.listPages(command, CreateCqIn.PAS);
            int number = (int) device.commands.execute(command).get(CreateCqOut.CQN);
            return new Mlx5Cq(context, number, memory, log, channel);
        } catch (VerbsException | RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    int number() {
        return number;
    }

    CompletionRing ring() {
        return ring;
    }

    /** The device reports completions. On the event thread. */
    void notified() {
        armSequence = armSequence + 1 & 3;
        if (channel != null) {
            channel.offer(this);
        }
    }

    @Override
    public int capacity() {
        return ring.capacity() - 1;
    }

    @Override
    public boolean startPoll() {
        return ring.startPoll();
    }

    @Override
    public boolean nextPoll() {
        return ring.nextPoll();
    }

    @Override
    public void endPoll() {
        ring.endPoll();
    }

    @Override
    public long wrId() {
        return ring.wrId();
    }

    @Override
    public WcStatus status() {
        return ring.status();
    }

    @Override
    public WcOpcode opcode() {
        return ring.opcode();
    }

    @Override
    public long byteLength() {
        return ring.byteLength();
    }

    @Override
    public boolean hasImmediate() {
        return ring.hasImmediate();
    }

    @Override
    public int immediate() {
        return ring.immediate();
    }

    @Override
    public int qpNumber() {
        return ring.qpNumber();
    }

    @Override
    public int vendorError() {
        return ring.vendorError();
    }

    @Override
    public int poll(WorkCompletions into) {
        return ring.poll(into);
    }

    @Override
    public void requestNotify(boolean solicitedOnly) {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        if (channel == null) {
            throw new IllegalStateException(
                    this + " was made without a channel; give createCq one to be notified");
        }
        int kind = solicitedOnly ? DoorbellRecord.ARM_SOLICITED : DoorbellRecord.ARM_NEXT;
        int word = DoorbellRecord.armWord(armSequence, kind, ring.consumer());
        record.putIntRelease(DoorbellRecord.ARM, word);
        Barriers.recordBeforeDoorbell();
        long doorbell = (long) word << 32 | number;
        doorbells.putLong(Uar.CQ_ARM, SWAP ? Long.reverseBytes(doorbell) : doorbell);
        Barriers.flushDoorbell();
    }

    @Override
    protected void doClose() throws VerbsException {
        boolean gone =
                context.destroy(
                        this,
                        new Command(Opcode.DESTROY_CQ, DestroyCqIn.LAYOUT, DestroyCqOut.LAYOUT)
                                .set(DestroyCqIn.CQN, number));
        context.device().hearLastEvents();
        context.forget(this);
        ring.retire();
        if (channel != null) {
            channel.forget(this);
        }
        if (gone) {
            memory.close();
        }
    }
}
