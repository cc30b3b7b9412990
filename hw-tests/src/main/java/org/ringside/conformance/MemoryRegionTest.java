package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.verbs.Access;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;

/** Registration of memory of any kind and size. */
class MemoryRegionTest extends KitTest {
    @Test
    void shouldRefuseMemoryThatTheCollectorMoves() throws Exception {
        try (End end = new End(OpenDevices.get(topology.left()), 4096, EndOptions.USUAL)) {
            assertThatThrownBy(() -> end.pd.register(MemorySegment.ofArray(new byte[64]), End.ALL))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("heap memory")
                    .hasMessageContaining("Arena");
            assertThatThrownBy(() -> end.pd.register(MemorySegment.NULL, End.ALL))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("empty");
        }
    }

    @Test
    void shouldRefuseRemoteWriteWithoutLocalWrite() throws Exception {
        try (End end = new End(OpenDevices.get(topology.left()), 4096, EndOptions.USUAL)) {
            assertThatThrownBy(() -> end.pd.register(end.memory, EnumSet.of(Access.REMOTE_WRITE)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("LOCAL_WRITE");
        }
    }

    @Test
    void shouldKeepBufferOpenWhileItIsRegistered() throws Exception {
        try (End end = new End(OpenDevices.get(topology.left()), 4096, EndOptions.USUAL)) {
            assertThatThrownBy(end.buffer::close)
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(end.mr.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "7, 3", "4096, 1", "5000, 4095", "65536, 100", "3000000, 77"})
    void shouldMoveDataInMemoryOfAnyAddressAndLength(int length, int misalignment)
            throws Exception {
        try (Connection c = connect();
                Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(length + misalignment).asSlice(misalignment);
            MemorySegment target =
                    arena.allocate(length + 2L * misalignment).asSlice(2L * misalignment);
            Bytes.fill(source, 0, length, length);
            try (MemoryRegion from = c.left.pd.register(source, EnumSet.noneOf(Access.class));
                    MemoryRegion to = c.right.pd.register(target, End.ALL)) {
                c.left.qp.postWrite(
                        1,
                        SendFlags.SIGNALED,
                        from.lkey(),
                        from.address(),
                        length,
                        to.rkey(),
                        to.address());
                assertThat(c.left.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                Bytes.expect(target, 0, length, length);
            }
        }
    }

    @Test
    void shouldGiveEachRegionItsKeys() throws Exception {
        try (End end = new End(OpenDevices.get(topology.left()), 1 << 16, EndOptions.USUAL)) {
            Set<Integer> keys = new HashSet<>();
            List<MemoryRegion> regions = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                MemoryRegion region = end.pd.register(end.memory.asSlice(i * 4096L, 4096), End.ALL);
                regions.add(region);
                keys.add(region.lkey());
            }
            assertThat(keys).hasSize(16);
            for (MemoryRegion region : regions) {
                region.close();
            }
        }
    }

    @Test
    void shouldRefuseAKeyAfterItsRegionWasClosed() throws Exception {
        try (Connection c = connect()) {
            MemoryRegion gone = c.right.pd.register(c.right.memory, End.ALL);
            int rkey = gone.rkey();
            gone.close();
            c.left.qp.postWrite(
                    1, SendFlags.SIGNALED, c.left.lkey(), c.left.at(0), 64, rkey, c.right.at(0));

            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            Bytes.expectZero(c.right.memory, 0, 64);
        }
    }

    @Test
    void shouldRegisterLargeMemory() throws Exception {
        long size = 256L << 20;
        try (Connection c = connect();
                Arena arena = Arena.ofShared()) {
            MemorySegment large = arena.allocate(size, 4096);
            try (MemoryRegion region = c.right.pd.register(large, End.ALL)) {
                Bytes.fill(c.left.memory, 0, 4096, 9);
                c.left.qp.postWrite(
                        1,
                        SendFlags.SIGNALED,
                        c.left.lkey(),
                        c.left.at(0),
                        4096,
                        region.rkey(),
                        region.address() + size - 4096);
                assertThat(c.left.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                Bytes.expect(large, size - 4096, 4096, 9);
            }
        }
    }
}
