package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.WqeLayout;

/** A shared receive queue as software handles it: a list of free WQEs, from head to tail. */
final class TestSrq {
    private static final int STRIDE = 64;

    final MemorySegment ring;
    final MemorySegment record;
    final SrqState state;
    private final int size;
    private int head;
    private int tail;
    private int posted;

    TestSrq(Node node, int logSize) {
        this(node, logSize, Node.PD, SrqState.NO_XRCD, SrqState.NO_USER_INDEX, null);
    }

    TestSrq(Node node, int logSize, int pd, int xrcd, int userIndex, @Nullable TestCq cq) {
        size = 1 << logSize;
        tail = size - 1;
        long bytes = Math.max(0x1000, (long) STRIDE << logSize);
        ring = node.arena.allocate(bytes, 0x1000);
        record = node.arena.allocate(0x1000, 0x1000);
        for (int i = 0; i < size; i++) {
            link(i, i + 1 & size - 1);
        }
        state =
                new SrqState(
                        node.number(),
                        pd,
                        xrcd,
                        userIndex,
                        cq == null ? null : cq.state,
                        Node.pages(node.map(ring, false), bytes),
                        logSize,
                        STRIDE,
                        node.map(record, false));
        node.engine.add(state);
    }

    private void link(int index, int next) {
        BigEndian.putInt(ring, (long) index * STRIDE, next);
    }

    /** Posts a receive of one piece; returns the index of its WQE. */
    int receive(Node.Buffer buffer, long offset, long bytes) {
        int index = head;
        long at = (long) index * STRIDE + 16;
        BigEndian.putInt(ring, at, (int) bytes);
        BigEndian.putInt(ring, at + 4, buffer.key());
        BigEndian.putLong(ring, at + 8, buffer.iova() + offset);
        BigEndian.putInt(ring, at + 16, 0);
        BigEndian.putInt(ring, at + 20, WqeLayout.TERMINATE_LKEY);
        head = BigEndian.getInt(ring, (long) index * STRIDE);
        posted = posted + 1 & 0xffff;
        BigEndian.setRelease(record, 0, posted);
        return index;
    }

    /** A completed WQE is free again: it becomes the last of the list. */
    void free(int index) {
        link(tail, index);
        tail = index;
    }
}
