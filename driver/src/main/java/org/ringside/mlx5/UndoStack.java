package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.VerbsException;

/**
 * What has to be undone, last done first. Serves a bring-up that fails half-way and a close alike,
 * so that their order cannot differ.
 *
 * <p>Not thread safe.
 */
final class UndoStack {
    private static final Logger LOG = System.getLogger(UndoStack.class.getName());

    private final String device;
    private final Deque<Undo> steps = new ArrayDeque<>();

    UndoStack(String device) {
        this.device = device;
    }

    /** One step back. */
    interface Step {
        void run() throws VerbsException;
    }

    private record Undo(String what, Step step) {}

    /** Adds what undoes the step just done. */
    void push(String what, Step step) {
        steps.push(new Undo(what, step));
    }

    /**
     * Undoes everything; a step that fails does not keep the others from being done.
     *
     * @param quiet whether failures are expected, the device being dead
     * @return the first failure, with the others attached; null when there was none
     */
    @Nullable VerbsException undoAll(boolean quiet) {
        VerbsException first = null;
        while (!steps.isEmpty()) {
            Undo undo = steps.pop();
            try {
                undo.step().run();
            } catch (VerbsException e) {
                LOG.log(
                        quiet ? Level.DEBUG : Level.WARNING,
                        "{0}: {1} failed: {2}",
                        device,
                        undo.what(),
                        e.getMessage());
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }
}
