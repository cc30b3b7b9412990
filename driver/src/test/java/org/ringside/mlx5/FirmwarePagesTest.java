package org.ringside.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.mlx5.layout.ManagePagesIn;
import org.ringside.mlx5.layout.ManagePagesOp;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryPagesOut;
import org.ringside.mlx5.layout.QueryPagesStage;
import org.ringside.verbs.VerbsException;

/** Pages given and taken back, against firmware that keeps a list of them. */
@Timeout(60)
final class FirmwarePagesTest {
    private final FakeFirmware firmware = new FakeFirmware();
    private final Deque<Long> held = new ArrayDeque<>();
    private final List<String> commands = new ArrayList<>();
    private int wanted;
    private int refuseFrom = Integer.MAX_VALUE;
    private FirmwarePages pages;

    @BeforeEach
    void start() throws VerbsException {
        Mlx5Options options =
                new Mlx5Options(
                        Duration.ofMillis(200),
                        Duration.ofMillis(5000),
                        Duration.ZERO,
                        Duration.ofMillis(50),
                        4,
                        2000,
                        false,
                        true);
        CommandQueue queue =
                new CommandQueue(
                        "dev0", new InitSegment(firmware.bar), firmware.dma, options, () -> false);
        queue.start();
        firmware.respondWith(this::answer);
        pages = new FirmwarePages("dev0", queue, firmware.dma, options);
    }

    private void answer(int slot, MemorySegment entry, byte[] raw) {
        MemorySegment in = MemorySegment.ofArray(raw);
        byte[] out = new byte[16];
        MemorySegment outSegment = MemorySegment.ofArray(out);
        if (FakeFirmware.opcode(raw) == Opcode.QUERY_PAGES) {
            QueryPagesOut.FUNCTION_ID.set(outSegment, 0, 3);
            QueryPagesOut.NUM_PAGES.set(outSegment, 0, wanted & 0xffff_ffffL);
            firmware.answer(slot, out, 0);
            return;
        }
        assertThat(slot).as("the slot for pages").isEqualTo(31);
        int op = (int) ManagePagesIn.OP_MOD.get(in, 0);
        int count = (int) ManagePagesIn.INPUT_NUM_ENTRIES.get(in, 0);
        commands.add("%d:%d of %d".formatted(op, count, ManagePagesIn.FUNCTION_ID.get(in, 0)));
        if (op == ManagePagesOp.GIVE) {
            if (commands.size() > refuseFrom) {
                firmware.answer(slot, FakeFirmware.status(0x3, 9), 0);
                return;
            }
            for (int i = 0; i < count; i++) {
                long page = ManagePagesIn.PAS.get(in, 0, i);
                assertThat(page & 0xfff).isZero();
                assertThat(firmware.dma.at(page, 4096).byteSize()).isEqualTo(4096);
                held.add(page);
            }
        } else if (op == ManagePagesOp.TAKE) {
            int given = Math.min(count, held.size());
            ManagePagesOut.OUTPUT_NUM_ENTRIES.set(outSegment, 0, given);
            List<MemorySegment> chain = firmware.chain(entry, false);
            for (int i = 0; i < given; i++) {
                long at = i * 8L % 512;
                MemorySegment block = chain.get(i * 8 / 512);
                block.set(
                        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN),
                        at,
                        held.remove());
            }
        }
        assertThat(CmdQueueEntry.TYPE.get(entry, 0)).isEqualTo(7);
        firmware.answer(slot, out, 0);
    }

    @Test
    void shouldGiveBootPagesInBatchesOf512() throws VerbsException {
        wanted = 1100;
        pages.satisfy(QueryPagesStage.BOOT);
        assertThat(commands).containsExactly("1:512 of 3", "1:512 of 3", "1:76 of 3");
        assertThat(held).hasSize(1100).doesNotHaveDuplicates();
        assertThat(pages.given()).isEqualTo(1100);
        assertThat(pages.peak()).isEqualTo(1100);
    }

    @Test
    void shouldTakeANegativeWishForNothing() throws VerbsException {
        wanted = -7;
        pages.satisfy(QueryPagesStage.REGULAR);
        assertThat(commands).isEmpty();
        assertThat(pages.given()).isZero();
    }

    @Test
    void shouldTakeBackUntilNoneAreLeft() throws VerbsException {
        pages.request(0, 700);
        long before = firmware.dma.allocated();
        pages.request(0, -150);
        assertThat(pages.given()).isEqualTo(550);
        pages.takeAll();
        assertThat(pages.given()).isZero();
        assertThat(held).isEmpty();
        assertThat(firmware.dma.allocated())
                .as("blocks are unmapped")
                .isLessThan(before - (2 << 20));
    }

    @Test
    void shouldReusePagesThatCameBack() throws VerbsException {
        pages.request(0, 100);
        pages.request(0, -100);
        pages.request(0, 100);
        assertThat(held).hasSize(100);
        assertThat(pages.peak()).isEqualTo(100);
    }

    @Test
    void shouldSayThatItCannotGiveBeyondTheBudget() throws VerbsException {
        pages.request(0, 1990);
        commands.clear();
        assertThatThrownBy(() -> pages.request(5, 20))
                .hasMessageContaining(
                        "firmware has 1990 pages and wants 20 more, the budget is 2000")
                .hasMessageContaining("-Dringside.mlx5.pageBudget");
        assertThat(commands).containsExactly("0:0 of 5");
        assertThat(pages.refused()).isEqualTo(20);
        assertThat(pages.given()).isEqualTo(1990);
    }

    @Test
    void shouldSayThatItCannotGiveWhenMemoryRunsOut() throws VerbsException {
        pages.request(0, 1);
        firmware.dma.failAfter(0);
        commands.clear();
        assertThatThrownBy(() -> pages.request(0, 512))
                .hasMessageContaining("getting pages for firmware failed");
        assertThat(commands).containsExactly("0:0 of 0");
        assertThat(pages.given()).isEqualTo(1);
    }

    @Test
    void shouldTakeRefusedPagesBackAtOnce() {
        refuseFrom = 0;
        assertThatThrownBy(() -> pages.request(0, 10)).isInstanceOf(CommandException.class);
        assertThat(pages.given()).isZero();
        assertThat(commands).containsExactly("1:10 of 0", "0:0 of 0");
    }

    @Test
    void shouldReportFirmwareThatKeepsPages() throws VerbsException {
        pages.request(0, 10);
        held.clear();
        assertThatThrownBy(() -> pages.takeAll())
                .hasMessageContaining("firmware keeps 10 pages")
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.EBUSY));
    }
}
