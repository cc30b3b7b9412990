package org.ringside.verbs;

import java.lang.foreign.MemorySegment;

/** Memory made by {@link Context#allocate}. Closing it while it is registered fails with EBUSY. */
public abstract class DeviceBuffer extends VerbsObject {
    private final Context context;

    /** For providers. */
    protected DeviceBuffer(Context context, long size) {
        super("buffer of " + size + " bytes on " + context.deviceName());
        this.context = context;
    }

    @Override
    final Object lock() {
        return context.lock();
    }

    public final Context context() {
        return context;
    }

    /**
     * The memory; fails with {@link IllegalStateException} once closed. May be used from any
     * thread.
     */
    public abstract MemorySegment memory();
}
