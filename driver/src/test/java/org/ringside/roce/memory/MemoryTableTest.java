package org.ringside.roce.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.ringside.roce.Memory;
import org.ringside.roce.SendRequest;

class MemoryTableTest {
    private static final int PD = 3;
    private static final int QPN = 9;
    private static final int ALL =
            Memory.LOCAL_WRITE | Memory.REMOTE_READ | Memory.REMOTE_WRITE | Memory.REMOTE_ATOMIC;
    private static final long VA = 0xffff_ffff_ffff_0000L;

    private final MemoryTable table = new MemoryTable();
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 64);
    private final MemorySegment other = Arena.ofAuto().allocate(4096, 64);
    private final int key = table.register(PD, memory, VA, ALL);

    @Test
    void shouldCheckBoundsWithoutOverflow() {
        assertThat(permits(key, VA, 4096)).isTrue();
        assertThat(permits(key, VA + 4095, 1)).isTrue();
        assertThat(permits(key, VA + 4095, 2)).isFalse();
        assertThat(permits(key, VA + 4096, 1)).isFalse();
        assertThat(permits(key, VA - 1, 2)).isFalse();
        assertThat(permits(key, VA, Long.MAX_VALUE)).isFalse();
        assertThat(permits(key, VA + 1, -1)).isFalse();
        assertThat(permits(key, -1, 2)).isFalse();
        assertThat(permits(key, 0x123, 0)).isTrue();
    }

    private boolean permits(int by, long address, long length) {
        return table.permits(PD, QPN, by, Memory.REMOTE_WRITE, address, length);
    }

    @Test
    void shouldRefuseStaleKeysForeignPdsAndMissingRights() {
        int readOnly = table.register(PD, memory, 0, Memory.REMOTE_READ);
        assertThat(permits(readOnly, 0, 1)).isFalse();
        assertThat(table.permits(PD + 1, QPN, key, Memory.REMOTE_READ, VA, 1)).isFalse();
        table.release(key);
        assertThat(permits(key, VA, 1)).isFalse();
        int again = table.register(PD, memory, VA, ALL);
        assertThat(again).isNotEqualTo(key);
        assertThat(again >>> 8).isEqualTo(key >>> 8);
        assertThat(permits(key, VA, 1)).isFalse();
        assertThat(permits(again, VA, 1)).isTrue();
    }

    @Test
    void shouldRefuseMemoryThatWasClosed() {
        int closing;
        try (Arena arena = Arena.ofShared()) {
            closing = table.register(PD, arena.allocate(64, 8), 0, ALL);
        }
        assertThat(table.read(PD, QPN, closing, Memory.REMOTE_READ, 0, other, 0, 8)).isFalse();
        assertThat(table.write(PD, QPN, closing, Memory.REMOTE_WRITE, 0, other, 0, 8)).isFalse();
        assertThat(table.fetchAdd(PD, QPN, closing, 0, 1)).isFalse();
        assertThat(table.compareSwap(PD, QPN, closing, 0, 0, 1)).isFalse();
    }

    private SendRequest bind(int windowKey, long address, long length, int rights) {
        SendRequest request = new SendRequest(1, 0);
        request.kind = SendRequest.Kind.BIND;
        request.windowKey = windowKey;
        request.regionKey = key;
        request.remoteAddress = address;
        request.windowLength = length;
        request.windowRights = rights;
        return request;
    }

    @Test
    void shouldReachThroughAWindowWhatItCoversForItsQpOnly() {
        int window = table.allocateWindow(PD, true);
        assertThat(table.bind(PD, QPN, bind(window + 1, VA + 64, 64, Memory.REMOTE_WRITE)))
                .isTrue();
        other.set(JAVA_LONG, 0, 42);
        assertThat(table.write(PD, QPN, window + 1, Memory.REMOTE_WRITE, VA + 64, other, 0, 64))
                .isTrue();
        assertThat(memory.get(JAVA_LONG, 64)).isEqualTo(42);
        assertThat(permits(window, VA + 64, 8)).isFalse();
        assertThat(permits(window + 1, VA + 65, 64)).isFalse();
        assertThat(table.permits(PD, QPN, window + 1, Memory.REMOTE_READ, VA + 64, 8)).isFalse();
        assertThat(table.permits(PD, QPN + 1, window + 1, Memory.REMOTE_WRITE, VA + 64, 8))
                .isFalse();
        assertThat(table.permits(PD, QPN, window + 1, Memory.LOCAL_READ, VA + 64, 8)).isFalse();
    }

    @Test
    void shouldInvalidateWindowsOfTypeTwoAndNothingElse() {
        int window = table.allocateWindow(PD, true);
        table.bind(PD, QPN, bind(window, VA, 64, Memory.REMOTE_WRITE));
        assertThat(table.invalidate(PD + 1, QPN, window, true)).isFalse();
        assertThat(table.invalidate(PD, QPN + 1, window, true)).isFalse();
        assertThat(table.invalidate(PD, QPN, key, true)).isFalse();
        assertThat(table.invalidate(PD, QPN, window, true)).isTrue();
        assertThat(permits(window, VA, 8)).isFalse();
        assertThat(table.invalidate(PD, QPN, window, true)).isFalse();
        assertThat(table.bind(PD, QPN, bind(window + 1, VA, 64, Memory.REMOTE_WRITE))).isTrue();
    }

    @Test
    void shouldRefuseToBindWhatTheRegionDoesNotAllow() {
        int window = table.allocateWindow(PD, false);
        assertThat(table.bind(PD, QPN, bind(window, VA, 4097, Memory.REMOTE_READ))).isFalse();
        assertThat(table.bind(PD + 1, QPN, bind(window, VA, 8, Memory.REMOTE_READ))).isFalse();
        SendRequest readOnly = bind(window, 0, 8, Memory.REMOTE_WRITE);
        readOnly.regionKey = table.register(PD, memory, 0, Memory.REMOTE_READ);
        assertThat(table.bind(PD, QPN, readOnly)).isFalse();
        assertThat(permits(window, VA, 8)).isFalse();
    }

    @Test
    void shouldNotReleaseARegionUnderItsWindows() {
        int window = table.allocateWindow(PD, false);
        table.bind(PD, QPN, bind(window, VA, 64, Memory.REMOTE_READ));
        assertThatThrownBy(() -> table.release(key))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 windows bound");
        table.release(window);
        table.release(key);
        assertThatThrownBy(() -> table.release(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldDoAtomicsInHostOrder() {
        memory.set(JAVA_LONG, 8, 5);
        assertThat(table.fetchAdd(PD, QPN, key, VA + 8, -7)).isTrue();
        assertThat(table.original()).isEqualTo(5);
        assertThat(table.compareSwap(PD, QPN, key, VA + 8, -2, 11)).isTrue();
        assertThat(table.original()).isEqualTo(-2);
        assertThat(table.compareSwap(PD, QPN, key, VA + 8, -2, 12)).isTrue();
        assertThat(table.original()).isEqualTo(11);
        assertThat(memory.get(JAVA_LONG, 8)).isEqualTo(11);
    }
}
