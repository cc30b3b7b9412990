package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.testing.OpenFiles;

class DmaBlockTest {
    private final SystemCalls calls = SystemCalls.host();

    @Test
    void shouldBeZeroedAndAligned() throws Exception {
        try (DmaBlock block = DmaBlock.create(calls, 1 << 20, 4 << 20, false)) {
            assertThat(block.memory().address() % (4 << 20)).isZero();
            assertThat(block.memory().mismatch(block.memory().asSlice(0).fill((byte) 0)))
                    .isEqualTo(-1);
            assertThat(block.memory().get(JAVA_BYTE, (1 << 20) - 1)).isZero();
            assertThat(calls.fstat(block.fd()).size()).isEqualTo(1 << 20);
            assertThat(block.isHuge()).isFalse();
        }
    }

    @Test
    void shouldLeaveNothingBehindWhenItCannotBeMade() throws Exception {
        long before = OpenFiles.count();
        long tooMuch = 1L << 46;
        assertThatThrownBy(() -> DmaBlock.create(calls, tooMuch, 1L << 46, false))
                .hasMessageContaining("mmap(");
        assertThat(OpenFiles.count()).isEqualTo(before);
    }

    @Test
    void shouldRefuseUseAfterCloseAndCloseTwice() throws Exception {
        DmaBlock block = DmaBlock.create(calls, 4096, 4096, false);
        block.close();
        block.close();
        assertThatThrownBy(() -> block.memory().get(JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldFreeItsMemoryButLeaveTheAddressesToThoseThatHoldThem() throws Exception {
        DmaBlock block = DmaBlock.create(calls, 1 << 20, 4096, false);
        MemorySegment enduring = block.enduring();
        block.memory().set(JAVA_BYTE, 5, (byte) 7);
        assertThat(enduring.get(JAVA_BYTE, 5)).isEqualTo((byte) 7);
        long address = enduring.address();
        assertThat(mappingAt(address)).contains("ringside-dma");
        block.close();
        assertThat(mappingAt(address)).isNotEmpty().doesNotContain("ringside-dma");
        assertThat(enduring.get(JAVA_BYTE, 5)).isZero();
        enduring.set(JAVA_BYTE, 5, (byte) 9);
    }

    @Test
    void shouldGiveTheAddressesBackWhenNobodyHoldsThem() throws Exception {
        long address = closedWithEnduring();
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!mappingAt(address).isEmpty()) {
            assertThat(System.nanoTime()).as("still mapped").isLessThan(deadline);
            System.gc();
            Thread.sleep(10); // The cleaner's thread tells nobody when it has run.
        }
    }

    private long closedWithEnduring() throws Exception {
        // Of a size that no other mapping of this process is likely to merge with.
        try (DmaBlock block = DmaBlock.create(calls, 3 << 20, 4096, false)) {
            return block.enduring().address();
        }
    }

    /** The line of /proc/self/maps for an address; empty when nothing is there. */
    private static String mappingAt(long address) throws Exception {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> covers(line, address)).findFirst().orElse("");
        }
    }

    private static boolean covers(String line, long address) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-", 2);
        return Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0;
    }

    /** The host's calls; mapping a file fails so often, and unmapping is written down. */
    private SystemCalls failingToMap(int times, int errno, List<String> log) {
        int[] left = {times};
        return (SystemCalls)
                Proxy.newProxyInstance(
                        SystemCalls.class.getClassLoader(),
                        new Class<?>[] {SystemCalls.class},
                        (self, method, arguments) -> {
                            boolean file =
                                    method.getName().equals("mmap")
                                            && arguments.length == 6
                                            && (int) arguments[4] >= 0;
                            if (file && left[0]-- > 0) {
                                log.add("mmap failed");
                                throw new LinuxException("mmap", "as the test wants it", errno);
                            }
                            if (method.getName().equals("munmap")) {
                                log.add("munmap");
                            }
                            return method.invoke(calls, arguments);
                        });
    }

    @Test
    void shouldTryElsewhereWhenAnotherThreadTookThePlace() throws Exception {
        List<String> log = new ArrayList<>();
        SystemCalls busy = failingToMap(2, Errno.EEXIST, log);
        try (DmaBlock block = DmaBlock.create(busy, 4096, 1 << 21, false)) {
            assertThat(block.memory().address() % (1 << 21)).isZero();
            block.memory().set(JAVA_BYTE, 0, (byte) 1);
        }
        assertThat(log)
                .containsExactly(
                        "munmap", "mmap failed", "munmap", "mmap failed", "munmap", "munmap");
    }

    /** What is at the place after a failure may be another thread's already. */
    @Test
    void shouldUnmapNothingAfterMappingFailed() {
        List<String> log = new ArrayList<>();
        SystemCalls full = failingToMap(1, Errno.ENOMEM, log);
        assertThatThrownBy(() -> DmaBlock.create(full, 4096, 1 << 21, false))
                .hasMessageContaining("ENOMEM");
        assertThat(log).containsExactly("munmap", "mmap failed");
    }

    @Test
    void shouldUseHugePagesWhenTheKernelHasSome() throws Exception {
        String free =
                Files.readString(
                                Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"))
                        .trim();
        assumeTrue(
                Integer.parseInt(free) > 0,
                "no free huge pages: echo 4 > /proc/sys/vm/nr_hugepages to run this");
        try (DmaBlock block =
                DmaBlock.create(calls, DmaBlock.HUGE_PAGE, DmaBlock.HUGE_PAGE, true)) {
            assertThat(block.isHuge()).isTrue();
            assertThat(calls.fstat(block.fd()).blockSize()).isEqualTo(2 << 20);
        }
    }
}
