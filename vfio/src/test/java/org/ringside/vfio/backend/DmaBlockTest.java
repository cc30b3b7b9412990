package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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
