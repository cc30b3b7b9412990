package org.ringside.vfio.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeAllocatorTest {
    private final RangeAllocator allocator = new RangeAllocator();

    @Test
    void shouldTakeTheLowestPieceThatFits() {
        allocator.release(0x1000, 0x1000);
        allocator.release(0x4000, 0x4000);
        assertThat(allocator.allocate(0x2000, 0x1000, 0)).isEqualTo(0x4000);
        assertThat(allocator.allocate(0x1000, 0x1000, 0)).isEqualTo(0x1000);
        assertThat(allocator.allocate(0x1000, 0x1000, 0)).isEqualTo(0x6000);
        assertThat(allocator.allocate(0x2000, 0x1000, 0)).isEqualTo(-1);
    }

    @Test
    void shouldMeetTheRemainderThatIsAskedFor() {
        allocator.release(0x1000, 1L << 32);
        assertThat(allocator.allocate(0x3000, 0x200000, 0x7f0000123000L)).isEqualTo(0x123000);
        assertThat(allocator.allocate(0x3000, 0x200000, 0x7f0000123000L)).isEqualTo(0x323000);
    }

    @Test
    void shouldTakeAParticularPieceOnce() {
        allocator.release(0x1000, 0x10000);
        assertThat(allocator.allocateAt(0x3000, 0x2000)).isTrue();
        assertThat(allocator.allocateAt(0x4000, 0x2000)).isFalse();
        assertThat(allocator.allocateAt(0x10000, 0x2000)).isFalse();
        assertThat(allocator.allocateAt(0x5000, 0xc000)).isTrue();
    }

    @Test
    void shouldNotOverflowAtTheEndOfTheNumbers() {
        allocator.release(Long.MAX_VALUE - 0xffff, 0xffff);
        assertThat(allocator.allocate(0x1000, 1L << 62, 0)).isEqualTo(-1);
        assertThat(allocator.allocate(Long.MAX_VALUE, 1, 0)).isEqualTo(-1);
        assertThat(allocator.allocateAt(Long.MAX_VALUE - 1, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldRefuseWhatIsFreeAlready() {
        allocator.release(0x1000, 0x1000);
        assertThatThrownBy(() -> allocator.release(0x1800, 0x1000))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("[0x1800, 0x2800) is free already");
        assertThatThrownBy(() -> allocator.release(0x0, 0x4000))
                .isInstanceOf(IllegalStateException.class);
    }

    /**
     * Random use, checked against a bitmap: no overlap, right remainder, nothing lost, one piece at
     * the end.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 20_260_101, 987_654_321})
    void shouldBehaveAsABitmapWould(long seed) {
        Random random = new Random(seed);
        int total = 4096;
        RangeAllocator ranges = new RangeAllocator();
        ranges.release(0, total);
        BitSet used = new BitSet(total);
        record Piece(int start, int size) {}
        List<Piece> pieces = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (pieces.isEmpty() || random.nextInt(100) < 52) {
                int size = 1 + random.nextInt(64);
                int modulus = 1 << random.nextInt(8);
                int remainder = random.nextInt(1 << 20);
                int start = (int) ranges.allocate(size, modulus, remainder);
                assertThat(start).isEqualTo(firstFit(used, total, size, modulus, remainder));
                if (start >= 0) {
                    used.set(start, start + size);
                    pieces.add(new Piece(start, size));
                }
            } else {
                Piece piece = pieces.remove(random.nextInt(pieces.size()));
                used.clear(piece.start, piece.start + piece.size);
                ranges.release(piece.start, piece.size);
            }
            assertThat(ranges.available()).isEqualTo(total - used.cardinality());
        }
        for (Piece piece : pieces) {
            ranges.release(piece.start, piece.size);
        }
        assertThat(ranges.fragments()).isEqualTo(1);
        assertThat(ranges.allocate(total, 1, 0)).isZero();
    }

    private static int firstFit(BitSet used, int total, int size, int modulus, int remainder) {
        for (int start = 0; start + size <= total; start++) {
            int next = used.nextSetBit(start);
            boolean fits = next < 0 || next >= start + size;
            if (fits && (start - remainder & modulus - 1) == 0) {
                return start;
            }
        }
        return -1;
    }
}
