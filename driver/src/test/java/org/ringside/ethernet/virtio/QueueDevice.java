package org.ringside.ethernet.virtio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The device's side of a queue, as virtio 1.2 has it in 2.7.13, 2.7.14 and 2.8.21; written against
 * the specification, not against the driver.
 */
interface QueueDevice {
    /** A buffer that was offered. */
    record Buffer(int id, long address, int length, boolean write) {}

    /** Buffers that were offered since the last call. */
    List<Buffer> collect();

    /** Gives a buffer back. */
    void use(int id, int length);

    /** Whether notifications are wanted. */
    void quiet(boolean quiet);

    /** 2.7. */
    final class Split implements QueueDevice {
        private final MemorySegment ring;
        private final int size;
        private final int avail;
        private final int used;
        private int seen;
        private int given;

        Split(MemorySegment ring, int size) {
            this.ring = ring;
            this.size = size;
            this.avail = 16 * size;
            this.used = (16 * size + 6 + 2 * size + 3) / 4 * 4;
        }

        @Override
        public List<Buffer> collect() {
            List<Buffer> found = new ArrayList<>();
            int index = ring.get(JAVA_SHORT, avail + 2) & 0xffff;
            while (seen != index) {
                int id = ring.get(JAVA_SHORT, avail + 4 + 2L * (seen % size)) & 0xffff;
                long d = 16L * id;
                int flags = ring.get(JAVA_SHORT, d + 12);
                found.add(
                        new Buffer(
                                id,
                                ring.get(JAVA_LONG, d),
                                ring.get(JAVA_INT, d + 8),
                                (flags & 2) != 0));
                seen = seen + 1 & 0xffff;
            }
            return found;
        }

        @Override
        public void use(int id, int length) {
            long entry = used + 4 + 8L * (given % size);
            ring.set(JAVA_INT, entry, id);
            ring.set(JAVA_INT, entry + 4, length);
            given = given + 1 & 0xffff;
            ring.set(JAVA_SHORT, used + 2, (short) given);
        }

        /** Says that so many more came back, without saying which. */
        void jump(int count) {
            ring.set(JAVA_SHORT, used + 2, (short) (given + count));
        }

        @Override
        public void quiet(boolean quiet) {
            ring.set(JAVA_SHORT, used, (short) (quiet ? 1 : 0));
        }
    }

    /** 2.8. */
    final class Packed implements QueueDevice {
        private final MemorySegment ring;
        private final int size;
        private int next;
        private boolean wrap = true;
        private int give;
        private boolean giveWrap = true;

        Packed(MemorySegment ring, int size) {
            this.ring = ring;
            this.size = size;
        }

        @Override
        public List<Buffer> collect() {
            List<Buffer> found = new ArrayList<>();
            while (true) {
                long d = 16L * next;
                int flags = ring.get(JAVA_SHORT, d + 14) & 0xffff;
                boolean available = (flags >> 7 & 1) == 1;
                boolean used = (flags >> 15 & 1) == 1;
                if (available != wrap || used == wrap) {
                    return found;
                }
                found.add(
                        new Buffer(
                                ring.get(JAVA_SHORT, d + 12) & 0xffff,
                                ring.get(JAVA_LONG, d),
                                ring.get(JAVA_INT, d + 8),
                                (flags & 2) != 0));
                next = (next + 1) % size;
                wrap ^= next == 0;
            }
        }

        @Override
        public void use(int id, int length) {
            long d = 16L * give;
            ring.set(JAVA_SHORT, d + 12, (short) id);
            ring.set(JAVA_INT, d + 8, length);
            ring.set(JAVA_SHORT, d + 14, (short) (giveWrap ? 1 << 7 | 1 << 15 : 0));
            give = (give + 1) % size;
            giveWrap ^= give == 0;
        }

        @Override
        public void quiet(boolean quiet) {
            ring.set(JAVA_SHORT, 16L * size + 4 + 2, (short) (quiet ? 1 : 0));
        }
    }
}
