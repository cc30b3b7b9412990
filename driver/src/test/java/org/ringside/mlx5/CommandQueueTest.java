package org.ringside.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.CmdMailbox;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.mlx5.layout.DeallocPdIn;
import org.ringside.mlx5.layout.DeallocPdOut;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.mlx5.layout.ManagePagesIn;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.verbs.VerbsException;

/** The command queue against firmware that misbehaves as told. */
@Timeout(60)
final class CommandQueueTest {
    private final AtomicBoolean gone = new AtomicBoolean();

    static Mlx5Options options(int commandMillis) {
        return new Mlx5Options(
                Duration.ofMillis(200),
                Duration.ofMillis(commandMillis),
                Duration.ZERO,
                Duration.ofMillis(50),
                4,
                10_000,
                false,
                true);
    }

    private CommandQueue queue(FakeFirmware firmware, int commandMillis) throws VerbsException {
        CommandQueue queue =
                new CommandQueue(
                        "dev0",
                        new InitSegment(firmware.bar),
                        firmware.dma,
                        options(commandMillis),
                        gone::get);
        queue.start();
        return queue;
    }

    private static Command allocPd() {
        return new Command(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT);
    }

    @Test
    void shouldHandTheInlinePartAndReadTheAnswer() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 5000);
        List<String> seen = new ArrayList<>();
        firmware.respondWith(
                (slot, entry, in) -> {
                    seen.add(CmdQueueEntry.LAYOUT.decode(entry, 0));
                    assertThat(FakeFirmware.opcode(in)).isEqualTo(Opcode.ALLOC_PD);
                    byte[] out = new byte[16];
                    out[11] = 0x15;
                    firmware.answer(slot, out, 0);
                });
        Command command = queue.execute(allocPd());
        assertThat(command.get(AllocPdOut.PD)).isEqualTo(0x15);
        assertThat(seen).hasSize(1);
        assertThat(seen.getFirst()).contains("type=7", "input_length=0x10", "output_length=0x10");
        assertThat(command.toString()).contains("opcode=ALLOC_PD(0x800)", "pd=0x15");
    }

    @Test
    void shouldChainMailboxesWithTokenAndNumbers() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 5000);
        firmware.respondWith(
                (slot, entry, in) -> {
                    long token = CmdQueueEntry.TOKEN.get(entry, 0);
                    assertThat(token).isNotZero();
                    List<MemorySegment> blocks = firmware.chain(entry, true);
                    assertThat(blocks).as("1008 bytes behind the inline part").hasSize(2);
                    for (int i = 0; i < blocks.size(); i++) {
                        assertThat(CmdMailbox.BLOCK_NUMBER.get(blocks.get(i), 0)).isEqualTo(i);
                        assertThat(CmdMailbox.TOKEN.get(blocks.get(i), 0)).isEqualTo(token);
                    }
                    MemorySegment input = MemorySegment.ofArray(in);
                    assertThat(ManagePagesIn.PAS.get(input, 0, 125)).isEqualTo(125L << 12);
                    assertThat(firmware.chain(entry, false)).hasSize(1);
                    firmware.chain(entry, false).getFirst().set(JAVA_BYTE, 7, (byte) 0x42);
                    firmware.answer(slot, new byte[16], 0);
                });
        Command command =
                new Command(
                        Opcode.MANAGE_PAGES,
                        ManagePagesIn.LAYOUT,
                        ManagePagesIn.PAS.byteSizeWith(126),
                        ManagePagesOut.LAYOUT,
                        ManagePagesOut.PAS.byteSizeWith(2));
        for (int i = 0; i < 126; i++) {
            command.set(ManagePagesIn.PAS, i, (long) i << 12);
        }
        assertThat(queue.execute(command).get(ManagePagesOut.PAS, 0)).isEqualTo(0x42);
    }

    @Test
    void shouldSignEntriesAlwaysAndMailboxesWhenAsked() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 5000);
        queue.useChecksum(true);
        firmware.respondWith(
                (slot, entry, in) -> {
                    assertThat(Signatures.xor(entry, 0, 64)).isEqualTo(0xff);
                    for (MemorySegment block : firmware.chain(entry, false)) {
                        assertThat(Signatures.xor(block, 512, 575)).isEqualTo(0xff);
                        assertThat(Signatures.xor(block, 0, 576)).isEqualTo(0xff);
                    }
                    // An answer whose entry is signed and whose mailboxes have been left as they
                    // were.
                    firmware.answer(slot, new byte[16], 0);
                    CmdQueueEntry.SIGNATURE.set(entry, 0, 0);
                    CmdQueueEntry.SIGNATURE.set(entry, 0, ~Signatures.xor(entry, 0, 64) & 0xff);
                });
        Command query =
                new Command(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT);
        assertThat(queue.execute(query).status()).isZero();
        firmware.respondWith((slot, entry, in) -> firmware.answer(slot, new byte[16], 0));
        assertThatThrownBy(() -> queue.execute(allocPd()))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("answer to ALLOC_PD (0x800) is damaged: wrong signature");
    }

    @Test
    void shouldTellStatusSyndromeAndInputOfARefusedCommand() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 5000);
        firmware.respondWith(
                (slot, entry, in) ->
                        firmware.answer(slot, FakeFirmware.status(0x05, 0x1a2b3c4d), 0));
        Command command =
                new Command(Opcode.DEALLOC_PD, DeallocPdIn.LAYOUT, DeallocPdOut.LAYOUT)
                        .set(DeallocPdIn.PD, 0x99);
        CommandException e =
                catchThrowableOfType(CommandException.class, () -> queue.execute(command));
        assertThat(e)
                .hasMessageContaining("DEALLOC_PD (0x801)")
                .hasMessageContaining("BAD_RES (0x5)")
                .hasMessageContaining("syndrome 0x1a2b3c4d")
                .hasMessageContaining("pd=0x99");
        assertThat(e.errno()).isEqualTo(VerbsException.EINVAL);
        assertThat(e.status()).isEqualTo(5);
        assertThat(e.syndrome()).isEqualTo(0x1a2b3c4d);
        assertThat(e.opcode()).isEqualTo(Opcode.DEALLOC_PD);
    }

    @Test
    void shouldTellDeliveryStatus() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 5000);
        firmware.respondWith((slot, entry, in) -> firmware.answer(slot, new byte[16], 0x9));
        assertThatThrownBy(() -> queue.execute(allocPd()))
                .hasMessageContaining(
                        "was not delivered: delivery status RESERVED_FIELD_NOT_CLEAR (0x9)");
    }

    @Test
    void shouldNotUseATimedOutSlotBeforeTheDeviceGivesItBack() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware(1);
        CommandQueue queue = queue(firmware, 100);
        firmware.respondWith((slot, entry, in) -> {});
        VerbsException first =
                catchThrowableOfType(VerbsException.class, () -> queue.execute(allocPd()));
        assertThat(first.errno()).isEqualTo(VerbsException.ETIMEDOUT);
        assertThat(first)
                .hasMessageContaining("no answer to ALLOC_PD (0x800) in 100 ms")
                .hasMessageContaining("slot 0 stays unused");

        firmware.respondWith(firmware::succeed);
        // The only ordinary slot is still the device's; that for pages works.
        assertThatThrownBy(() -> queue.execute(allocPd()))
                .hasMessageContaining("no command slot became free");
        Command pages =
                new Command(Opcode.MANAGE_PAGES, ManagePagesIn.LAYOUT, ManagePagesOut.LAYOUT);
        assertThat(queue.execute(pages).status()).isZero();
        assertThat(firmware.pending).containsExactly(0);

        firmware.answer(0, FakeFirmware.status(0x1, 7), 0);
        assertThat(queue.execute(allocPd()).status()).as("not the late answer").isZero();
        assertThat(queue.lateAnswers()).isEqualTo(1);
    }

    @Test
    void shouldRunSeveralCommandsAtOnceOnTheirOwnSlots() throws Exception {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 20_000);
        CountDownLatch all = new CountDownLatch(4);
        firmware.respondWith((slot, entry, in) -> all.countDown());
        List<CompletableFuture<Command>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            running.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return queue.execute(allocPd());
                                } catch (VerbsException e) {
                                    throw new AssertionError(e);
                                }
                            },
                            task -> new Thread(task).start()));
        }
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        Set<Integer> slots = new HashSet<>(List.copyOf(firmware.pending));
        assertThat(slots).hasSize(4).doesNotContain(31);
        for (int slot : slots) {
            firmware.answer(slot, new byte[16], 0);
        }
        for (CompletableFuture<Command> each : running) {
            assertThat(each.get(20, TimeUnit.SECONDS).status()).isZero();
        }
    }

    @Test
    void shouldFinishByEventAndWithoutOne() throws Exception {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 20_000);
        queue.useEvents(true);
        CountDownLatch rung = new CountDownLatch(1);
        firmware.respondWith((slot, entry, in) -> rung.countDown());
        CompletableFuture<Integer> status = inBackground(queue);
        assertThat(rung.await(20, TimeUnit.SECONDS)).isTrue();
        firmware.answer(0, new byte[16], 0);
        queue.completed(1);
        assertThat(status.get(20, TimeUnit.SECONDS)).isZero();

        // Answered, and the event lost: it takes a look, not the deadline.
        firmware.respondWith(firmware::succeed);
        long before = System.nanoTime();
        assertThat(queue.execute(allocPd()).status()).isZero();
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(15));
    }

    private static CompletableFuture<Integer> inBackground(CommandQueue queue) {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        new Thread(
                        () -> {
                            try {
                                status.complete(queue.execute(allocPd()).status());
                            } catch (VerbsException e) {
                                status.completeExceptionally(e);
                            }
                        })
                .start();
        return status;
    }

    @Test
    void shouldKeepAnInterruptForTheCaller() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 20_000);
        queue.useEvents(true);
        firmware.respondWith(
                (slot, entry, in) ->
                        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
                                .execute(() -> firmware.answer(slot, new byte[16], 0)));
        Thread.currentThread().interrupt();
        assertThat(queue.execute(allocPd()).status()).isZero();
        assertThat(Thread.interrupted()).as("still set").isTrue();
    }

    @Test
    void shouldFailWhatWaitsWhenTheDeviceIsDeclaredDead() throws Exception {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 20_000);
        queue.useEvents(true);
        CountDownLatch rung = new CountDownLatch(1);
        firmware.respondWith((slot, entry, in) -> rung.countDown());
        CompletableFuture<Integer> status = inBackground(queue);
        assertThat(rung.await(20, TimeUnit.SECONDS)).isTrue();
        queue.fail(new VerbsException(VerbsException.ENODEV, "it burns"));
        assertThatThrownBy(() -> status.get(20, TimeUnit.SECONDS))
                .hasRootCauseMessage("it burns")
                .cause()
                .hasMessageContaining("the device is lost: it burns");
        assertThatThrownBy(() -> queue.execute(allocPd()))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.ENODEV));
    }

    @Test
    void shouldNotWaitForASocketThatHasClosed() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 20_000);
        firmware.respondWith((slot, entry, in) -> gone.set(true));
        assertThatThrownBy(() -> queue.execute(allocPd()))
                .hasMessageContaining("the device has gone")
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.ENODEV));
    }

    @Test
    void shouldRecogniseAllOnes() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 100);
        queue.watch(new HealthWatch(new InitSegment(firmware.bar), gone::get, options(100)));
        firmware.respondWith(
                (slot, entry, in) -> {
                    firmware.set(0, -1);
                    firmware.set(4, -1);
                });
        assertThatThrownBy(() -> queue.execute(allocPd()))
                .hasMessageContaining("registers read all ones: the device has left the bus")
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.ENODEV));
    }

    @Test
    void shouldRefuseAQueueThatItDoesNotKnow() {
        FakeFirmware firmware = new FakeFirmware();
        firmware.set(InitialSeg.CMD_INTERFACE_REV.dword(), 6 << 16);
        assertThatThrownBy(() -> queue(firmware, 100))
                .hasMessageContaining("command interface revision 6, this driver knows 5");
        FakeFirmware garbage = new FakeFirmware(9);
        assertThatThrownBy(() -> queue(garbage, 100))
                .hasMessageContaining("command queue of 2^9 slots");
    }

    @Test
    void shouldFreeTheSlotWhenMailboxesCannotBeHad() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware(1);
        CommandQueue queue = queue(firmware, 5000);
        firmware.dma.failAfter(0);
        Command query =
                new Command(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT);
        assertThatThrownBy(() -> queue.execute(query))
                .hasMessageContaining("getting memory for QUERY_HCA_CAP failed");
        assertThat(queue.execute(allocPd()).status()).isZero();
    }

    @Test
    void shouldGiveItsMemoryBack() throws VerbsException {
        FakeFirmware firmware = new FakeFirmware();
        CommandQueue queue = queue(firmware, 5000);
        var _ =
                queue.execute(
                        new Command(
                                Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT));
        assertThat(firmware.dma.allocated()).isPositive();
        queue.close();
        assertThat(firmware.dma.allocated()).isZero();
        assertThatThrownBy(() -> queue.execute(allocPd())).hasMessageContaining("closed");
    }
}
