package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.SendFlags;

/** The send half of a QP: struct ibv_send_wr. */
final class SendQueue extends WorkQueue {
    /** A set of opcodes, a bit each. */
    private final int supported;

    private final int maxInline;
    private final int alwaysFlags;
    private final long inlineData;
    private final long inlineStride;
    private final MemorySegment postSend;
    private final long qp;
    private final @Nullable ExtendedSends extended;

    // Of the request being built
    private int opcode;
    private int flags;
    private int inlined;
    private boolean isInline;

    /**
     * Memory for it comes from an arena of the QP.
     *
     * @param supported opcodes that the QP has, {@code 1 << opcode} each
     * @param extended the functions of the extended QP, null to post by post_send
     */
    SendQueue(
            Arena arena,
            QpOptions options,
            int supported,
            long maxMessage,
            MemorySegment postSend,
            long qp,
            @Nullable ExtendedSends extended) {
        super(arena, options.sendWrs(), Abi.SendWr.SIZE, options.sendSges(), maxMessage);
        this.supported = supported;
        this.maxInline = options.inlineBytes();
        this.alwaysFlags = options.signalAll() ? Abi.SendWr.SIGNALED : 0;
        this.inlineStride = maxInline + 7L & -8L;
        this.inlineData = arena.allocate(Math.max(places() * inlineStride, 1), 8).address();
        this.postSend = postSend;
        this.qp = qp;
        this.extended = extended;
    }

    /** Flags of the API are bits of enum ibv_send_flags; what else the caller gives is left out. */
    static int sendFlags(int flags) {
        return flags & (SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED);
    }

    /** Ends the request before and begins one. */
    void begin(int opcode, long wrId, int withFlags, int immediate) {
        if (!beginRequest(wrId)) {
            return;
        }
        if ((supported & 1 << opcode) == 0) {
            fail(PostResult.NOT_SUPPORTED);
            return;
        }
        this.opcode = opcode;
        flags = sendFlags(withFlags) | alwaysFlags;
        isInline = false;
        inlined = 0;
        Raw.putInt(request + Abi.SendWr.OPCODE, opcode);
        Raw.putInt(request + Abi.SendWr.IMM_DATA, Integer.reverseBytes(immediate));
    }

    /** Memory of the peer, for the WRITE or READ just begun. */
    void remote(int rkey, long address) {
        if (!hasFailed()) {
            Raw.putLong(request + Abi.SendWr.WR_RDMA_REMOTE_ADDR, address);
            Raw.putInt(request + Abi.SendWr.WR_RDMA_RKEY, rkey);
        }
    }

    /** Memory of the peer and operands, for the atomic just begun. */
    void atomic(int rkey, long address, long compareOrAdd, long swap) {
        if (hasFailed()) {
            return;
        }
        if ((address & 7) != 0) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        Raw.putLong(request + Abi.SendWr.WR_ATOMIC_REMOTE_ADDR, address);
        Raw.putLong(request + Abi.SendWr.WR_ATOMIC_COMPARE_ADD, compareOrAdd);
        Raw.putLong(request + Abi.SendWr.WR_ATOMIC_SWAP, swap);
        Raw.putInt(request + Abi.SendWr.WR_ATOMIC_RKEY, rkey);
    }

    private boolean isAtomic() {
        return opcode >= Abi.WrOpcode.ATOMIC_CMP_AND_SWP;
    }

    @Override
    protected PostResult checkPiece(long address, long length) {
        if (isInline) {
            return PostResult.BAD_SEQUENCE;
        }
        return isAtomic() && (length != Long.BYTES || (address & 7) != 0)
                ? PostResult.BAD_LENGTH
                : PostResult.POSTED;
    }

    /** Inline data, behind what is there already. */
    void inline(MemorySegment from, long offset, int length) {
        if (hasFailed()) {
            return;
        }
        if (!isInRequest() || sges > 0) {
            fail(PostResult.BAD_SEQUENCE);
        } else if (opcode >= Abi.WrOpcode.RDMA_READ) {
            fail(PostResult.NOT_SUPPORTED);
        } else if (length < 0) {
            fail(PostResult.BAD_LENGTH);
        } else if (length > maxInline - inlined) {
            fail(PostResult.INLINE_TOO_LARGE);
        } else {
            Raw.copy(from, offset, inlineAddress() + inlined, length);
            isInline = true;
            inlined += length;
        }
    }

    private long inlineAddress() {
        return inlineData + place() * inlineStride;
    }

    /** Inline data is a piece of memory too, one that the library copies. */
    @Override
    protected PostResult finish() {
        if (isAtomic() && sges != 1) {
            return PostResult.BAD_LENGTH;
        }
        int sendFlags = flags;
        if (isInline) {
            isInline = false;
            putSge(0, inlineAddress(), inlined);
            sendFlags |= Abi.SendWr.INLINE;
        }
        Raw.putInt(request + Abi.SendWr.SEND_FLAGS, sendFlags);
        return super.finish();
    }

    @Override
    protected int post(long first) {
        ExtendedSends calls = extended;
        if (calls == null || !ExtendedSends.takes(first)) {
            return Calls.post(postSend, qp, first, bad());
        }
        Raw.putLong(bad(), 0);
        return calls.post(first);
    }
}
