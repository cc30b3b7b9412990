package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class WqeDecoderTest {
    private static final int BLOCKS = 4;
    private static final long BASE = 64;

    private final MemorySegment ring =
            MemorySegment.ofArray(new byte[(int) BASE + BLOCKS * WqeLayout.WQEBB]);

    private void ctrl(int index, int opcode, int ds, int flags) {
        long at = BASE + (long) (index % BLOCKS) * WqeLayout.WQEBB;
        ring.set(Field.BE32, at, WqeLayout.opmodIdxOpcode(0, index, opcode));
        ring.set(Field.BE32, at + 4, WqeLayout.qpnDs(0x15, ds));
        ring.set(JAVA_BYTE, at + WqeLayout.CTRL_FM_CE_SE, (byte) flags);
    }

    private void words(long unit, long first, long second) {
        long at = BASE + unit % (BLOCKS * 4) * WqeLayout.DS;
        ring.set(Field.BE64, at, first);
        ring.set(Field.BE64, at + 8, second);
    }

    private String send(int index) {
        return WqeDecoder.send(ring, BASE, BLOCKS, index, ServiceType.RC);
    }

    @Test
    void shouldCountBlocks() {
        assertThat(WqeLayout.blocks(1)).isEqualTo(1);
        assertThat(WqeLayout.blocks(4)).isEqualTo(1);
        assertThat(WqeLayout.blocks(5)).isEqualTo(2);
        assertThat(WqeLayout.blocks(WqeLayout.MAX_DS)).isEqualTo(16);
    }

    @Test
    void shouldDecodeWrite() {
        ctrl(1, WqeOpcode.RDMA_WRITE, 3, WqeLayout.CTRL_CQ_UPDATE);
        words(5, 0x7f00_1000L, 0x1201L << 32);
        words(6, 64L << 32 | 0x1301, 0x7f00_2000L);

        assertThat(send(1))
                .isEqualTo(
                        "WQE RDMA_WRITE(0x8) index=1 qpn=0x15 ds=3 flags=0x8[cqe]{"
                                + " raddr=0x7f001000 rkey=0x1201"
                                + " sge{addr=0x7f002000 len=64 lkey=0x1301}}");
    }

    @Test
    void shouldDecodeAtomicsWithFence() {
        ctrl(0, WqeOpcode.ATOMIC_CS, 4, WqeLayout.CTRL_CQ_UPDATE | WqeLayout.CTRL_FENCE);
        words(1, 0x1000, 0x9L << 32);
        words(2, 5, 4);
        words(3, 8L << 32 | 0xa, 0x2000);

        assertThat(send(0))
                .contains("flags=0x48[cqe fence]")
                .contains(" raddr=0x1000 rkey=0x9 swap=0x5 compare=0x4")
                .contains(" sge{addr=0x2000 len=8 lkey=0xa}");

        ctrl(0, WqeOpcode.ATOMIC_FA, 4, 0);
        assertThat(send(0)).contains(" add=0x5 sge{");
    }

    @Test
    void shouldFollowInlineDataOverTheEndOfTheRing() {
        ctrl(7, WqeOpcode.SEND, 6, WqeLayout.CTRL_CQ_UPDATE_AND_EQE | WqeLayout.CTRL_SOLICITED);
        long at = BASE + 3 * WqeLayout.WQEBB + WqeLayout.DS;
        ring.set(Field.BE32, at, WqeLayout.INLINE_FLAG | 50);
        for (int i = 0; i < 12; i++) {
            ring.set(JAVA_BYTE, at + 4 + i, (byte) i);
        }
        words(15, 0, 0);
        words(13 + 1, 0x0c0d_0e0f_1011_1213L, 0);
        // The inline segment takes units 13 to 16; 16 is the first of the ring, and 17 has an SGE.
        words(17, 32L << 32 | 0x77, 0x3000);

        assertThat(send(7))
                .isEqualTo(
                        "WQE SEND(0xa) index=7 qpn=0x15 ds=6 flags=0xe[cqe+eqe solicited]{"
                                + " inline[50]=000102030405060708090a0b0c0d0e0f..."
                                + " sge{addr=0x3000 len=32 lkey=0x77}}");
    }

    @Test
    void shouldDecodeAddressOfDatagrams() {
        ctrl(0, WqeOpcode.SEND, 5, 0);
        words(1, 0x1111_1111L << 32, (0x8000_0000L | 0x33) << 32);
        words(4, 16L << 32 | 0x5, 0x4000);

        assertThat(WqeDecoder.send(ring, BASE, BLOCKS, 0, ServiceType.UD))
                .contains("av{dqpn=0x33 qkey=0x11111111} sge{addr=0x4000 len=16 lkey=0x5}");
    }

    @Test
    void shouldSayWhereAWqeMakesNoSense() {
        ctrl(0, WqeOpcode.SEND, 2, 0);
        ring.set(Field.BE32, BASE + 16, WqeLayout.INLINE_FLAG | 500);
        assertThat(send(0)).contains("inline[500]=").contains("MORE THAN THE WQE");

        ctrl(0, WqeOpcode.SEND, 63, 0);
        assertThat(send(0)).contains("MORE THAN THE RING");
    }

    @Test
    void shouldPrintAnyGarbage() {
        Random random = new Random(7);
        byte[] garbage = new byte[BLOCKS * WqeLayout.WQEBB];
        for (int round = 0; round < 2_000; round++) {
            random.nextBytes(garbage);
            MemorySegment.copy(garbage, 0, ring, JAVA_BYTE, BASE, garbage.length);
            assertThat(WqeDecoder.send(ring, BASE, BLOCKS, round, round % 16)).startsWith("WQE ");
            assertThat(WqeDecoder.receive(ring, BASE, WqeLayout.WQEBB)).startsWith("WQE RECV{");
        }
    }

    @Test
    void shouldDecodeReceiveUpToTheTerminator() {
        words(0, 100L << 32 | 0x12, 0x5000);
        words(1, 200L << 32 | 0x13, 0x6000);
        words(2, WqeLayout.TERMINATE_LKEY, 0);
        words(3, 300L << 32 | 0x14, 0x7000);

        assertThat(WqeDecoder.receive(ring, BASE, 64))
                .isEqualTo(
                        "WQE RECV{ sge{addr=0x5000 len=100 lkey=0x12}"
                                + " sge{addr=0x6000 len=200 lkey=0x13}}");
    }
}
