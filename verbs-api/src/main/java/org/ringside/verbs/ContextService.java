package org.ringside.verbs;

/**
 * Something that works on a context with objects of its own: a connection manager. It is closed
 * before those, with the context at the latest.
 */
public abstract class ContextService extends VerbsObject {
    private final Context context;

    protected ContextService(Context context, String description) {
        super(description);
        this.context = context;
    }

    @Override
    final Object lock() {
        return context.lock();
    }

    public final Context context() {
        return context;
    }

    /** The service is up: the context closes it from now on. */
    protected final void started() throws VerbsException {
        synchronized (lock()) {
            context.requireOpen();
            dependOn(context);
        }
    }
}
