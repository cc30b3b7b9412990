package org.ringside.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What every verbs object has: a place in the tree of owners, and a close that works in the right
 * order, once.
 *
 * <p>An object that others still use cannot be closed: {@link #close()} then fails with EBUSY and
 * names them, and nothing has changed. Closing a {@link Context} is the exception: it closes all
 * that was made from it first, youngest first. Closing twice is harmless.
 *
 * <p>Threading: slow-path calls of one context are serialised by the context's lock, so they may
 * come from any thread. The fast operations take no lock; each class says who may call them.
 */
public abstract class VerbsObject implements AutoCloseable {
    private final String description;
    private final List<VerbsObject> users = new ArrayList<>();
    private final List<VerbsObject> dependencies = new ArrayList<>();
    private volatile boolean closed;

    VerbsObject(String description) {
        this.description = description;
    }

    /** The lock of the context that this object belongs to. */
    abstract Object lock();

    /**
     * Gives the provider's resources back. Called once, under the lock, when nothing uses this
     * object any more.
     */
    protected abstract void doClose() throws VerbsException;

    /** Whether it has been closed. */
    public final boolean isClosed() {
        return closed;
    }

    /** Registers this object with the ones that it needs; called when its making has succeeded. */
    final void dependOn(VerbsObject... needed) {
        synchronized (lock()) {
            for (VerbsObject each : needed) {
                dependencies.add(each);
                each.users.add(this);
            }
        }
    }

    final void requireOpen() throws VerbsException {
        if (closed) {
            throw new VerbsException(
                    VerbsException.EINVAL, description + " is closed; make a new one");
        }
    }

    final @Nullable VerbsObject youngestUser() {
        return users.isEmpty() ? null : users.getLast();
    }

    @Override
    public final void close() throws VerbsException {
        synchronized (lock()) {
            if (closed) {
                return;
            }
            beforeClose();
            if (!users.isEmpty()) {
                throw new VerbsException(
                        VerbsException.EBUSY,
                        description
                                + " is in use by "
                                + users.stream()
                                        .map(VerbsObject::toString)
                                        .collect(Collectors.joining(", "))
                                + "; close them first");
            }
            doClose();
            closed = true;
            for (VerbsObject each : dependencies) {
                each.users.remove(this);
            }
            dependencies.clear();
        }
    }

    /** What has to happen before the check for users; a context closes its children here. */
    void beforeClose() throws VerbsException {}

    @Override
    public String toString() {
        return description;
    }
}
