package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.Region;
import org.ringside.vfio.Region.Area;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.testing.RecordingMmio;

class MmioTest {
    private static final int SIZE = 0x4000;

    private final SystemCalls calls = SystemCalls.host();
    private final Arena arena = Arena.ofShared();
    private final DeviceState state = new DeviceState("0000:3b:00.2");
    private int fd = -1;

    @AfterEach
    void closeAll() throws Exception {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        if (fd >= 0) {
            calls.close(fd);
        }
    }

    /** One file for the mapped way and the way by call, as it is in a kernel device. */
    private Mmio open(Area... areas) throws Exception {
        fd = calls.memfdCreate("bar", 0);
        calls.ftruncate(fd, SIZE);
        Region region = new Region(0, SIZE, true, true, List.of(areas), false);
        return RegionMmio.open(
                calls, arena, region, fd, 0, new FileAccess(calls, fd, 0, state), state);
    }

    static Stream<List<Area>> mappings() {
        return Stream.of(
                List.of(),
                List.of(new Area(0, SIZE)),
                List.of(new Area(0x1000, 0x1000), new Area(0x3000, 0x1000)));
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void shouldAccessEachWidthInLittleEndianOrder(List<Area> areas) throws Exception {
        Mmio mmio = open(areas.toArray(new Area[0]));
        for (long base : new long[] {0, 0x1ff0, 0x3ff0}) {
            mmio.putLong(base, 0x8877665544332211L);
            assertThat(mmio.getByte(base + 1)).isEqualTo((byte) 0x22);
            assertThat(mmio.getShort(base + 2)).isEqualTo((short) 0x4433);
            assertThat(mmio.getInt(base + 4)).isEqualTo(0x88776655);
            mmio.putByte(base + 8, (byte) 0xf1);
            mmio.putShort(base + 10, (short) 0xf2f3);
            mmio.putInt(base + 12, 0xf4f5f6f7);
            assertThat(mmio.getLong(base + 8)).isEqualTo(0xf4f5f6f7f2f300f1L);
        }
        assertThat(mmio.size()).isEqualTo(SIZE);
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void shouldRefuseOffsetsOutsideAndMisaligned(List<Area> areas) throws Exception {
        Mmio mmio = open(areas.toArray(new Area[0]));
        assertThatThrownBy(() -> mmio.getInt(SIZE)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> mmio.putLong(SIZE - 4, 1))
                .isInstanceOfAny(IndexOutOfBoundsException.class, IllegalArgumentException.class);
        assertThatThrownBy(() -> mmio.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> mmio.getInt(0x1002)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> mmio.putLong(0x1004, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void shouldSliceWithOffsetsOfItsOwn(List<Area> areas) throws Exception {
        Mmio mmio = open(areas.toArray(new Area[0]));
        Mmio slice = mmio.slice(0x800, 0x1000);
        slice.putInt(0, 1);
        slice.putInt(0x800, 2);
        slice.putInt(0xffc, 3);
        assertThat(mmio.getInt(0x800)).isEqualTo(1);
        assertThat(mmio.getInt(0x1000)).isEqualTo(2);
        assertThat(mmio.getInt(0x17fc)).isEqualTo(3);
        assertThat(slice.slice(0x800, 8).getInt(0)).isEqualTo(2);
        assertThatThrownBy(() -> slice.getInt(0x1000))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> mmio.slice(SIZE - 8, 16))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void shouldFailAfterClose(List<Area> areas) throws Exception {
        Mmio mmio = open(areas.toArray(new Area[0]));
        state.close();
        arena.close();
        for (long offset : new long[] {0, 0x1000}) {
            assertThatThrownBy(() -> mmio.getInt(offset)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> mmio.putInt(offset, 1))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldTakeTheFastestWayThatServesAWholeSlice() throws Exception {
        Mmio mmio = open(new Area(0x1000, 0x1000), new Area(0x3000, 0x1000));
        assertThat(mmio).isInstanceOf(SparseMmio.class);
        assertThat(mmio.mapped()).isEmpty();
        assertThat(mmio.slice(0x1000, 0x1000)).isInstanceOf(MappedMmio.class);
        assertThat(mmio.slice(0x1000, 0x1000).mapped().orElseThrow().byteSize()).isEqualTo(0x1000);
        assertThat(mmio.slice(0x2000, 0x1000)).isInstanceOf(UnmappedMmio.class);
        assertThat(mmio.slice(0x1800, 0x1000)).isInstanceOf(SparseMmio.class);
    }

    @Test
    void shouldMapAllOfARegionWhenAllMayBeMapped() throws Exception {
        Mmio mmio = open(new Area(0, SIZE));
        assertThat(mmio).isInstanceOf(MappedMmio.class);
        assertThat(mmio.mapped().orElseThrow().byteSize()).isEqualTo(SIZE);
    }

    @Test
    void shouldGoByCallWhenTheAreaStartsInsideAPage() throws Exception {
        Mmio mmio = open(new Area(0x800, 0x1000));
        assertThat(mmio).isInstanceOf(UnmappedMmio.class);
    }

    @Test
    void shouldReadAllOnesAndBeLostWhenAMappedPageIsTakenAway() throws Exception {
        Mmio mmio = open(new Area(0, SIZE));
        // Long enough for the JIT: a compiled access gets its fault late.
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            mmio.putInt(0x10, 1);
            sum += mmio.getInt(0x10);
        }
        assertThat(sum).isEqualTo(100_000);
        calls.ftruncate(fd, 0);
        assertThat(mmio.getInt(0x10)).isEqualTo(-1);
        assertThat(state.isLost()).isTrue();
        assertThat(mmio.getByte(0x10)).isEqualTo((byte) -1);
        assertThat(mmio.getShort(0x10)).isEqualTo((short) -1);
        assertThat(mmio.getLong(0x10)).isEqualTo(-1);
    }

    @Test
    void shouldReadAllOnesWhenACallFailsButNotLoseTheDevice() {
        FakeAccess access = new FakeAccess(64);
        Mmio mmio = new UnmappedMmio(access, 64, state);
        access.failure = new VfioException(5, "memory decode is off");
        assertThat(mmio.getInt(0)).isEqualTo(-1);
        mmio.putInt(0, 5);
        assertThat(state.isLost()).isFalse();
        access.failure = null;
        assertThat(mmio.getInt(0)).isZero();
    }

    @Test
    void shouldNotCallALostDevice() {
        FakeAccess access = new FakeAccess(64);
        Mmio mmio = new UnmappedMmio(access, 64, state);
        state.markLost("the peer closed its socket");
        assertThat(mmio.getLong(8)).isEqualTo(-1);
        mmio.putLong(8, 1);
        assertThat(access.reads + access.writes).isZero();
    }

    @Test
    void shouldSayWhyARegionIsNotMapped() {
        assertThat(new Region(0, 256, true, true, List.of(), false).mappingNote(4096))
                .hasValue(
                        "region 0 has 256 bytes, less than a page (4096): it cannot be mapped, and"
                                + " every access to it is a read or write call");
        assertThat(new Region(2, 8192, true, true, List.of(), false).mappingNote(4096))
                .hasValueSatisfying(
                        note -> assertThat(note).startsWith("region 2 (8192 bytes) may not be"));
        assertThat(
                        new Region(0, 8192, true, true, List.of(new Area(4096, 4096)), false)
                                .mappingNote(4096))
                .hasValue(
                        "region 0 (8192 bytes) may be mapped at [[0x1000, 0x2000)] only: other"
                                + " accesses are calls");
        assertThat(
                        new Region(0, 256, true, true, List.of(new Area(0, 256)), false)
                                .mappingNote(4096))
                .isEmpty();
    }

    @Test
    void shouldReachARegionSmallerThanAPageByCalls() {
        FakeAccess access = new FakeAccess(256);
        Region region = new Region(0, 256, true, true, List.of(), false);
        Mmio mmio = RegionMmio.open(calls, arena, region, -1, 0, access, state);
        mmio.putInt(252, 0x01020304);
        assertThat(access.bytes.getInt(252)).isEqualTo(0x01020304);
        assertThat(mmio.mapped()).isEmpty();
    }

    @Test
    void shouldRecordAccessesInOrderThroughSlices() {
        RecordingMmio mmio = new RecordingMmio(0x2000);
        Mmio uar = mmio.slice(0x1000, 0x1000);
        uar.putLong(0x800, 0x0102030405060708L);
        mmio.putInt(0, -1);
        assertThat(uar.getByte(0x801)).isEqualTo((byte) 7);
        assertThat(mmio.accesses())
                .containsExactly(
                        new RecordingMmio.Access(true, 0x1800, 8, 0x0102030405060708L),
                        new RecordingMmio.Access(true, 0, 4, 0xffffffffL),
                        new RecordingMmio.Access(false, 0x1801, 1, 7));
        assertThat(mmio.writes()).hasSize(2);
        assertThat(mmio.writes().getFirst()).hasToString("write64(0x1800) 0x102030405060708");
        mmio.clearRecord();
        assertThat(mmio.accesses()).isEmpty();
    }

    @Test
    void shouldLetATestLookAroundAtTheMomentOfAnAccess() {
        RecordingMmio mmio = new RecordingMmio(64);
        MemorySegment doorbellRecord = arena.allocate(4);
        byte[] seen = new byte[1];
        mmio.onAccess(access -> seen[0] = doorbellRecord.get(JAVA_BYTE, 0));
        doorbellRecord.set(JAVA_BYTE, 0, (byte) 5);
        mmio.putLong(0, 1);
        assertThat(seen[0]).isEqualTo((byte) 5);
        mmio.setInt(8, 77);
        assertThat(mmio.getInt(8)).isEqualTo(77);
        assertThatThrownBy(() -> mmio.getInt(2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> mmio.getInt(64)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
