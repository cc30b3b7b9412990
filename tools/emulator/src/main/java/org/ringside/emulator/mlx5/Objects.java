package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.transport.CqState;
import org.ringside.emulator.transport.QpState;
import org.ringside.mlx5.layout.Field;

/** Objects of a function by kind, other than EQs and UARs. */
final class Objects {
    /** A CQ and what it uses. */
    static final class Cq extends HwObject {
        final UarPage uar;
        private EventQueue eq;
        final byte[] context;
        long[] pages;

        /** Arm request that the doorbell record held when the CQ was made. */
        final int firstArmRecord;

        @Nullable CqState state;

        /**
         * Memory of its ring and of its doorbell record, as far as that was told by CREATE_UMEM.
         */
        private UserMemories memory;

        private final long doorbellRecord;

        Cq(
                UarPage uar,
                EventQueue eq,
                byte[] context,
                long[] pages,
                int firstArmRecord,
                long doorbellRecord,
                UserMemories memory) {
            this.doorbellRecord = doorbellRecord;
            this.memory = memory;
            this.uar = uar;
            this.eq = eq;
            this.context = context;
            this.pages = pages;
            this.firstArmRecord = firstArmRecord;
        }

        long doorbellRecord() {
            return doorbellRecord;
        }

        /** Made with all that it names. */
        void use() {
            eq.addUser();
            uar.add(state());
            memory.use();
        }

        /** A field of its context is different now. */
        void keep(Field field, long value) {
            field.set(MemorySegment.ofArray(context), 0, value);
        }

        /** Its completion events go elsewhere. */
        void moveTo(EventQueue next) {
            eq.removeUser();
            next.addUser();
            eq = next;
            state().eqn(next.index());
        }

        /** It has another buffer: in an umem, or of pages. */
        void move(@Nullable UserMemory ring, long[] addresses) {
            memory.release();
            memory = new UserMemories(ring, memory.record());
            memory.use();
            pages = addresses;
        }

        /** What it named may go. */
        void release() {
            eq.removeUser();
            uar.remove(state());
            memory.release();
        }

        CqState state() {
            if (state == null) {
                throw new IllegalStateException("CQ 0x%x is not made yet".formatted(index()));
            }
            return state;
        }
    }

    /** A QP, what it uses, and its context as the driver wrote it. */
    static final class Qp extends HwObject {
        /** Null when it accesses no memory. */
        final HwObject.@Nullable Plain pd;

        /** Null when it has no send queue. */
        final @Nullable UarPage uar;

        final Cq sendCq;
        final Cq receiveCq;

        /** Where its receives are, when shared. */
        final @Nullable Srq srq;

        /** Domain of an XRC QP. */
        final HwObject.@Nullable Plain xrcd;

        final byte[] context;
        final long[] pages;
        private final UserMemories memory;
        @Nullable QpState state;

        Qp(
                HwObject.@Nullable Plain pd,
                @Nullable UarPage uar,
                Cq sendCq,
                Cq receiveCq,
                @Nullable Srq srq,
                HwObject.@Nullable Plain xrcd,
                byte[] context,
                long[] pages,
                UserMemories memory) {
            this.memory = memory;
            this.pd = pd;
            this.uar = uar;
            this.sendCq = sendCq;
            this.receiveCq = receiveCq;
            this.srq = srq;
            this.xrcd = xrcd;
            this.context = context;
            this.pages = pages;
        }

        /** Made with all that it names. */
        void use() {
            if (pd != null) {
                pd.addUser();
            }
            sendCq.addUser();
            receiveCq.addUser();
            if (uar != null) {
                uar.add(state());
            }
            if (srq != null) {
                srq.addUser();
            }
            if (xrcd != null) {
                xrcd.addUser();
            }
            memory.use();
        }

        /** What it named may go. */
        void release() {
            if (pd != null) {
                pd.removeUser();
            }
            sendCq.removeUser();
            receiveCq.removeUser();
            if (uar != null) {
                uar.remove(state());
            }
            if (srq != null) {
                srq.removeUser();
            }
            if (xrcd != null) {
                xrcd.removeUser();
            }
            memory.release();
        }

        QpState state() {
            if (state == null) {
                throw new IllegalStateException("QP 0x%x is not made yet".formatted(index()));
            }
            return state;
        }
    }

