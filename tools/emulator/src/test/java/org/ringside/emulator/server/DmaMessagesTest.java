package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.device.DmaFault.Reason;
import org.ringside.emulator.device.HostMemory;
import org.ringside.linux.Errno;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.DmaAccess;
import org.ringside.vfio.user.Payload.RegionAccess;

/** Memory without a descriptor: the server asks the client for its bytes. */
class DmaMessagesTest extends ServerTest {
    private static final long IOVA = 0x40000;

    @BeforeEach
    void map() throws IOException {
        client.enable();
        assertThat(client.errno(client.dmaMap(IOVA, 0x400000, READ_WRITE, 0))).isZero();
        client.write(0, TestFunction.SOURCE, 8, IOVA);
        client.write(0, TestFunction.TARGET, 8, IOVA + 0x1000);
        client.write(0, TestFunction.LENGTH, 8, 8);
    }

    private Message expect(Command command, long address, long count) throws IOException {
        Message request = client.receive();
        assertThat(request.isReply()).isFalse();
        assertThat(Command.of(request.command())).isEqualTo(command);
        assertThat(request.getLong(DmaAccess.ADDRESS)).isEqualTo(address);
        assertThat(request.getLong(DmaAccess.COUNT)).isEqualTo(count);
        return request;
    }

    private static Message data(Message request, long value) {
        int count = (int) request.getLong(DmaAccess.COUNT);
        Message reply =
                new Message(DmaAccess.SIZE + count)
                        .reply(request.command(), request.id(), DmaAccess.SIZE + count)
                        .putLong(DmaAccess.ADDRESS, request.getLong(DmaAccess.ADDRESS))
                        .putLong(DmaAccess.COUNT, count);
        return reply.putLong(DmaAccess.DATA, value);
    }

    private static Message done(Message request) {
        return new Message(64)
                .reply(request.command(), request.id(), DmaAccess.SIZE)
                .putLong(DmaAccess.ADDRESS, request.getLong(DmaAccess.ADDRESS))
                .putLong(DmaAccess.COUNT, request.getLong(DmaAccess.COUNT));
    }

    @Test
    void shouldAskClientWhileItWaitsForItsOwnReply() throws IOException {
        Message go = client.regionWrite(0, TestFunction.GO, 8, 1);
        client.send(go);
        client.send(data(expect(Command.DMA_READ, IOVA, 8), 0x1234567));
        Message write = expect(Command.DMA_WRITE, IOVA + 0x1000, 8);
        assertThat(write.getLong(DmaAccess.DATA)).isEqualTo(0x1234567);
        client.send(done(write));
        assertThat(client.receive().id()).isEqualTo(go.id());
        assertThat(client.read(0, TestFunction.STATUS, 8)).isEqualTo(TestFunction.DONE);
    }

    @Test
    void shouldTakeRequestsOfTheClientBeforeItsReply() throws IOException {
        client.send(client.regionWrite(0, TestFunction.GO, 8, 1));
        Message read = expect(Command.DMA_READ, IOVA, 8);
        // The client sends three requests of its own, and only then the data.
        client.send(client.regionWrite(0, TestFunction.SCRATCH, 8, 1));
        client.send(client.dmaUnmap(0x9000000, 0x1000, 0));
        Message config = client.regionRead(Region.CONFIG, 0, 4);
        client.send(config);
        client.send(data(read, 5));
        client.send(done(expect(Command.DMA_WRITE, IOVA + 0x1000, 8)));
        assertThat(Command.of(client.receive().command())).isEqualTo(Command.REGION_WRITE);
        assertThat(Command.of(client.receive().command())).isEqualTo(Command.REGION_WRITE);
        assertThat(Command.of(client.receive().command())).isEqualTo(Command.DMA_UNMAP);
        Message reply = client.receive();
        assertThat(reply.id()).isEqualTo(config.id());
        assertThat(reply.getInt(RegionAccess.DATA)).isEqualTo(0x42421b36);
    }

    @Test
    void shouldSplitWhatIsLargerThanOneMessage() throws IOException {
        HostMemory dma = agent.call(() -> function.host().dma());
        byte[] bytes = new byte[(1 << 20) + 16];
        CompletableFuture<Void> transfer =
                CompletableFuture.runAsync(
                        () ->
                                agent.run(
                                        () ->
                                                dma.read(
                                                        IOVA,
                                                        MemorySegment.ofArray(bytes),
                                                        0,
                                                        bytes.length)));
        client.send(data(expect(Command.DMA_READ, IOVA, 1 << 20), 1));
        client.send(data(expect(Command.DMA_READ, IOVA + (1 << 20), 16), 2));
        transfer.orTimeout(10, TimeUnit.SECONDS).join();
        MemorySegment all = MemorySegment.ofArray(bytes);
        assertThat(all.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(1);
        assertThat(all.get(ValueLayout.JAVA_LONG_UNALIGNED, 1 << 20)).isEqualTo(2);
    }

    @Test
    void shouldFaultWhenClientReportsAnError() throws IOException {
        client.send(client.regionWrite(0, TestFunction.GO, 8, 1));
        Message read = expect(Command.DMA_READ, IOVA, 8);
        client.send(new Message(16).error(read.command(), read.id(), Errno.ENODEV));
        assertThat(client.receive().error()).isZero();
        assertThat(client.read(0, TestFunction.STATUS, 8))
                .isEqualTo(TestFunction.DONE + 1 + Reason.FAILED.ordinal());
    }

    @Test
    void shouldResetFunctionWhenClientGoesDuringDma() throws IOException {
        client.send(client.regionWrite(0, TestFunction.GO, 8, 1));
        expect(Command.DMA_READ, IOVA, 8);
        reconnect();
        assertThat(client.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
        assertThat(agent.call(() -> function.events))
                .containsSubsequence(
                        "DMA read of 8 bytes at IOVA 0x40000 found no client", "reset CLIENT_LOST");
    }

    @Test
    void shouldResetAfterDmaThatIsUnderWay() throws IOException {
        client.send(client.regionWrite(0, TestFunction.GO, 8, 1));
        Message read = expect(Command.DMA_READ, IOVA, 8);
        Message reset = client.request(Command.DEVICE_RESET, 0);
        client.send(reset);
        client.send(data(read, 5));
        client.send(done(expect(Command.DMA_WRITE, IOVA + 0x1000, 8)));
        assertThat(client.receive().error()).isZero();
        Message reply = client.receive();
        assertThat(reply.id()).isEqualTo(reset.id());
        assertThat(agent.call(() -> function.events)).endsWith("reset DEVICE");
    }

    @Test
    void shouldEndSessionWhenReplyHasTheOldLayout() throws IOException {
        client.send(client.regionWrite(0, TestFunction.GO, 8, 1));
        Message read = expect(Command.DMA_READ, IOVA, 8);
        client.send(new Message(64).reply(read.command(), read.id(), 12 + 8));
        client.awaitEnd();
    }

    @Test
    void shouldEndSessionWhenReplyIsOfAnotherRequest() throws IOException {
        client.send(client.regionWrite(0, TestFunction.GO, 8, 1));
        Message read = expect(Command.DMA_READ, IOVA, 8);
        client.send(new Message(64).reply(read.command(), read.id() + 1, 12 + 8));
        client.awaitEnd();
    }
}
