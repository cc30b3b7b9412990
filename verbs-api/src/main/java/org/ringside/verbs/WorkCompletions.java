package org.ringside.verbs;

/**
 * Caller's storage for a batch of completions, filled by {@link CompletionQueue#poll}. Made once,
 * used for ever; arrays by field so that a poll makes no objects.
 *
 * <p>Not thread safe. Entries {@code 0} to {@code size() - 1} are valid until the next poll into
 * it.
 */
public final class WorkCompletions {
    private final long[] wrId;
    private final byte[] status;
    private final byte[] opcode;
    private final boolean[] withImm;
    private final int[] vendorError;
    private final long[] byteLength;
    private final int[] immediate;
    private final int[] qpNumber;
    private final int[] sourceQp;
    private final boolean[] withGrh;
    private int size;

    /**
     * @param capacity completions that one poll can take, at least 1
     */
    public WorkCompletions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + ", expected at least 1");
        }
        wrId = new long[capacity];
        status = new byte[capacity];
        opcode = new byte[capacity];
        withImm = new boolean[capacity];
        vendorError = new int[capacity];
        byteLength = new long[capacity];
        immediate = new int[capacity];
        qpNumber = new int[capacity];
        sourceQp = new int[capacity];
        withGrh = new boolean[capacity];
    }

    public int capacity() {
        return wrId.length;
    }

    /** Completions that the last poll brought. */
    public int size() {
        return size;
    }

    /** The caller's number of the work request. */
    public long wrId(int index) {
        return wrId[index];
    }

    public WcStatus status(int index) {
        return WcStatus.of(status[index]);
    }

    /** Meaningful only on success. */
    public WcOpcode opcode(int index) {
        return WcOpcode.of(opcode[index]);
    }

    /** Bytes received, or read; for a receive and a READ, on success. */
    public long byteLength(int index) {
        return byteLength[index];
    }

    /** Whether {@link #immediate} is there. */
    public boolean hasImmediate(int index) {
        return withImm[index];
    }

    /** Immediate data as the sender gave it. */
    public int immediate(int index) {
        return immediate[index];
    }

    /** Number of the local QP. */
    public int qpNumber(int index) {
        return qpNumber[index];
    }

    /** As {@link CompletionQueue#sourceQp()}. */
    public int sourceQp(int index) {
        return sourceQp[index];
    }

    /** As {@link CompletionQueue#hasGrh()}. */
    public boolean hasGrh(int index) {
        return withGrh[index];
    }

    /** The device's own error code; 0 on success. */
    public int vendorError(int index) {
        return vendorError[index];
    }

    /** For providers: empties the storage before a poll. */
    public void clear() {
        size = 0;
    }

    /** For providers: appends the completion that the cursor of a CQ stands at. */
    public void append(
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            long byteLength,
            boolean withImm,
            int immediate,
            int qpNumber,
            int vendorError) {
        int i = size;
        this.wrId[i] = wrId;
        this.status[i] = (byte) status.ordinal();
        this.opcode[i] = (byte) opcode.ordinal();
        this.byteLength[i] = byteLength;
        this.withImm[i] = withImm;
        this.immediate[i] = immediate;
        this.qpNumber[i] = qpNumber;
        this.vendorError[i] = vendorError;
        sourceQp[i] = 0;
        withGrh[i] = false;
        size = i + 1;
    }

    /** For providers: what the completion appended last tells of a datagram. */
    public void datagram(int sourceQp, boolean hasGrh) {
        this.sourceQp[size - 1] = sourceQp;
        withGrh[size - 1] = hasGrh;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("WorkCompletions[");
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ", ")
                    .append("wr_id 0x")
                    .append(Long.toHexString(wrId[i]))
                    .append(' ')
                    .append(status(i));
            if (status(i) == WcStatus.SUCCESS) {
                text.append(' ').append(opcode(i)).append(' ').append(byteLength[i]).append(" B");
            } else {
                text.append(" vendor 0x").append(Integer.toHexString(vendorError[i]));
            }
            text.append(" qp 0x").append(Integer.toHexString(qpNumber[i]));
        }
        return text.append(']').toString();
    }
}
