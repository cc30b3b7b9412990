package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.linux.Abi;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.testing.OpenFiles;

class PooledDmaSpaceTest {
    private static final long BITS_39 = (1L << 39) - 1;
    private static final String NAME = "0000:3b:00.2";

    private final SystemCalls calls = SystemCalls.host();
    private final FakeMapper mapper = new FakeMapper();
    private final DeviceState state = new DeviceState(NAME);
    private final Arena arena = Arena.ofShared();
    private PooledDmaSpace space = space(1000);

    private PooledDmaSpace space(int maxMappings) {
        List<IovaRange> ranges =
                List.of(new IovaRange(0, 0xfedfffffL), new IovaRange(0xfef00000L, BITS_39));
        return new PooledDmaSpace(
                calls,
                new DmaLimits(ranges, 0x40201000L, maxMappings, "Raise aw-bits.", "Map less."),
                mapper,
                state);
    }

    @AfterEach
    void close() {
        space.close();
        arena.close();
    }

    @Test
    void shouldKeepIovaZeroOutOfTheUsableRanges() {
        assertThat(space.usableRanges())
                .containsExactly(
                        new IovaRange(0x1000, 0xfedfffffL), new IovaRange(0xfef00000L, BITS_39));
        assertThat(space.pageSizes()).isEqualTo(0x40201000L);
    }

