package org.ringside.emulator.transport;

/** What is posted to shared receive queues, and when few are left. */
final class SharedReceives {
    private final Engine engine;

    SharedReceives(Engine engine) {
        this.engine = engine;
    }

    /** Whether one is posted. */
    boolean isPosted(SrqState srq) {
        if (srq.available() == 0) {
            readProducer(srq);
        }
        return srq.available() != 0;
    }

    /** Reads how far receives are posted; a record that cannot be true changes nothing. */
    private void readProducer(SrqState srq) {
        int word = srq.postedWord();
        int posted = word - srq.consumed & 0xffff;
        boolean impossible = word >>> 16 != 0 || posted > 1 << srq.logSize;
        if (impossible && !srq.recordDoubted) {
            engine.findings.report(
                    "%s: doorbell record 0x%08x, but 0x%x were consumed and 0x%x fit"
                            .formatted(srq, word, srq.consumed, 1 << srq.logSize));
        }
        srq.recordDoubted = impossible;
        if (!impossible) {
            srq.producer = word;
        }
    }

    /** Takes the next WQE, which must be posted; returns its index. */
    int take(SrqState srq) {
        int index = srq.head;
        int next = srq.next(index);
        if (next >= 1 << srq.logSize) {
            engine.findings.report(
                    "%s: WQE 0x%x names 0x%x as the next one, of 0x%x"
                            .formatted(srq, index, next, 1 << srq.logSize));
            next &= (1 << srq.logSize) - 1;
        }
        srq.head = next;
        srq.consumed = srq.consumed + 1 & 0xffff;
        checkLimit(srq);
        return index;
    }

    /** Raises the event when it is due. */
    void checkLimit(SrqState srq) {
        if (srq.limit == 0) {
            return;
        }
        if (srq.available() < srq.limit) {
            readProducer(srq);
        }
        if (srq.available() < srq.limit) {
            srq.limit = 0;
            engine.events.srqLimit(srq);
        }
    }
}
