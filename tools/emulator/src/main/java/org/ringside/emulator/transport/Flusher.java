package org.ringside.emulator.transport;

import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CqeSyndrome;

/**
 * Completes what is posted to a QP in ERR, in order, each queue for itself, signalled or not (IBTA
 * 10.3.1.6); what is posted later too.
 */
final class Flusher {
    private static final int BUDGET = 64;

    private final Engine engine;
    private final SendWqe wqe;

    Flusher(Engine engine) {
        this.engine = engine;
        this.wqe = new SendWqe(new KeyCheck(engine.mkeys));
    }

    int run(QpState qp) {
        int done = 0;
        SendQueue sq = qp.send;
        if (sq != null) {
            done += flush(qp, sq);
        }
        if (qp.state == State.ERR) {
            done += engine.receives.flush(qp, BUDGET);
        }
        if (done >= BUDGET) {
            engine.schedule(qp);
        }
        return done;
    }

    private int flush(QpState qp, SendQueue sq) {
        int done = 0;
        sq.sent = 0;
        sq.landed = 0;
        sq.verdict = Syndrome.NONE;
        for (; sq.inFlight() > 0 && done < BUDGET; done++) {
            int slot = sq.first();
            int counter = sq.indexes[slot];
            int opcode = sq.opcodes[slot];
            sq.pop();
            complete(qp, counter, opcode);
        }
        engine.readSendProducer(qp, sq);
        for (; sq.head != sq.producer && done < BUDGET; done++) {
            int counter = sq.head;
            wqe.peek(sq, counter, sq.producer - counter & 0xffff);
            sq.head = counter + wqe.blocks & 0xffff;
            complete(qp, counter, wqe.opcode);
        }
        return done;
    }

    private void complete(QpState qp, int counter, int opcode) {
        engine.completions.fail(
                qp.sendCq,
                qp,
                qp.cqeIndex,
                CqeOpcode.REQ_ERR,
                opcode,
                counter,
                CqeSyndrome.WR_FLUSH_ERR);
    }
}
