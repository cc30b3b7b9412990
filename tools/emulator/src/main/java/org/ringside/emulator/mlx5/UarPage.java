package org.ringside.emulator.mlx5;

import java.util.ArrayList;
import java.util.List;
import org.ringside.emulator.transport.CqState;
import org.ringside.emulator.transport.QpState;

/** A UAR page that the driver has allocated, and who may ring in it. */
final class UarPage extends HwObject {
    private final List<QpState> qps = new ArrayList<>();
    private final List<CqState> cqs = new ArrayList<>();
    private int eqs;

    /** Send queues that ring here. */
    List<QpState> qps() {
        return qps;
    }

    /** CQs that are armed here. */
    List<CqState> cqs() {
        return cqs;
    }

    void add(QpState qp) {
        qps.add(qp);
        addUser();
    }

    void remove(QpState qp) {
        qps.remove(qp);
        removeUser();
    }

    void add(CqState cq) {
        cqs.add(cq);
        addUser();
    }

    void remove(CqState cq) {
        cqs.remove(cq);
        removeUser();
    }

    void addEq() {
        eqs++;
        addUser();
    }

    void removeEq() {
        eqs--;
        removeUser();
    }

    boolean hasEqs() {
        return eqs > 0;
    }

    @Override
    public String toString() {
        return "UAR 0x%x".formatted(index());
    }
}
