package org.ringside.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Flow;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/**
 * One work request of a send queue, loaded from wherever it was posted. A {@link SendSource} fills
 * it after {@link #clear()}; its owner keeps it until the request completed, since it may have to
 * be sent again. Immediate data and keys are as they stand on the wire.
 */
public final class SendRequest {
    /** What is asked for. */
    public enum Kind {
        SEND(WcOpcode.SEND),
        SEND_IMMEDIATE(WcOpcode.SEND),
        SEND_INVALIDATE(WcOpcode.SEND),
        WRITE(WcOpcode.RDMA_WRITE),
        WRITE_IMMEDIATE(WcOpcode.RDMA_WRITE),
        READ(WcOpcode.RDMA_READ),
        COMPARE_SWAP(WcOpcode.COMP_SWAP),
        FETCH_ADD(WcOpcode.FETCH_ADD),
        LOCAL_INVALIDATE(WcOpcode.LOCAL_INV),
        BIND(WcOpcode.BIND_MW);

        private final WcOpcode completion;

        Kind(WcOpcode completion) {
            this.completion = completion;
        }

        /** How its completion is called. */
        public WcOpcode completion() {
            return completion;
        }

        /** READ or atomic: takes one of the responder's resources. */
        boolean isReadOrAtomic() {
            return this == READ || isAtomic();
        }

        boolean isAtomic() {
            return this == COMPARE_SWAP || this == FETCH_ADD;
        }

        boolean isSend() {
            return this == SEND || this == SEND_IMMEDIATE || this == SEND_INVALIDATE;
        }

        /** Needs no packet. */
        boolean isLocal() {
            return this == LOCAL_INVALIDATE || this == BIND;
        }
    }

    /** For the owner of the queue: his number of it. */
    public long id;

    /** For the owner of the queue: where in his ring it lies. */
    public int index;

    /** What is asked for. */
    public Kind kind = Kind.SEND;

    /** Whether success makes a completion; for the owner of the queue. */
    public boolean signaled;

    /** The receiver's completion is a solicited one. */
    public boolean solicited;

    /** Waits for all earlier READs and atomics. */
    public boolean fence;

    /** Immediate data, or the key to invalidate. */
    public int immediate;

    /** WRITE, READ, atomics: address at the peer. */
    public long remoteAddress;

    /** WRITE, READ, atomics: key at the peer. */
    public int rkey;

    /** Atomics. */
    public long swapOrAdd;

    /** Compare and swap. */
    public long compare;

    /** UD: where to. */
    public @Nullable Flow flow;

    /** UD: whom to. */
    public int destinationQp;

    /** UD: with which Q_Key. */
    public int qkey;

    /** BIND: the window's new key. */
    public int windowKey;

    /** BIND: the region's key. */
    public int regionKey;

    /** BIND: rights of {@link Memory}. */
    public int windowRights;

    /** BIND: bytes from {@link #remoteAddress} on. */
    public long windowLength;

    /** Bytes in {@link #inlineData()}; -1 when the data is in {@link #sges()}. */
    public int inlineLength;

    private final SgeList sges;
    private final MemorySegment inlineData;

    // The requester's own
    long firstPsn;
    long lastPsn;
    long length;
    boolean counted;
    WcStatus failure = WcStatus.SUCCESS;

    /**
     * @param maxSges entries of its list
     * @param maxInline bytes of inline data
     */
    public SendRequest(int maxSges, int maxInline) {
        sges = new SgeList(maxSges);
        inlineData = Arena.ofAuto().allocate(Math.max(maxInline, 1), 8);
        clear();
    }

    /** To the state in which a source fills it. */
    public void clear() {
        id = 0;
        index = 0;
        kind = Kind.SEND;
        signaled = false;
        solicited = false;
        fence = false;
        immediate = 0;
        remoteAddress = 0;
        rkey = 0;
        swapOrAdd = 0;
        compare = 0;
        flow = null;
        inlineLength = -1;
        sges.clear();
        counted = false;
        failure = WcStatus.SUCCESS;
    }

    /** Where its data is, unless inline. */
    public SgeList sges() {
        return sges;
    }

    /** Room for inline data. */
    public MemorySegment inlineData() {
        return inlineData;
    }

    /** Bytes of its message. */
    public long length() {
        return inlineLength >= 0 ? inlineLength : sges.total();
    }

    /** Copies bytes of the message; false when memory refuses. */
    boolean gather(Memory memory, RoceQp qp, long skip, MemorySegment into, long at, int bytes) {
        if (inlineLength >= 0) {
            MemorySegment.copy(inlineData, skip, into, at, bytes);
            return true;
        }
        return sges.gather(memory, qp, skip, into, at, bytes);
    }

    @Override
    public String toString() {
        return "%s of %d B, PSN 0x%x to 0x%x".formatted(kind, length, firstPsn, lastPsn);
    }
}
