package org.ringside.verbs;

import java.lang.foreign.MemorySegment;

/** Memory that a device may use. Immutable; may be used from any thread. */
public abstract class MemoryRegion extends VerbsObject {
    private final ProtectionDomain pd;
    private final MemorySegment memory;
    private final int lkey;
    private final int rkey;

    /** For providers. */
    protected MemoryRegion(ProtectionDomain pd, MemorySegment memory, int lkey, int rkey) {
        super(
                "MR 0x%x of %d bytes on %s"
                        .formatted(lkey, memory.byteSize(), pd.context().deviceName()));
        this.pd = pd;
        this.memory = memory;
        this.lkey = lkey;
        this.rkey = rkey;
    }

    @Override
    final Object lock() {
        return pd.lock();
    }

    public final ProtectionDomain pd() {
        return pd;
    }

    /** The memory that was registered. */
    public final MemorySegment memory() {
        return memory;
    }

    /** Address of its first byte, as work requests name it, local and remote. */
    public final long address() {
        return memory.address();
    }

    /** Bytes. */
    public final long length() {
        return memory.byteSize();
    }

    /** Key for local scatter/gather entries. */
    public final int lkey() {
        return lkey;
    }

    /** Key for the peer's WRITE, READ and atomics. */
    public final int rkey() {
        return rkey;
    }
}
