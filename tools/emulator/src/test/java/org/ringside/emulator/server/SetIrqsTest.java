package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.linux.Errno;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.IrqInfo;
import org.ringside.vfio.user.Payload.IrqSet;

/** DEVICE_GET_IRQ_INFO and DEVICE_SET_IRQS. */
class SetIrqsTest extends ServerTest {
    private static final int NONE_TRIGGER = 0x21;
    private static final int BOOL_TRIGGER = 0x22;
    private final int[] events = new int[TestFunction.VECTORS];

    @BeforeEach
    void makeEvents() throws IOException {
        for (int i = 0; i < events.length; i++) {
            events[i] = RawClient.CALLS.eventfd();
        }
        client.enable();
    }

    @AfterEach
    void closeEvents() throws IOException {
        for (int event : events) {
            RawClient.CALLS.close(event);
        }
    }

    private int[] first(int count) {
        return Arrays.copyOf(events, count);
    }

    private long taken(int vector) throws IOException {
        return RawClient.CALLS.eventfdRead(events[vector]);
    }

    private int set(int index, int flags, int start, int count, int... fds) throws IOException {
        return client.errno(client.setIrqs(index, flags, start, count, fds));
    }

    private void raise(int vector) throws IOException {
        client.write(0, TestFunction.IRQ, 8, vector);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 0, 0", "2, 24, 1", "3, 1, 1", "4, 1, 1"})
    void shouldDescribeInterrupts(int index, int count, int flags) throws IOException {
        Message request =
                client.request(Command.DEVICE_GET_IRQ_INFO, IrqInfo.SIZE)
                        .putInt(IrqInfo.ARGSZ, IrqInfo.SIZE)
                        .putInt(IrqInfo.INDEX, index);
        Message reply = client.call(request);
        assertThat(reply.getInt(IrqInfo.COUNT)).isEqualTo(count);
        assertThat(reply.getInt(IrqInfo.FLAGS)).isEqualTo(flags);
    }

    @Test
    void shouldRefuseInfoOfUnknownInterrupt() throws IOException {
        Message request =
                client.request(Command.DEVICE_GET_IRQ_INFO, IrqInfo.SIZE)
                        .putInt(IrqInfo.ARGSZ, IrqInfo.SIZE)
                        .putInt(IrqInfo.INDEX, 5);
        assertThat(client.errno(request)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldSignalAttachedVectors() throws IOException {
        assertThat(set(MSIX, ATTACH, 0, 3, first(3))).isZero();
        raise(0);
        raise(2);
        raise(2);
        assertThat(taken(0)).isEqualTo(1);
        assertThat(taken(1)).isZero();
        assertThat(taken(2)).isEqualTo(2);
    }

    @Test
    void shouldDropAndCountWhatCannotBeSent() throws IOException {
        raise(1);
        assertThat(set(MSIX, ATTACH, 0, 2, first(2))).isZero();
        client.write(Region.CONFIG, 4, 2, 2);
        raise(1);
        client.enable();
        assertThat(taken(1)).isZero();
        assertThat(agent.call(() -> function.host().droppedInterrupts())).isEqualTo(2);
        raise(1);
        assertThat(taken(1)).isEqualTo(1);
    }

    @Test
    void shouldAddVectorsOneAtATime() throws IOException {
        for (int i = 0; i < events.length; i++) {
            assertThat(set(MSIX, ATTACH, i, 1, events[i])).isZero();
        }
        raise(23);
        assertThat(taken(23)).isEqualTo(1);
    }

    @Test
    void shouldDetachVectorsThatComeWithoutDescriptors() throws IOException {
        assertThat(set(MSIX, ATTACH, 0, 16, first(16))).isZero();
        int before = RawClient.openFiles().size();
        assertThat(set(MSIX, ATTACH, 4, 12)).isZero();
        assertThat(RawClient.openFiles()).hasSize(before - 12);
        raise(4);
        raise(3);
        assertThat(taken(4)).isZero();
        assertThat(taken(3)).isEqualTo(1);
        assertThat(set(MSIX, ATTACH, 16, 8)).isZero();
    }

    @Test
    void shouldReplaceDescriptorOfVector() throws IOException {
        assertThat(set(MSIX, ATTACH, 0, 1, events[0])).isZero();
        int before = RawClient.openFiles().size();
        assertThat(set(MSIX, ATTACH, 0, 1, events[1])).isZero();
        assertThat(RawClient.openFiles()).hasSize(before);
        raise(0);
        assertThat(taken(0)).isZero();
        assertThat(taken(1)).isEqualTo(1);
    }

    @Test
    void shouldDetachAllWhenDisabled() throws IOException {
        int before = RawClient.openFiles().size();
        assertThat(set(MSIX, ATTACH, 0, 16, first(16))).isZero();
        assertThat(set(MSIX, NONE_TRIGGER, 0, 0)).isZero();
        assertThat(RawClient.openFiles()).hasSize(before);
    }

    @Test
    void shouldFireVectorsOnRequest() throws IOException {
        assertThat(set(MSIX, ATTACH, 0, 4, first(4))).isZero();
        assertThat(set(MSIX, NONE_TRIGGER, 1, 2)).isZero();
        Message bools = client.request(Command.DEVICE_SET_IRQS, IrqSet.SIZE + 3);
        bools.putInt(IrqSet.ARGSZ, IrqSet.SIZE + 3)
                .putInt(IrqSet.FLAGS, BOOL_TRIGGER)
                .putInt(IrqSet.INDEX, MSIX)
                .putInt(IrqSet.START, 1)
                .putInt(IrqSet.COUNT, 3)
                .putByte(IrqSet.DATA + 1, (byte) 1);
        assertThat(client.errno(bools)).isZero();
        assertThat(taken(0)).isZero();
        assertThat(taken(1)).isEqualTo(1);
        assertThat(taken(2)).isEqualTo(2);
        assertThat(taken(3)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "2, 0x20, 0, 1, 0", // no data
        "2, 0x01, 0, 1, 0", // no action
        "2, 0x23, 0, 1, 0", // two kinds of data
        "2, 0x31, 0, 1, 0", // two actions
        "2, 0x39, 0, 1, 0",
        "2, 0x61, 0, 1, 0", // unknown flag
        "5, 0x24, 0, 1, 1", // unknown index
        "-1, 0x24, 0, 1, 1",
        "2, 0x24, 24, 1, 1", // outside
        "2, 0x24, 20, 5, 5",
        "2, 0x24, 2147483647, 1, 1",
        "2, 0x24, -1, 1, 1",
        "2, 0x24, 1, -1, 0",
        "2, 0x24, 0, 4, 3", // descriptors do not fit
        "2, 0x24, 0, 2, 3",
        "2, 0x21, 0, 1, 1", // descriptors where none belong
        "2, 0x22, 0, 1, 0", // bools missing
        "2, 0x24, 0, 0, 0", // nothing, but not disable
        "2, 0x21, 1, 0, 0",
        "2, 0x09, 0, 0, 0",
        "3, 0x24, 0, 2, 2", // ERR and REQ have one each
        "4, 0x24, 1, 1, 1",
        "0, 0x24, 0, 1, 1", // no pin, no MSI
        "1, 0x24, 0, 1, 1"
    })
    void shouldRefuseBadRequest(String index, String flags, String start, String count, int fds)
            throws IOException {
        int before = RawClient.openFiles().size();
        assertThat(
                        set(
                                Integer.decode(index),
                                Integer.decode(flags),
                                Integer.decode(start),
                                Integer.decode(count),
                                first(fds)))
                .isEqualTo(Errno.EINVAL);
        assertThat(RawClient.openFiles()).hasSize(before);
    }

    @ParameterizedTest
    @CsvSource({"2, 0x09", "2, 0x11", "3, 0x09", "4, 0x11"})
    void shouldRefuseToMask(int index, String flags) throws IOException {
        assertThat(set(index, Integer.decode(flags), 0, 1)).isEqualTo(Errno.ENOTTY);
    }

    @Test
    void shouldRefuseDescriptorThatIsNoEventfd() throws IOException {
        int memfd = RawClient.memfd(4096);
        int before = RawClient.openFiles().size();
        assertThat(set(MSIX, ATTACH, 0, 2, events[0], memfd)).isEqualTo(Errno.EINVAL);
        assertThat(RawClient.openFiles()).hasSize(before);
        RawClient.CALLS.close(memfd);
    }

    @Test
    void shouldTakeErrorInterruptWithAndWithoutDescriptor() throws IOException {
        assertThat(set(3, ATTACH, 0, 1, events[0])).isZero();
        assertThat(set(3, NONE_TRIGGER, 0, 1)).isZero();
        assertThat(taken(0)).isEqualTo(1);
        assertThat(set(3, ATTACH, 0, 1)).isZero();
        assertThat(set(4, ATTACH, 0, 1, events[0])).isZero();
    }

    @Test
    void shouldTakeDisableOfInterruptThatThereIsNot() throws IOException {
        assertThat(set(0, NONE_TRIGGER, 0, 0)).isZero();
        assertThat(set(1, NONE_TRIGGER, 0, 0)).isZero();
    }

    @Test
    void shouldCloseEventsWhenClientGoes() throws IOException {
        int before = RawClient.openFiles().size();
        assertThat(set(MSIX, ATTACH, 0, 16, first(16))).isZero();
        reconnect();
        assertThat(RawClient.openFiles()).hasSize(before);
        client.enable();
        raise(0);
        assertThat(taken(0)).isZero();
    }

    @Test
    void shouldKeepEventsAcrossReset() throws IOException {
        assertThat(set(MSIX, ATTACH, 0, 1, events[0])).isZero();
        assertThat(client.errno(client.request(Command.DEVICE_RESET, 0))).isZero();
        client.enable();
        raise(0);
        assertThat(taken(0)).isEqualTo(1);
    }
}
