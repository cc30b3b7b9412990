package org.ringside.emulator.mlx5;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.transport.CqState;
import org.ringside.emulator.transport.QpState;
import org.ringside.mlx5.layout.WqeOpcode;

/**
 * Makes sense of stores to UAR pages. A doorbell is a hint to look at the doorbell record; what is
 * examined here is whether the hint is one: whole, from the right page, and not older than the
 * record.
 *
 * <p>In shared memory a later doorbell may hide an earlier one of another queue, so each of them
 * makes the device look at the records of all queues of that page.
 */
final class Doorbells {
    static final int CQ = 0x20;
    static final int EQ_ARM = 0x40;
    static final int EQ_CONSUMED = 0x48;
    static final int SEND = 0x800;
    static final int SEND_STRIDE = 0x100;

    private static final int NUMBER_MASK = 0xff_ffff;
    private static final int DS_MASK = 0x3f;
    private static final int COUNTER_MASK = 0xffff;
    private static final int SEND_RECORD = 4;
    private static final int ARM_RECORD = 4;

    private final Hca hca;

    Doorbells(Hca hca) {
        this.hca = hca;
    }

    /** A store that trapped, with the value in CPU order. */
    void trapped(UarPage page, int offset, int width, long value) {
        if (offset >= SEND) {
            int inRegister = offset % SEND_STRIDE;
            if (inRegister == 0 && width == Long.BYTES) {
                send(page, value, false);
            } else if (inRegister < Long.BYTES) {
                report(
                        "torn send doorbell in %s: %d bytes 0x%x at 0x%x; it takes one store of 8",
                        page, width, value, offset);
            }
            // The rest of a BlueFlame register is the WQE again, which is in the ring too.
        } else if (offset == CQ && width == Long.BYTES) {
            cq(page, value, false);
        } else if (offset >= CQ && offset < CQ + Long.BYTES) {
            report(
                    "torn CQ doorbell in %s: %d bytes 0x%x at 0x%x; it takes one store of 8",
                    page, width, value, offset);
        } else if ((offset == EQ_ARM || offset == EQ_CONSUMED) && width == Integer.BYTES) {
            eq(page, (int) value, offset == EQ_ARM);
        } else {
            report("store of %d bytes 0x%x to 0x%x of %s", width, value, offset, page);
        }
    }

    /** First 8 bytes of a WQE: opmod, index and opcode; QPN and size. */
    void send(UarPage page, long value, boolean polled) {
        long first = Long.reverseBytes(value);
        int high = (int) (first >>> 32);
        int low = (int) first;
        if (low == 0) {
            report("torn send doorbell in %s: 0x%08x and nothing behind it", page, high);
            return;
        }
        int qpn = low >>> 8;
        QpState named = find(page, qpn);
        if (named == null) {
            report("send doorbell in %s for QP 0x%x, which does not ring there", page, qpn);
        } else if (examine(named, high, low)) {
            hca.engine().doorbell(named);
        }
        if (polled && page.qps().size() > 1) {
            for (QpState qp : page.qps()) {
                if (qp != named && takesSends(qp)) {
                    hca.engine().doorbell(qp);
                }
            }
        }
    }

    private static boolean takesSends(QpState qp) {
        return switch (qp.state()) {
            case RTS, SQD, SQE, ERR -> true;
            case RESET, INIT, RTR -> false;
        };
    }

    private static @Nullable QpState find(UarPage page, int qpn) {
        for (int i = 0; i < page.qps().size(); i++) {
            if (page.qps().get(i).qpn() == qpn) {
                return page.qps().get(i);
            }
        }
        return null;
    }

    /**
     * Whether a send doorbell is one. The WQE that it shows must be behind the record's counter.
     */
    private boolean examine(QpState qp, int high, int low) {
        int segments = low & DS_MASK;
        int index = high >>> 8 & COUNTER_MASK;
        if (segments == 0 || (low & 0xc0) != 0) {
            report("%s: send doorbell 0x%08x%08x has no valid WQE size", qp, high, low);
            return false;
        }
        int logSize = qp.queues().logSqSize();
        if (logSize < 0) {
            report("%s: send doorbell, but it has no send queue", qp);
            return false;
        }
        int counter;
        try {
            counter = word(qp.queues().doorbellRecord() + SEND_RECORD) & COUNTER_MASK;
        } catch (DmaFault e) {
            // The engine finds out too, and ends the QP.
            return true;
        }
        int ahead = counter - index & COUNTER_MASK;
        if (ahead == 0 || ahead > 1 << logSize) {
            report(
                    "%s: stale send doorbell: shows WQE %d (%s), but the doorbell record says %d",
                    qp, index, WqeOpcode.name(high & 0xff), counter);
            return false;
        }
        return true;
    }

    /** Arm request and CQN. */
    void cq(UarPage page, long value, boolean polled) {
        long doorbell = Long.reverseBytes(value);
        int cqn = (int) doorbell & NUMBER_MASK;
        CqState named = null;
        for (CqState cq : page.cqs()) {
            if (cq.cqn() == cqn) {
                named = cq;
            }
        }
        if (named == null) {
            report("CQ doorbell in %s for CQ 0x%x, which does not ring there", page, cqn);
            return;
        }
        if (!polled) {
            hca.engine().arm(named, (int) (doorbell >>> 32));
            return;
        }
        // The record may be ahead of the doorbell by now, so it alone counts.
        hca.engine().arm(named);
        for (CqState cq : page.cqs()) {
            if (cq != named && mayHaveRung(cq)) {
                hca.engine().arm(cq);
            }
        }
    }

    /**
     * Whether a CQ's doorbell may have been hidden by another one. A record that still has the
     * value that it was created with tells of no request, unless that is 0, which is also what the
     * first request of some drivers looks like: an event too many is better than none.
     */
    private boolean mayHaveRung(CqState cq) {
        Objects.Cq object = hca.objects().cqs().find(cq.cqn());
        if (object == null || object.firstArmRecord == 0) {
            return true;
        }
        try {
            return word(object.doorbellRecord() + ARM_RECORD) != object.firstArmRecord;
        } catch (DmaFault e) {
            return false;
        }
    }

    /** EQN and consumer index. */
    void eq(UarPage page, int value, boolean arm) {
        int doorbell = Integer.reverseBytes(value);
        int eqn = doorbell >>> 24;
        EventQueue eq = hca.events().table().find(eqn);
        if (eq == null || eq.uar() != page) {
            report("EQ doorbell in %s for EQ 0x%x, which does not ring there", page, eqn);
            return;
        }
        eq.doorbell(hca, doorbell & NUMBER_MASK, arm);
    }

    private int word(long iova) {
        return Integer.reverseBytes(hca.dma().getInt(iova));
    }

    private void report(String format, Object... arguments) {
        hca.findings().report(Finding.Kind.DOORBELL, format.formatted(arguments));
    }
}
