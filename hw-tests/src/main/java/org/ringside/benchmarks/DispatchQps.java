package org.ringside.benchmarks;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;

/**
 * The QPs of four providers: each a final class of its own that writes an entry of 48 bytes to a
 * ring and rings a doorbell, all in memory, as the rings of real ones do.
 */
final class DispatchQps {
    private static final int ENTRIES = 256;

    private DispatchQps() {}

    /** Where the entries go, with the stores of a WQE and its doorbell. */
    private static final class Ring {
        private final MemorySegment memory = Arena.ofAuto().allocate(ENTRIES * 64L + 8, 64);
        private int posted;

        PostResult put(long wrId, int lkey, long address, long length, int rkey, long remote) {
            long at = (long) (posted++ & ENTRIES - 1) << 6;
            memory.set(JAVA_LONG, at, wrId);
            memory.set(JAVA_LONG, at + 8, remote);
            memory.set(JAVA_LONG, at + 16, rkey);
            memory.set(JAVA_LONG, at + 24, lkey);
            memory.set(JAVA_LONG, at + 32, address);
            memory.set(JAVA_LONG, at + 40, length);
            VarHandle.releaseFence();
            memory.set(JAVA_LONG, ENTRIES * 64L, posted);
            return PostResult.POSTED;
        }
    }

    /** The second design of {@link DispatchBenchmark}: what a facade hands its calls to. */
    interface Posts {
        PostResult postWrite(
                long wrId,
                int flags,
                int lkey,
                long address,
                long length,
                int rkey,
                long remoteAddress);
    }

    /** Of a provider. */
    static final class First extends DispatchQp implements Posts {
        private final Ring ring = new Ring();

        First(ProtectionDomain pd, QpOptions options) {
            super(pd, options);
        }

        @Override
        public PostResult postWrite(
                long wrId,
                int flags,
                int lkey,
                long address,
                long length,
                int rkey,
                long remoteAddress) {
            return ring.put(wrId, lkey, address, length, rkey, remoteAddress);
        }
    }

    /** Of a provider. */
    static final class Second extends DispatchQp implements Posts {
        private final Ring ring = new Ring();

        Second(ProtectionDomain pd, QpOptions options) {
            super(pd, options);
        }

        @Override
        public PostResult postWrite(
                long wrId,
                int flags,
                int lkey,
                long address,
                long length,
                int rkey,
                long remoteAddress) {
            return ring.put(wrId, lkey, address, length, rkey, remoteAddress);
        }
    }

    /** Of a provider. */
    static final class Third extends DispatchQp implements Posts {
        private final Ring ring = new Ring();

        Third(ProtectionDomain pd, QpOptions options) {
            super(pd, options);
        }

        @Override
        public PostResult postWrite(
                long wrId,
                int flags,
                int lkey,
                long address,
                long length,
                int rkey,
                long remoteAddress) {
            return ring.put(wrId, lkey, address, length, rkey, remoteAddress);
        }
    }

    /** Of a provider. */
    static final class Fourth extends DispatchQp implements Posts {
        private final Ring ring = new Ring();

        Fourth(ProtectionDomain pd, QpOptions options) {
            super(pd, options);
        }

        @Override
        public PostResult postWrite(
                long wrId,
                int flags,
                int lkey,
                long address,
                long length,
                int rkey,
                long remoteAddress) {
            return ring.put(wrId, lkey, address, length, rkey, remoteAddress);
        }
    }
}
