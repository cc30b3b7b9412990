package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.roce.Memory;
import org.ringside.roce.SendRequest;

/** Host memory behind memory keys, as the RoCE transport asks for it: packet by packet. */
final class KeyMemory implements Memory {
    static {
        // Rights are passed through as they are.
        assert LOCAL_READ == MkeyState.LOCAL_READ
                && LOCAL_WRITE == MkeyState.LOCAL_WRITE
                && REMOTE_READ == MkeyState.REMOTE_READ
                && REMOTE_WRITE == MkeyState.REMOTE_WRITE
                && REMOTE_ATOMIC == MkeyState.ATOMIC;
    }

    private final Engine engine;
    private final KeyCheck keys;
    private long original;

    KeyMemory(Engine engine) {
        this.engine = engine;
        this.keys = new KeyCheck(engine.mkeys);
    }

    @Override
    public boolean permits(int pd, int qpn, int key, int right, long address, long length) {
        return allowed(pd, qpn, key, right, address, length) != null;
    }

    private @Nullable MkeyState allowed(
            int pd, int qpn, int key, int right, long address, long length) {
        MkeyState mkey = keys.allowed(pd, qpn, key, right, address, length);
        if (mkey == null) {
            engine.findings.report(
                    "QP 0x%x: %s"
                            .formatted(qpn, keys.explain(pd, qpn, key, right, address, length)));
        }
        return mkey;
    }

    @Override
    public boolean read(
            int pd,
            int qpn,
            int key,
            int right,
            long address,
            MemorySegment into,
            long offset,
            int length) {
        MkeyState mkey = allowed(pd, qpn, key, right, address, length);
        return mkey != null && move(mkey, qpn, false, address, into, offset, length);
    }

    @Override
    public boolean write(
            int pd,
            int qpn,
            int key,
            int right,
            long address,
            MemorySegment from,
            long offset,
            int length) {
        MkeyState mkey = allowed(pd, qpn, key, right, address, length);
        return mkey != null && move(mkey, qpn, true, address, from, offset, length);
    }

    private boolean move(
            MkeyState mkey,
            int qpn,
            boolean write,
            long address,
            MemorySegment packet,
            long offset,
            int length) {
        try {
            if (!isMapped(mkey, write, address, length)) {
                engine.findings.report(
                        "QP 0x%x: 0x%x bytes at 0x%x of %s cannot be reached"
                                .formatted(qpn, length, address, mkey));
                return false;
            }
            long done = 0;
            while (done < length) {
                long iova = mkey.iova(address + done);
                int chunk = (int) Math.min(length - done, mkey.run(address + done));
                MemorySegment open = mkey.window().open(iova, chunk, write);
                long at = offset + done;
                if (open == null) {
                    far(iova, write, packet, at, chunk);
                } else if (write) {
                    MemorySegment.copy(packet, at, open, mkey.window().offset(iova), chunk);
                } else {
                    MemorySegment.copy(open, mkey.window().offset(iova), packet, at, chunk);
                }
                done += chunk;
            }
            return true;
        } catch (DmaFault e) {
            engine.findings.report("QP 0x%x: %s".formatted(qpn, e.getMessage()));
            return false;
        }
    }

    /** Memory that is not mapped here. */
    private void far(long iova, boolean write, MemorySegment packet, long at, int chunk) {
        if (write) {
            engine.memory.write(iova, packet, at, chunk);
        } else {
            engine.memory.read(iova, packet, at, chunk);
        }
    }

    private boolean isMapped(MkeyState mkey, boolean write, long address, int length) {
        long done = 0;
        while (done < length) {
            int chunk = (int) Math.min(length - done, mkey.run(address + done));
            if (!engine.memory.isMapped(mkey.iova(address + done), chunk, write)) {
                return false;
            }
            done += chunk;
        }
        return true;
    }

    @Override
    public boolean fetchAdd(int pd, int qpn, int key, long address, long add) {
        MkeyState mkey = allowed(pd, qpn, key, REMOTE_ATOMIC, address, Long.BYTES);
        if (mkey == null) {
            return false;
        }
        try {
            original = engine.memory.fetchAndAdd(mkey.iova(address), add);
            return true;
        } catch (DmaFault e) {
            engine.findings.report("QP 0x%x: %s".formatted(qpn, e.getMessage()));
            return false;
        }
    }

    @Override
    public boolean compareSwap(int pd, int qpn, int key, long address, long compare, long swap) {
        MkeyState mkey = allowed(pd, qpn, key, REMOTE_ATOMIC, address, Long.BYTES);
        if (mkey == null) {
            return false;
        }
        try {
            original = engine.memory.compareAndSwap(mkey.iova(address), compare, swap);
            return true;
        } catch (DmaFault e) {
            engine.findings.report("QP 0x%x: %s".formatted(qpn, e.getMessage()));
            return false;
        }
    }

    @Override
    public long original() {
        return original;
    }

    @Override
    public boolean invalidate(int pd, int qpn, int key, boolean remote) {
        MkeyState mkey = keys.named(pd, qpn, key, remote ? MkeyState.REMOTE_INVALIDATE : 0);
        if (mkey == null) {
            engine.findings.report(
                    "QP 0x%x: invalidation: %s"
                            .formatted(
                                    qpn,
                                    keys.explain(pd, qpn, key, MkeyState.REMOTE_INVALIDATE, 0, 0)));
            return false;
        }
        mkey.invalidate();
        return true;
    }

    /** What a WQE does to keys, or nothing, without a packet: UMR and NOP. */
    @Override
    public boolean bind(int pd, int qpn, SendRequest request) {
        QpState qp = engine.qp(qpn);
        FarQp far = qp == null ? null : qp.far;
        return far != null && far.executeLocal(request.index);
    }
}
