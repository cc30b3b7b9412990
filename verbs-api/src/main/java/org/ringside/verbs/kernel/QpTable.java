package org.ringside.verbs.kernel;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.VerbsException;

/**
 * The QPs of a context by their slots, for completions, and by address, for events.
 *
 * <p>Threading: changed under the context's lock, read from any thread.
 */
final class QpTable {
    /** Replaced as a whole. */
    private volatile @Nullable KernelQp[] slots = new KernelQp[8];

    /** Each reset of a QP and each new one in the slot counts; one per slot. */
    private int[] generations = new int[8];

    /** A slot for one more. */
    int freeSlot(KernelContext context) throws VerbsException {
        @Nullable KernelQp[] now = slots;
        for (int i = 0; i < now.length; i++) {
            if (now[i] == null) {
                return i;
            }
        }
        if (now.length == Tag.SLOTS) {
            throw new VerbsException(
                    VerbsException.ENOMEM,
                    "%s has %d QPs already; close some".formatted(context, Tag.SLOTS));
        }
        generations = Arrays.copyOf(generations, 2 * now.length);
        slots = Arrays.copyOf(now, 2 * now.length);
        return now.length;
    }

    int nextGeneration(int slot) {
        return ++generations[slot];
    }

    void add(KernelQp qp) {
        replace(qp.slot(), qp);
    }

    void remove(KernelQp qp) {
        replace(qp.slot(), null);
    }

    private void replace(int slot, @Nullable KernelQp qp) {
        @Nullable KernelQp[] copy = slots.clone();
        copy[slot] = qp;
        slots = copy;
    }

    @Nullable KernelQp of(int owner) {
        @Nullable KernelQp[] now = slots;
        int slot = Tag.slotOf(owner);
        KernelQp qp = slot < now.length ? now[slot] : null;
        return qp != null && qp.isOwner(owner) ? qp : null;
    }

    @Nullable KernelQp at(long address) {
        for (KernelQp qp : slots) {
            if (qp != null && qp.address() == address) {
                return qp;
            }
        }
        return null;
    }

    @Nullable KernelQp withWork(KernelCq cq) {
        for (KernelQp qp : slots) {
            if (qp != null && qp.owes(cq)) {
                return qp;
            }
        }
        return null;
    }

    void forEach(Consumer<KernelQp> action) {
        for (KernelQp qp : slots) {
            if (qp != null) {
                action.accept(qp);
            }
        }
    }
}
