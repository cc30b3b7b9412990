package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdMailbox;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.mlx5.layout.DeliveryStatus;
import org.ringside.mlx5.layout.EnableHcaIn;
import org.ringside.mlx5.layout.EnableHcaOut;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.QueryIssiIn;
import org.ringside.mlx5.layout.QueryIssiOut;
import org.ringside.mlx5.layout.SetHcaCapIn;
import org.ringside.mlx5.layout.SetHcaCapOut;

/** What is wrong with a queue entry or a mailbox is told by the delivery status. */
class CommandDeliveryTest {
    private RawDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain());
        driver.enable();
    }

    @AfterEach
    void close() {
        driver.close();
    }

    /** A command with two blocks of input. */
    private RawDriver.Request withInputMailbox() {
        return driver.give(driver.newPages(70));
    }

    private RawDriver.Request queryIssi() {
        return driver.request(Opcode.QUERY_ISSI, QueryIssiIn.LAYOUT, QueryIssiOut.LAYOUT);
    }

    static Stream<Arguments> badEntries() {
        return Stream.of(
                entry(
                        "type 6",
                        DeliveryStatus.BAD_COMMAND_TYPE,
                        e -> CmdQueueEntry.TYPE.set(e, 0, 6)),
                entry(
                        "a reserved bit",
                        DeliveryStatus.RESERVED_FIELD_NOT_CLEAR,
                        e -> e.set(ValueLayout.JAVA_BYTE, 2, (byte) 1)),
                entry(
                        "an old status",
                        DeliveryStatus.RESERVED_FIELD_NOT_CLEAR,
                        e -> CmdQueueEntry.STATUS.set(e, 0, 1)),
                entry(
                        "no input",
                        DeliveryStatus.INPUT_LENGTH_ERROR,
                        e -> CmdQueueEntry.INPUT_LENGTH.set(e, 0, 4)),
                entry(
                        "no output",
                        DeliveryStatus.OUTPUT_LENGTH_ERROR,
                        e -> CmdQueueEntry.OUTPUT_LENGTH.set(e, 0, 0)),
                entry(
                        "a negative output length",
                        DeliveryStatus.OUTPUT_LENGTH_ERROR,
                        e -> CmdQueueEntry.OUTPUT_LENGTH.set(e, 0, 0xffff_ffffL)),
                entry(
                        "no output mailbox",
                        DeliveryStatus.OUTPUT_LENGTH_ERROR,
                        e -> CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.set(e, 0, 0)),
                entry(
                        "an output mailbox off by 512",
                        DeliveryStatus.BAD_OUTPUT_POINTER,
                        e ->
                                CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.set(
                                        e,
                                        0,
                                        CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.get(e, 0) ^ 1)),
                entry(
                        "an input mailbox off by 1",
                        DeliveryStatus.BAD_INPUT_POINTER,
                        e -> e.set(ValueLayout.JAVA_BYTE, 0xf, (byte) 1)),
                entry(
                        "an output mailbox that is not mapped",
                        DeliveryStatus.INTERNAL_ERROR,
                        e -> CmdQueueEntry.OUTPUT_MAILBOX_POINTER_63_32.set(e, 0, 7)));
    }

    static Stream<Arguments> badBlocks() {
        return Stream.of(
                entry(
                        "another token",
                        DeliveryStatus.TOKEN_ERROR,
                        b -> CmdMailbox.TOKEN.set(b, 0, CmdMailbox.TOKEN.get(b, 0) ^ 1)),
                entry(
                        "block number 1",
                        DeliveryStatus.BAD_BLOCK_NUMBER,
                        b -> CmdMailbox.BLOCK_NUMBER.set(b, 0, 1)),
                entry(
                        "a reserved byte",
                        DeliveryStatus.RESERVED_FIELD_NOT_CLEAR,
                        b -> b.set(ValueLayout.JAVA_BYTE, 0x200, (byte) 1)),
                entry(
                        "no next block",
                        DeliveryStatus.INPUT_LENGTH_ERROR,
                        b -> {
                            CmdMailbox.NEXT_POINTER_63_32.set(b, 0, 0);
                            CmdMailbox.NEXT_POINTER_31_10.set(b, 0, 0);
                        }));
    }

    private static Arguments entry(String what, int status, Consumer<MemorySegment> change) {
        return arguments(what, status, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badEntries")
    void shouldNotDeliverBadEntries(String what, int status, Consumer<MemorySegment> change) {
        RawDriver.Answer answer = queryIssi().entry(change).run();

        assertThat(DeliveryStatus.name(answer.delivery())).isEqualTo(DeliveryStatus.name(status));
        assertThat(driver.function.findings().list(Finding.Kind.DELIVERY))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .startsWith(DeliveryStatus.name(status) + " in slot 0: ");
        queryIssi().ok();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badBlocks")
    void shouldNotDeliverBadMailboxes(String what, int status, Consumer<MemorySegment> change) {
        RawDriver.Answer answer = withInputMailbox().block(change).run();

        assertThat(DeliveryStatus.name(answer.delivery())).isEqualTo(DeliveryStatus.name(status));
        assertThat(driver.take(1).ok().get(ManagePagesOut.OUTPUT_NUM_ENTRIES)).isZero();
    }

    @Test
    void shouldGatherInputFromSeveralBlocks() {
        withInputMailbox().ok();

        RawDriver.Answer taken = driver.take(100).ok();
        assertThat(taken.get(ManagePagesOut.OUTPUT_NUM_ENTRIES)).isEqualTo(70);
    }

    @Test
    void shouldIgnoreADoorbellForASlotThatSoftwareOwns() {
        RawDriver.Pending pending =
                queryIssi().entry(e -> CmdQueueEntry.OWNERSHIP.set(e, 0, 0)).start();
        MemorySegment before = MemorySegment.ofArray(pending.entry.toArray(ValueLayout.JAVA_BYTE));
        driver.settle();

        assertThat(pending.entry.mismatch(before)).isEqualTo(-1);
        assertThat(driver.function.findings().list(Finding.Kind.DOORBELL))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("slot 0, which software owns");
    }

    @Test
    void shouldNoteASlotThatIsUsedBeforeItIsAnswered() {
        driver.function.faults().hold(Opcode.QUERY_ISSI);
        RawDriver.Pending pending = queryIssi().slot(3).start();
        driver.settle();
        assertThat(pending.isAnswered()).isFalse();
        driver.ring(3);
        driver.function.faults().release();
        driver.settle();

        assertThat(pending.answer().status()).isZero();
        assertThat(driver.function.findings().list())
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("slot 3, which is not answered yet: QUERY_ISSI");
    }

    @Test
    void shouldAnswerOtherSlotsWhileOneIsHeld() {
        driver.function.faults().hold(Opcode.QUERY_ISSI);
        RawDriver.Pending held = queryIssi().slot(0).start();
        RawDriver.Request other =
                driver.request(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT)
                        .opMod(CapabilityGroup.queryCurrent(CapabilityGroup.ROCE))
                        .slot(31);
        other.ok();

        assertThat(held.isAnswered()).isFalse();
        driver.function.faults().release();
        driver.settle();
        assertThat(held.answer().status()).isZero();
    }

    @Test
    void shouldTouchNothingBeforeBusMaster() {
        driver.host.busMaster(false);
        RawDriver.Pending pending = queryIssi().start();
        driver.settle();

        assertThat(pending.isAnswered()).isFalse();
        assertThat(driver.function.findings().list(Finding.Kind.DMA))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("came while bus master was off", "the command is lost");
        driver.host.busMaster(true);
        queryIssi().ok();
    }

    private void signCommands() {
        RawDriver.Answer current =
                driver.request(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT)
                        .opMod(CapabilityGroup.queryCurrent(CapabilityGroup.GENERAL))
                        .ok();
        RawDriver.Request set =
                driver.request(Opcode.SET_HCA_CAP, SetHcaCapIn.LAYOUT, SetHcaCapOut.LAYOUT);
        MemorySegment.copy(current.out(), 0x10, set.in, 0x10, 4096);
        set.ok();
        driver.signing = true;
    }

    @Test
    void shouldVerifyAndMakeSignaturesOnceTheyAreOn() {
        signCommands();
        RawDriver.Pending good = queryIssi().start();
        driver.settle();
        assertThat(good.answer().delivery()).isZero();
        assertThat(Mailboxes.xor(good.entry, 0, 64)).isEqualTo(0xff);
        long block =
                CmdQueueEntry.OUTPUT_MAILBOX_POINTER_63_32.get(good.entry, 0) << 32
                        | CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.get(good.entry, 0) << 9;
        assertThat(Mailboxes.xor(driver.host.at(block, 576), 0, 576)).isEqualTo(0xff);
        assertThat(Mailboxes.xor(driver.host.at(block, 576), 512, 575)).isEqualTo(0xff);
        withInputMailbox().ok();

        driver.signing = false;
        assertThat(queryIssi().run().delivery()).isEqualTo(DeliveryStatus.SIGNATURE_ERROR);
    }

    @Test
    void shouldFindAMailboxThatWasChangedAfterItsSignature() {
        signCommands();
        RawDriver.Request request = withInputMailbox();
        RawDriver.Pending pending = request.start();
        long block =
                CmdQueueEntry.INPUT_MAILBOX_POINTER_63_32.get(pending.entry, 0) << 32
                        | CmdQueueEntry.INPUT_MAILBOX_POINTER_31_9.get(pending.entry, 0) << 9;
        MemorySegment bytes = driver.host.at(block + 100, 1);
        bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) ~bytes.get(ValueLayout.JAVA_BYTE, 0));
        driver.settle();

        assertThat(pending.answer().delivery()).isEqualTo(DeliveryStatus.SIGNATURE_ERROR);
    }

    @Test
    void shouldTakeItsTimeWhenTold() throws IOException {
        driver.close();
        driver = new RawDriver(RawDriver.plain().commandMillis(20));
        driver.setQueue();
        long start = System.nanoTime();
        RawDriver.Pending pending =
                driver.request(Opcode.ENABLE_HCA, EnableHcaIn.LAYOUT, EnableHcaOut.LAYOUT).start();
        while (!pending.isAnswered()) {
            driver.function.poll();
        }

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }
}