    @Test
    void shouldPackSmallPiecesIntoOneMapping() throws Exception {
        List<DmaMemory> pieces = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            pieces.add(space.allocate(100, 64));
        }
        assertThat(mapper.maps).isEqualTo(1);
        assertThat(mapper.mapped.getFirst().size()).isEqualTo(2 << 20);
        assertThat(mapper.mapped.getFirst().fd()).isNotNegative();
        assertThat(pieces.stream().map(DmaMemory::iova)).doesNotHaveDuplicates();
        assertThat(pieces).allSatisfy(p -> assertThat(p.iova() % 64).isZero());
        assertThat(pieces).allSatisfy(p -> assertThat(p.segment().address() % 64).isZero());
    }

    @Test
    void shouldShareTheMemoryWithWhoeverMapsItsFile() throws Exception {
        DmaMemory memory = space.allocate(4096, 4096);
        DmaRange range = mapper.mapped.getFirst();
        MemorySegment peer =
                calls.mmap(
                        arena,
                        range.size(),
                        Abi.PROT_READ | Abi.PROT_WRITE,
                        Abi.MAP_SHARED,
                        range.fd(),
                        range.fileOffset());
        memory.segment().set(JAVA_LONG, 8, 42);
        assertThat(peer.get(JAVA_LONG, memory.iova() - range.iova() + 8)).isEqualTo(42);
    }

    @Test
    void shouldZeroAPieceThatWasUsedBefore() throws Exception {
        DmaMemory keeper = space.allocate(64, 64);
        DmaMemory first = space.allocate(4096, 4096);
        first.segment().fill((byte) 0xff);
        long iova = first.iova();
        first.close();
        DmaMemory second = space.allocate(4096, 4096);
        assertThat(second.iova()).isEqualTo(iova);
        assertThat(second.segment().toArray(JAVA_BYTE)).containsOnly(0);
        assertThat(keeper.size()).isEqualTo(64);
    }

    @Test
    void shouldGiveALargePieceAMappingOfItsOwnAndTakeItBack() throws Exception {
        long descriptors = OpenFiles.count();
        DmaMemory large = space.allocate(5 << 20, 4096);
        assertThat(mapper.mapped).hasSize(1);
        DmaRange range = mapper.mapped.getFirst();
        assertThat(range.size()).isGreaterThanOrEqualTo(5 << 20);
        assertThat((range.iova() ^ range.address()) % (8 << 20)).isZero();
        assertThat(large.size()).isEqualTo(5 << 20);
        large.close();
        large.close();
        assertThat(mapper.mapped).isEmpty();
        assertThat(OpenFiles.count()).isEqualTo(descriptors);
        assertThatThrownBy(large::segment)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was given back");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 64, 4096, 65536, 2 << 20, 16 << 20})
    void shouldAlignAddressAndIova(long alignment) throws Exception {
        DmaMemory odd = space.allocate(1, 1);
        DmaMemory memory = space.allocate(100, alignment);
        assertThat(memory.iova() % alignment).isZero();
        assertThat(memory.segment().address() % alignment).isZero();
        assertThat(odd.iova()).isNotZero();
    }

    @Test
    void shouldRefuseSizesAndAlignmentsThatMakeNoSense() {
        assertThatThrownBy(() -> space.allocate(0, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("size 0");
        assertThatThrownBy(() -> space.allocate(64, 48))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("alignment 48 is no power of two");
    }

    @Test
    void shouldMapWholePagesAroundMemoryOfTheApplication() throws Exception {
        MemorySegment memory = arena.allocate(20_000, 8192).asSlice(100, 10_000);
        DmaMapping mapping = space.map(memory, true);
        DmaRange range = mapper.mapped.getFirst();
        assertThat(range.address() % 4096).isZero();
        assertThat(range.size()).isEqualTo(12_288);
        assertThat(range.fd()).isEqualTo(DmaRange.NO_FD);
        assertThat(range.writable()).isTrue();
        assertThat(mapping.iova() - range.iova()).isEqualTo(memory.address() - range.address());
        assertThat(mapping.size()).isEqualTo(10_000);
        assertThat(mapping.alignmentLog2()).isGreaterThanOrEqualTo(14);
        assertThat(memory.address() ^ mapping.iova())
                .satisfies(
                        x ->
                                assertThat(Long.numberOfTrailingZeros(x))
                                        .isEqualTo(mapping.alignmentLog2()));
        mapping.close();
        mapping.close();
        assertThat(mapper.mapped).isEmpty();
        assertThat(space.mappingsAvailable()).isEqualTo(1000);
    }

    @Test
    void shouldRefuseHeapMemoryAndNothing() {
        MemorySegment heap = MemorySegment.ofArray(new byte[100]);
        assertThatThrownBy(() -> space.map(heap, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allocate it from an Arena");
        assertThatThrownBy(() -> space.map(arena.allocate(8).asSlice(8), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 bytes");
    }

    @Test
    void shouldMapAtTheIovaAskedFor() throws Exception {
        MemorySegment memory = arena.allocate(4096, 4096);
        DmaMapping mapping = space.mapAt(0x12345000L, memory, false);
        assertThat(mapping.iova()).isEqualTo(0x12345000L);
        assertThat(mapper.mapped.getFirst().writable()).isFalse();
        assertThatThrownBy(() -> space.mapAt(0x12345000L, memory, false))
                .isInstanceOf(VfioException.class)
                .hasMessageStartingWith(
                        NAME + ": IOVA 0x12345000, 4096 bytes: part of it is mapped")
                .hasMessageContaining("Close that mapping or choose another IOVA");
        mapping.close();
        space.mapAt(0x12345000L, memory, true).close();
    }

    @Test
    void shouldRefuseAnIovaBeyondTheWidthAndNameTheCure() {
        MemorySegment memory = arena.allocate(4096, 4096);
        assertThatThrownBy(() -> space.mapAt(1L << 39, memory, true))
                .isInstanceOf(VfioException.class)
                .hasMessage(
                        NAME
                                + ": IOVA 0x8000000000, 4096 bytes: beyond the 39 bits that the"
                                + " IOMMU translates (last address 0x7fffffffff). Raise aw-bits.");
        assertThatThrownBy(() -> space.mapAt(-4096, memory, true))
                .hasMessageContaining("beyond the 39 bits");
        assertThat(mapper.maps).isZero();
    }

    @Test
    void shouldRefuseReservedWindowsZeroAndDisagreement() {
        MemorySegment memory = arena.allocate(8192, 4096);
        assertThatThrownBy(() -> space.mapAt(0xfee00000L, memory, true))
                .hasMessageContaining(
                        "in a reserved window; the device reaches [[0x1000, 0xfedfffff]");
        assertThatThrownBy(() -> space.mapAt(0, memory, true))
                .hasMessageContaining("IOVA 0 is never used");
        assertThatThrownBy(() -> space.mapAt(0x5800, memory, true))
                .hasMessageContaining("have to agree modulo the page size 4096");
        assertThat(mapper.maps).isZero();
    }

    @Test
    void shouldRefuseOneMappingTooManyBeforeTheKernelDoes() throws Exception {
        space = space(2);
        MemorySegment memory = arena.allocate(4096, 4096);
        DmaMapping first = space.map(memory, true);
        space.map(memory, true);
        assertThat(space.mappingsAvailable()).isZero();
        assertThatThrownBy(() -> space.map(memory, true))
                .hasMessage(NAME + ": all 2 mappings are in use. Map less.");
        first.close();
        space.map(memory, true);
        assertThat(mapper.maps).isEqualTo(3);
    }

    @Test
    void shouldSayWhatIsFreeWhenNoRangeIsLargeEnough() {
        MemorySegment vast = MemorySegment.ofAddress(0x1000).reinterpret(1L << 40);
        assertThatThrownBy(() -> space.map(vast, true))
                .isInstanceOf(VfioException.class)
                .hasMessageContaining("no free IOVA range for 1099511627776 bytes")
                .hasMessageContaining("(39 bits)")
                .hasMessageEndingWith("Raise aw-bits.");
    }

    @Test
    void shouldGiveBackTheIovaWhenTheBackEndRefuses() throws Exception {
        MemorySegment memory = arena.allocate(4096, 4096);
        mapper.nextMapFailure = new VfioException(12, "no");
        assertThatThrownBy(() -> space.mapAt(0x7000, memory, true)).hasMessage("no");
        assertThat(space.find(0x7000, 1, false)).isEmpty();
        assertThat(space.mapAt(0x7000, memory, true).iova()).isEqualTo(0x7000);
        assertThat(space.mappingsAvailable()).isEqualTo(999);
    }

    @Test
    void shouldNotLeakABlockWhenItsMappingIsRefused() throws Exception {
        long descriptors = OpenFiles.count();
        mapper.nextMapFailure = new VfioException(12, "no");
        assertThatThrownBy(() -> space.allocate(64, 64)).hasMessage("no");
        assertThat(OpenFiles.count()).isEqualTo(descriptors);
    }

    @Test
    void shouldNotReuseAnIovaThatTheBackEndDidNotGiveBack() throws Exception {
        MemorySegment memory = arena.allocate(4096, 4096);
        DmaMapping mapping = space.mapAt(0x7000, memory, true);
        mapper.nextUnmapFailure = new VfioException(22, "stuck");
        mapping.close();
        assertThatThrownBy(() -> space.mapAt(0x7000, memory, true))
                .hasMessageContaining("part of it is mapped already");
    }

    @Test
    void shouldFindMemoryByIovaWithinItsBoundsOnly() throws Exception {
        MemorySegment memory = arena.allocate(8192, 4096).asSlice(16, 5000);
        DmaMapping mapping = space.map(memory, false);
        memory.set(JAVA_BYTE, 4999, (byte) 9);
        long iova = mapping.iova();
        assertThat(space.find(iova + 4999, 1, false).orElseThrow().get(JAVA_BYTE, 0))
                .isEqualTo((byte) 9);
        assertThat(space.find(iova, 5000, false)).isPresent();
        assertThat(space.find(iova, 5001, false)).isEmpty();
        assertThat(space.find(iova - 1, 1, false)).isEmpty();
        assertThat(space.find(iova, 1, true)).as("read only").isEmpty();
        assertThat(space.find(iova, -1, false)).isEmpty();
        mapping.close();
        assertThat(space.find(iova, 1, false)).isEmpty();
    }

    @Test
    void shouldLetNothingInOnceItIsClosed() throws Exception {
        long descriptors = OpenFiles.count();
        space.close();
        assertThatThrownBy(() -> space.allocate(64, 64))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(NAME + ": its DMA is closed");
        assertThat(OpenFiles.count()).isEqualTo(descriptors);
    }

    @Test
    void shouldGiveEverythingBackWhenItCloses() throws Exception {
        long descriptors = OpenFiles.count();
        DmaMemory small = space.allocate(64, 64);
        DmaMemory large = space.allocate(3 << 20, 64);
        DmaMapping mapping = space.map(arena.allocate(64), true);
        MemorySegment segment = small.segment();
        assertThat(mapper.mapped).hasSize(3);
        state.close();
        space.close();
        space.close();
        assertThat(mapper.mapped).isEmpty();
        assertThat(OpenFiles.count()).isEqualTo(descriptors);
        assertThatThrownBy(small::segment)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(NAME + " is closed");
        assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> space.allocate(64, 64)).isInstanceOf(IllegalStateException.class);
        small.close();
        large.close();
        mapping.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {7, 77, 777})
    void shouldKeepPiecesApartAndLeakNothing(long seed) throws Exception {
        Random random = new Random(seed);
        long descriptors = OpenFiles.count();
        List<DmaMemory> pieces = new ArrayList<>();
        List<Byte> marks = new ArrayList<>();
        for (int step = 0; step < 3000; step++) {
            if (pieces.size() < 200 && random.nextBoolean()) {
                long size = 1L << random.nextInt(18);
                long alignment = 1L << random.nextInt(14);
                DmaMemory piece = space.allocate(size, alignment);
                assertThat(piece.iova() % alignment).isZero();
                byte mark = (byte) (1 + random.nextInt(127));
                piece.segment().fill(mark);
                pieces.add(piece);
                marks.add(mark);
            } else if (!pieces.isEmpty()) {
                int i = random.nextInt(pieces.size());
                MemorySegment memory = pieces.get(i).segment();
                byte mark = marks.remove(i);
                assertThat(memory.get(JAVA_BYTE, 0)).isEqualTo(mark);
                assertThat(memory.get(JAVA_BYTE, memory.byteSize() - 1)).isEqualTo(mark);
                pieces.remove(i).close();
            }
        }
        for (DmaMemory piece : pieces) {
            piece.close();
        }
        assertThat(mapper.mapped).as("one empty block is kept").hasSize(1);
        assertThat(OpenFiles.count()).isEqualTo(descriptors + 1);
    }
}
