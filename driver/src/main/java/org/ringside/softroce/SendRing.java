package org.ringside.softroce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.SendRequest;
import org.ringside.roce.SendRequest.Kind;
import org.ringside.roce.SendSource;
import org.ringside.roce.packet.Flow;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;

/** The send half of a QP: what a request asks for, and inline data, beside its list. */
final class SendRing extends WorkRing implements SendSource {
    private static final Kind[] KINDS = Kind.values();

    /** Inline length of a request that has no inline data. */
    private static final int NOT_INLINE = -1;

    private final int maxInline;
    private final int alwaysFlags;
    private final boolean datagrams;

    // One entry for each slot
    private final byte[] kinds;
    private final byte[] flags;
    private final int[] immediates;
    private final int[] rkeys;
    private final long[] remotes;
    private final long[] operands;
    private final long[] compares;
    private final int[] inlineLengths;
    private final @Nullable Flow[] flows;
    private final int[] remoteQps;
    private final int[] remoteQkeys;
    private final MemorySegment inlineData;

    /** Of the request being built. */
    private Kind kind = Kind.SEND;

    /**
     * @param slots a power of two
     * @param datagrams whether each request says where it goes
     */
    SendRing(
            int slots,
            int maxSges,
            int maxInline,
            long maxMessage,
            boolean signalAll,
            boolean datagrams) {
        super(slots, maxSges, maxMessage);
        this.datagrams = datagrams;
        this.maxInline = maxInline;
        this.alwaysFlags = signalAll ? SendFlags.SIGNALED : SendFlags.NONE;
        kinds = new byte[slots];
        flags = new byte[slots];
        immediates = new int[slots];
        rkeys = new int[slots];
        remotes = new long[slots];
        operands = new long[slots];
        compares = new long[slots];
        inlineLengths = new int[slots];
        flows = new @Nullable Flow[datagrams ? slots : 0];
        remoteQps = new int[flows.length];
        remoteQkeys = new int[flows.length];
        inlineData = Arena.ofAuto().allocate(Math.max((long) slots * maxInline, 1), 8);
    }

    // ---- poster

    /** Ends the request before and begins one. */
    void begin(Kind what, long wrId, int withFlags, int immediate) {
        if (!beginSlot(wrId)) {
            return;
        }
        kind = what;
        kinds[slot] = (byte) what.ordinal();
        flags[slot] = (byte) (withFlags | alwaysFlags);
        immediates[slot] = immediate;
        inlineLengths[slot] = NOT_INLINE;
        if (datagrams) {
            flows[slot] = null;
            if (what != Kind.SEND && what != Kind.SEND_IMMEDIATE) {
                fail(PostResult.NOT_SUPPORTED);
            }
        }
    }

    /** Where the datagram just begun goes. */
    void to(Flow flow, int remoteQp, int remoteQkey) {
        if (hasFailed()) {
            return;
        }
        if (!isOpen() || !datagrams) {
            fail(PostResult.BAD_SEQUENCE);
            return;
        }
        flows[slot] = flow;
        remoteQps[slot] = remoteQp;
        remoteQkeys[slot] = remoteQkey;
    }

    /** Memory of the peer, for the request just begun. */
    void remote(int rkey, long address) {
        if (!hasFailed()) {
            rkeys[slot] = rkey;
            remotes[slot] = address;
        }
    }

    /** Memory of the peer and operands, for the atomic just begun. */
    void atomic(int rkey, long address, long swapOrAdd, long compare) {
        if (hasFailed()) {
            return;
        }
        if ((address & 7) != 0) {
            fail(PostResult.BAD_LENGTH);
            return;
        }
        remote(rkey, address);
        operands[slot] = swapOrAdd;
        compares[slot] = compare;
    }

    @Override
    void sge(int lkey, long address, long length) {
        if (!hasFailed() && isOpen() && inlineLengths[slot] != NOT_INLINE) {
            fail(PostResult.BAD_SEQUENCE);
        }
        super.sge(lkey, address, length);
    }

    @Override
    protected boolean isBadPiece(long address, long length) {
        return isAtomic() && (length != Long.BYTES || (address & 7) != 0);
    }

    /** Inline data, behind what is there already. */
    void inline(MemorySegment from, long offset, int length) {
        if (hasFailed()) {
            return;
        }
        if (!isOpen() || pieces() > 0) {
            fail(PostResult.BAD_SEQUENCE);
            return;
        }
        if (isAtomic() || kind == Kind.READ) {
            fail(PostResult.NOT_SUPPORTED);
            return;
        }
        int before = Math.max(inlineLengths[slot], 0);
        if (length < 0) {
            fail(PostResult.BAD_LENGTH);
        } else if (length > maxInline - before) {
            fail(PostResult.INLINE_TOO_LARGE);
        } else {
            MemorySegment.copy(from, offset, inlineData, (long) slot * maxInline + before, length);
            inlineLengths[slot] = before + length;
        }
    }

    private boolean isAtomic() {
        return kind == Kind.COMPARE_SWAP || kind == Kind.FETCH_ADD;
    }

    @Override
    protected PostResult flaw() {
        if (datagrams && flows[slot] == null) {
            return PostResult.BAD_SEQUENCE;
        }
        return isAtomic() && pieces() != 1 ? PostResult.BAD_LENGTH : PostResult.POSTED;
    }

    // ---- agent

    @Override
    public boolean next(SendRequest into) {
        if (!hasNext()) {
            return false;
        }
        int from = nextSlot();
        into.clear();
        into.id = nextWrId();
        into.index = position();
        into.kind = KINDS[kinds[from]];
        into.signaled = (flags[from] & SendFlags.SIGNALED) != 0;
        into.solicited = (flags[from] & SendFlags.SOLICITED) != 0;
        into.fence = (flags[from] & SendFlags.FENCE) != 0;
        into.immediate = immediates[from];
        into.rkey = rkeys[from];
        into.remoteAddress = remotes[from];
        into.swapOrAdd = operands[from];
        into.compare = compares[from];
        if (datagrams) {
            into.flow = flows[from];
            into.destinationQp = remoteQps[from];
            into.qkey = remoteQkeys[from];
        }
        int inlined = inlineLengths[from];
        if (inlined == NOT_INLINE) {
            copySges(into.sges());
        } else {
            MemorySegment.copy(inlineData, (long) from * maxInline, into.inlineData(), 0, inlined);
            into.inlineLength = inlined;
        }
        take();
        return true;
    }
}
