package org.ringside.emulator.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.WqeLayout;
import org.ringside.mlx5.layout.WqeOpcode;

/**
 * Random operations in both directions against plain arrays that do the same. Batches end with a
 * look at both memories; what depends on an answer is fenced.
 */
class RandomOperationsTest {
    private static final int BYTES = 16 << 10;
    private static final int RECEIVE_SLOTS = 1 << Rig.LOG_RQ;

    /** One side, and what its memory should hold. */
    private static final class Side {
        final TestQp qp;
        final Node.Buffer buffer;
        final byte[] expected = new byte[BYTES];

        Side(TestQp qp, Random random) {
            this.qp = qp;
            this.buffer = qp.node.buffer(BYTES);
            random.nextBytes(expected);
            MemorySegment.copy(expected, 0, buffer.segment(), JAVA_BYTE, 0, BYTES);
        }

        void check(long seed, int operation) {
            long mismatch = buffer.segment().asSlice(0, BYTES).mismatch(of(this));
            if (mismatch >= 0) {
                throw new AssertionError(
                        "seed %d, operation %d: byte 0x%x".formatted(seed, operation, mismatch));
            }
        }

        static MemorySegment of(Side side) {
            return MemorySegment.ofArray(side.expected);
        }
    }

    private final byte[] copy = new byte[BYTES];
    private int completions;

    private void move(Side from, int source, Side to, int target, int bytes) {
        System.arraycopy(from.expected, source, copy, 0, bytes);
        System.arraycopy(copy, 0, to.expected, target, bytes);
    }

    private static int place(Random random, int bytes) {
        return random.nextInt(BYTES - bytes + 1);
    }

    private void operation(Random random, Side from, Side to) {
        int bytes = random.nextInt(4) == 0 ? random.nextInt(BYTES) : random.nextInt(200);
        int local = place(random, bytes);
        int remote = place(random, bytes);
        int signal = random.nextBoolean() ? WqeLayout.CTRL_CQ_UPDATE : 0;
        completions += signal == 0 ? 0 : 1;
        int flags = signal | WqeLayout.CTRL_FENCE;
        switch (random.nextInt(6)) {
            case 0 -> {
                gather(from.qp.start(WqeOpcode.RDMA_WRITE, flags).remote(to.buffer, remote), from)
                        .pieces(random, local, bytes);
                move(from, local, to, remote, bytes);
            }
            case 1 -> {
                gather(from.qp.start(WqeOpcode.RDMA_READ, flags).remote(to.buffer, remote), from)
                        .pieces(random, local, bytes);
                move(to, remote, from, local, bytes);
            }
            case 2 -> {
                to.qp.receive(to.buffer, remote, Math.max(bytes, 1));
                gather(from.qp.start(WqeOpcode.SEND_IMM, flags).imm(bytes), from)
                        .pieces(random, local, bytes);
                move(from, local, to, remote, bytes);
            }
            case 3 -> {
                byte[] data = new byte[bytes % 200];
                random.nextBytes(data);
                to.qp.receive(0x100, 0, 0);
                from.qp
                        .start(WqeOpcode.RDMA_WRITE_IMM, flags)
                        .remote(to.buffer, remote % (BYTES - 200))
                        .inline(data);
                System.arraycopy(data, 0, to.expected, remote % (BYTES - 200), data.length);
            }
            case 4 -> atomic(random, from, to, WqeOpcode.ATOMIC_FA, flags);
            default -> atomic(random, from, to, WqeOpcode.ATOMIC_CS, flags);
        }
        from.qp.post();
    }

    private record Gather(TestQp qp, Side side) {
        /** In one piece or in three. */
        void pieces(Random random, int at, int bytes) {
            if (bytes < 3 || random.nextBoolean()) {
                if (bytes > 0) {
                    qp.sge(side.buffer, at, bytes);
                }
                return;
            }
            int first = 1 + random.nextInt(bytes - 2);
            int second = 1 + random.nextInt(bytes - first - 1);
            qp.sge(side.buffer, at, first)
                    .sge(side.buffer, at + first, second)
                    .sge(side.buffer, at + first + second, bytes - first - second);
        }
    }

    private static Gather gather(TestQp qp, Side side) {
        return new Gather(qp, side);
    }

    private static void atomic(Random random, Side from, Side to, int opcode, int flags) {
        int remote = random.nextInt(BYTES / 8) * 8;
        int local = random.nextInt(BYTES / 8) * 8;
        MemorySegment there = Side.of(to);
        long before = there.get(JAVA_LONG.withByteAlignment(1), remote);
        long compare = random.nextBoolean() ? before : random.nextLong();
        long operand = random.nextLong();
        from.qp
                .start(opcode, flags)
                .remote(to.buffer, remote)
                .atomic(operand, compare)
                .sge(from.buffer, local, 8);
        if (opcode == WqeOpcode.ATOMIC_FA) {
            there.set(JAVA_LONG.withByteAlignment(1), remote, before + operand);
        } else if (before == compare) {
            there.set(JAVA_LONG.withByteAlignment(1), remote, operand);
        }
        Side.of(from).set(JAVA_LONG.withByteAlignment(1), local, before);
    }

    @ParameterizedTest
    @CsvSource({
        "LOOPBACK, 1, 30000",
        "OWN_GID, 2, 30000",
        "TWO_FUNCTIONS, 3, 100000",
        "UNMAPPED_MEMORY, 4, 30000"
    })
    void shouldDoAsPlainArraysDo(Topology topology, long seed, int operations) {
        Random random = new Random(seed);
        try (Rig rig = new Rig(topology, 7)) {
            Side left = new Side(rig.left, random);
            Side right = new Side(rig.right, random);
            int received = 0;
            for (int done = 0; done < operations; ) {
                // One direction at a time, as the order of two directions is nobody's promise.
                Side from = random.nextBoolean() ? left : right;
                Side to = from == left ? right : left;
                int batch = 1 + random.nextInt(4); // 6 blocks each at most, of 32.
                completions = 0;
                for (int i = 0; i < batch; i++) {
                    operation(random, from, to);
                }
                from.qp.ring();
                rig.run();
                int completed = from.qp.sendCq.drain().size();
                received += to.qp.receiveCq.drain().size();
                done += batch;
                if (completed != completions) {
                    throw new AssertionError(
                            "seed %d, operation %d: %d of %d completions; %s %s"
                                    .formatted(
                                            seed,
                                            done,
                                            completed,
                                            completions,
                                            rig.a.findings,
                                            rig.b.findings));
                }
                left.check(seed, done);
                right.check(seed, done);
            }
            assertThat(received).isGreaterThan(operations / 4);
            assertThat(rig.a.findings).isEmpty();
            assertThat(rig.b.findings).isEmpty();
            assertThat(RECEIVE_SLOTS).isGreaterThanOrEqualTo(4);
        }
    }
}
