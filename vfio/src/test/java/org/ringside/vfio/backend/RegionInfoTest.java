package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.ringside.vfio.Region;
import org.ringside.vfio.Region.Area;
import org.ringside.vfio.backend.VfioAbi.RegionInfoStruct;

class RegionInfoTest {
    private final MemorySegment info = Arena.ofAuto().allocate(128, 8);

    private void header(int flags, int capOffset) {
        info.set(JAVA_INT, VfioAbi.ARGSZ, (int) info.byteSize());
        info.set(JAVA_INT, VfioAbi.FLAGS, flags);
        info.set(JAVA_INT, RegionInfoStruct.INDEX, 0);
        info.set(JAVA_INT, RegionInfoStruct.CAP_OFFSET, capOffset);
        info.set(JAVA_LONG, RegionInfoStruct.REGION_SIZE, 0x10000);
        info.set(JAVA_LONG, RegionInfoStruct.OFFSET, 1L << 40);
    }

    private void cap(int at, int id, int next) {
        info.set(JAVA_SHORT, at, (short) id);
        info.set(JAVA_INT, at + 4, next);
    }

    private void sparse(int at, int next, long... offsetsAndSizes) {
        cap(at, 1, next);
        info.set(JAVA_INT, at + 8, offsetsAndSizes.length / 2);
        for (int i = 0; i < offsetsAndSizes.length; i++) {
            info.set(JAVA_LONG, at + 16 + 8L * i, offsetsAndSizes[i]);
        }
    }

    private Region parse() {
        return RegionInfo.parse(info, 4096).region();
    }

    @Test
    void shouldMapAllOfARegionWithoutSparseCapability() {
        header(0x7, 0);
        RegionInfo parsed = RegionInfo.parse(info, 4096);
        assertThat(parsed.fileOffset()).isEqualTo(1L << 40);
        assertThat(parsed.region().mappable()).containsExactly(new Area(0, 0x10000));
        assertThat(parsed.region().readable()).isTrue();
        assertThat(parsed.region().writable()).isTrue();
        assertThat(parsed.region().msixTableMappable()).isFalse();
    }

    @Test
    void shouldMapNothingWithoutTheFlag() {
        header(0x1, 0);
        assertThat(parse().mappable()).isEmpty();
        assertThat(parse().writable()).isFalse();
    }

    @Test
    void shouldReadSparseAreasAndTheMsixCapabilityInAscendingOrder() {
        header(0xf, 32);
        cap(32, 3, 40);
        sparse(40, 0, 0x4000, 0x2000, 0x0, 0x1000);
        assertThat(parse().mappable())
                .containsExactly(new Area(0, 0x1000), new Area(0x4000, 0x2000));
        assertThat(parse().msixTableMappable()).isTrue();
    }

    @Test
    void shouldLeaveOutAreasThatMakeNoSense() {
        header(0xf, 32);
        sparse(32, 0, 0xf000, 0x2000, 0x800, 0x1000, -4096, 0x1000, 0x2000, 0x1000);
        assertThat(parse().mappable()).containsExactly(new Area(0x2000, 0x1000));
    }

    @Test
    void shouldBelieveNoCountBeyondTheStructure() {
        header(0xf, 96);
        sparse(96, 0, 0x1000, 0x1000);
        info.set(JAVA_INT, 96 + 8, -1);
        assertThat(parse().mappable()).containsExactly(new Area(0x1000, 0x1000));
    }

    @Test
    void shouldEndAChainThatLoopsOrLeaves() {
        header(0xf, 32);
        cap(32, 9, 32);
        assertThat(parse().msixTableMappable()).isFalse();
        cap(32, 9, 1000);
        assertThat(parse().msixTableMappable()).isFalse();
        header(0xf, 125);
        assertThat(parse().mappable()).containsExactly(new Area(0, 0x10000));
    }
}