    /** A memory key and its context as the driver wrote it. */
    static final class Mkey extends HwObject {
        /** Changed by work requests. */
        HwObject.Plain pd;

        final byte[] context;
        final long[] pages;

        Mkey(HwObject.Plain pd, byte[] context, long[] pages) {
            this.pd = pd;
            this.context = context;
            this.pages = pages;
        }
    }

    private final ObjectTable<HwObject.Plain> userContexts;
    private final ObjectTable<HwObject.Plain> pds;
    private final ObjectTable<HwObject.Plain> transportDomains;
    private final ObjectTable<HwObject.Plain> xrcds;
    private final ObjectTable<HwObject.Plain> counters;
    private final ObjectTable<Cq> cqs;
    private final ObjectTable<Srq> srqs;
    private final ObjectTable<UserMemory> umems;
    private final ObjectTable<Mkey> mkeys;
    private final ObjectTable<Qp> qps;

    Objects(Caller caller) {
        userContexts =
                new ObjectTable<>(
                        "user context", 1, 1 << CapabilityTables.LOG_LIMIT_OF_UCTX, caller);
        pds = new ObjectTable<>("PD", 1, 1 << CapabilityTables.LOG_MAX_PD, caller);
        transportDomains = new ObjectTable<>("transport domain", 1, 1 << 10, caller);
        xrcds =
                new ObjectTable<HwObject.Plain>(
                                "XRC domain", 1, 1 << CapabilityTables.LOG_MAX_XRCD, caller)
                        .shared();
        counters =
                new ObjectTable<HwObject.Plain>(
                                "Q counter", 1, CapabilityTables.COUNTER_SETS, caller)
                        .shared();
        cqs = new ObjectTable<>("CQ", 1, 1 << CapabilityTables.LOG_MAX_CQ, caller);
        srqs = new ObjectTable<Srq>("SRQ", 1, 1 << CapabilityTables.LOG_MAX_SRQ, caller).shared();
        umems = new ObjectTable<>("umem", 1, 1 << CapabilityTables.LOG_MAX_UMEM, caller);
        mkeys = new ObjectTable<>("MKEY", 1, 1 << CapabilityTables.LOG_MAX_MKEY, caller);
        // QPs 0 and 1 are the management QPs; firmware keeps some more to itself.
        qps = new ObjectTable<>("QP", 0x40, 1 << CapabilityTables.LOG_MAX_QP, caller);
    }

    /** Processes that give commands of their own. */
    ObjectTable<HwObject.Plain> userContexts() {
        return userContexts;
    }

    ObjectTable<HwObject.Plain> pds() {
        return pds;
    }

    ObjectTable<HwObject.Plain> transportDomains() {
        return transportDomains;
    }

    ObjectTable<HwObject.Plain> xrcds() {
        return xrcds;
    }

    ObjectTable<HwObject.Plain> counters() {
        return counters;
    }

    ObjectTable<Cq> cqs() {
        return cqs;
    }

    /** SRQs, XRC SRQs and RMPs. */
    ObjectTable<Srq> srqs() {
        return srqs;
    }

    /** Memory that rings and records name. */
    ObjectTable<UserMemory> umems() {
        return umems;
    }

    ObjectTable<Mkey> mkeys() {
        return mkeys;
    }

    ObjectTable<Qp> qps() {
        return qps;
    }

    private List<ObjectTable<?>> all() {
        return List.of(
                qps, srqs, cqs, mkeys, umems, pds, transportDomains, xrcds, counters, userContexts);
    }

    /** What is alive, such as "2 QPs, 1 PD"; empty when nothing is. */
    String describe(ObjectTable<?>... others) {
        List<String> alive = new ArrayList<>();
        for (ObjectTable<?> table : all()) {
            count(table, alive);
        }
        for (ObjectTable<?> table : others) {
            count(table, alive);
        }
        return String.join(", ", alive);
    }

    private static void count(ObjectTable<?> table, List<String> alive) {
        if (table.size() > 0) {
            alive.add(
                    "%d %s%s".formatted(table.size(), table.kind(), table.size() == 1 ? "" : "s"));
        }
    }

    void clear() {
        all().forEach(ObjectTable::clear);
    }
}
