package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.UnixSockets;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Header;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.DeviceFeature;
import org.ringside.vfio.user.Payload.RegionAccess;
import org.ringside.vfio.user.Payload.Version;

/** Framing, negotiation, the life of sessions. */
class SessionTest extends ServerTest {
    private static byte[] header(int id, int command, int size, int flags) {
        return ByteBuffer.allocate(Header.SIZE)
                .order(ByteOrder.nativeOrder())
                .putShort((short) id)
                .putShort((short) command)
                .putInt(size)
                .putInt(flags)
                .putInt(0)
                .array();
    }

    @Test
    void shouldEndSessionWhenHeaderIsShort() throws IOException {
        client.sendBytes(new byte[] {1, 2, 3});
        reconnect();
        assertThat(client.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, (1 << 20) + 5000, Integer.MAX_VALUE, -1})
    void shouldEndSessionWhenSizeIsBad(int size) throws IOException {
        client.sendBytes(header(1, Command.DEVICE_GET_INFO.number(), size, 0));
        client.awaitEnd();
        reconnect();
        assertThat(client.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 14, 19, 77, 0xffff})
    void shouldRefuseUnknownCommandAndGoOn(int command) throws IOException {
        client.sendBytes(header(77, command, Header.SIZE, 0));
        Message reply = client.receive();
        assertThat(reply.id()).isEqualTo(77);
        assertThat(reply.command()).isEqualTo(command);
        assertThat(reply.size()).isEqualTo(Header.SIZE);
        assertThat(reply.error()).isEqualTo(Errno.ENOSYS);
        assertThat(client.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
    }

    @Test
    void shouldRefuseCommandsOfTheServerAndOfMigration() throws IOException {
        assertThat(client.errno(client.request(Command.DMA_READ, 16))).isEqualTo(Errno.EINVAL);
        assertThat(client.errno(client.request(Command.DMA_WRITE, 16))).isEqualTo(Errno.EINVAL);
        assertThat(client.errno(client.request(Command.MIG_DATA_READ, 8))).isEqualTo(Errno.ENOTTY);
        Message feature = client.request(Command.DEVICE_FEATURE, DeviceFeature.SIZE);
        assertThat(client.errno(feature)).isEqualTo(Errno.ENOTTY);
    }

    @Test
    void shouldEndSessionAtReplyThatNobodyAskedFor() throws IOException {
        client.sendBytes(header(0, Command.DMA_READ.number(), Header.SIZE, Header.TYPE_REPLY));
        client.awaitEnd();
    }

    @Test
    void shouldEndSessionAtMessageThatIsNeitherRequestNorReply() throws IOException {
        client.sendBytes(header(0, Command.DMA_READ.number(), Header.SIZE, 7));
        client.awaitEnd();
    }

    @Test
    void shouldAnswerMessageThatComesInPieces() throws IOException {
        Message read = client.regionRead(Region.CONFIG, 0, 4);
        byte[] bytes = read.memory().asSlice(0, read.size()).toArray(ValueLayout.JAVA_BYTE);
        for (byte each : bytes) {
            client.sendBytes(new byte[] {each});
        }
        assertThat(client.receive().getInt(RegionAccess.DATA)).isEqualTo(0x42421b36);
    }

    @Test
    void shouldRefuseSecondVersionAndGoOn() throws IOException {
        Message again = client.version(0, 0, RawClient.QEMU_JSON);
        assertThat(client.errno(again)).isEqualTo(Errno.EINVAL);
        assertThat(client.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
    }

    @Test
    void shouldRefuseCommandBeforeVersion() throws IOException {
        client.close();
        client = new RawClient(server.path());
        Message read = client.regionRead(Region.CONFIG, 0, 4);
        assertThat(client.errno(read)).isEqualTo(Errno.EINVAL);
        client.awaitEnd();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]\0",
                "7\0",
                "{\"capabilities\":7}\0",
                "{\"capabilities\":{\"max_msg_fds\":\"many\"}}\0",
                "{\"capabilities\":{\"max_msg_fds\":-1}}\0",
                "{\"capabilities\":{\"max_data_xfer_size\":1.5}}\0",
                "{\"capabilities\":{\"write_multiple\":1}}\0",
                "{\"capabilities\":{\0",
                "\0"
            })
    void shouldRefuseBadJson(String json) throws IOException {
        client.close();
        client = new RawClient(server.path());
        assertThat(client.errno(client.version(0, 0, json))).isEqualTo(Errno.EINVAL);
        client.awaitEnd();
    }

    @Test
    void shouldRefuseOtherMajorVersion() throws IOException {
        client.close();
        client = new RawClient(server.path());
        assertThat(client.errno(client.version(1, 0, "{}\0"))).isEqualTo(Errno.EINVAL);
        client.awaitEnd();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void shouldAnswerWithMinorVersionThatBothKnow(int minor) throws IOException {
        client.close();
        client = new RawClient(server.path());
        Message reply = client.call(client.version(0, minor, "{}\0"));
        assertThat(reply.error()).isZero();
        assertThat(reply.getShort(Version.MINOR)).isEqualTo(Math.min(minor, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}\0",
                "{\"capabilities\":{}}\0",
                "{\"capabilities\":{\"write_multiple\":true}}\0",
                "{\"unknown\":{\"a\":[1,2,{\"b\":null}]},\"capabilities\":{\"new\":\"\\u0041\"}}\0",
                RawClient.QEMU_JSON
            })
    void shouldNeverAnswerVersionWithMoreBytesThanItGot(String json) throws IOException {
        client.close();
        client = new RawClient(server.path());
        Message request = client.version(0, 0, json);
        Message reply = client.call(request);
        assertThat(reply.error()).isZero();
        assertThat(reply.size()).isLessThanOrEqualTo(request.size());
    }

    @Test
    void shouldTellQemuWhatItTakes() throws IOException {
        client.close();
        client = new RawClient(server.path());
        Message reply = client.call(client.version(0, 0, RawClient.QEMU_JSON));
        byte[] bytes =
                reply.memory()
                        .asSlice(
                                Message.at(Version.JSON), reply.payloadSize() - (long) Version.JSON)
                        .toArray(ValueLayout.JAVA_BYTE);
        assertThat(new String(bytes, StandardCharsets.US_ASCII))
                .isEqualTo(
                        "{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576,"
                                + "\"write_multiple\":true,\"pgsizes\":4096,\"max_dma_maps\":65535}}\0");
    }

    @Test
    void shouldCloseDescriptorsOfMessagesThatTakeNone() throws IOException {
        int fd = RawClient.memfd(4096);
        int before = RawClient.openFiles().size();
        for (int i = 0; i < 10; i++) {
            Message read = client.regionRead(Region.CONFIG, 0, 4).withFds(fd, fd, fd);
            assertThat(client.errno(read)).isEqualTo(Errno.EINVAL);
        }
        assertThat(RawClient.openFiles()).hasSize(before);
        client.sendBytes(header(1, Command.DMA_MAP.number(), 3, 0), fd, fd);
        client.awaitEnd();
        client.close();
        client = RawClient.qemu(server.path());
        assertThat(RawClient.openFiles()).hasSize(before);
        RawClient.CALLS.close(fd);
    }

    @Test
    void shouldResetFunctionAndServeNextClient() throws IOException {
        client.enable();
        client.write(0, TestFunction.SCRATCH, 8, 0x1234);
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isEqualTo(0x1234);
        reconnect();
        assertThat(client.read(Region.CONFIG, 4, 2)).isZero();
        client.enable();
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isZero();
        assertThat(agent.call(() -> function.events)).contains("reset CLIENT_LOST");
    }

    @Test
    void shouldServeClientsOneAfterTheOther() throws IOException {
        try (RawClient second = new RawClient(server.path())) {
            second.send(second.version(0, 0, "{}\0"));
            assertThat(second.isReadableWithin(50)).isFalse();
            client.close();
            assertThat(second.receive().error()).isZero();
        }
    }

    @Test
    void shouldEndSessionWhenServerCloses() throws IOException {
        server.close();
        client.awaitEnd();
        assertThat(server.path()).doesNotExist();
        assertThat(function.events).endsWith("reset CLIENT_LOST", "detach");
        server.close();
    }

    @Test
    void shouldMakeSocketForItsOwnerAlone() throws IOException {
        assertThat(Files.getPosixFilePermissions(server.path()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void shouldRefusePathThatAnotherServerListensOn() {
        assertThatThrownBy(
                        () -> VfioUserServer.listen(server.path(), TestFunction.trapped(), agent))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("EADDRINUSE")
                .hasMessageContaining("another process listens there");
    }

    @Test
    void shouldTakePlaceOfStaleSocket() throws IOException {
        int fd = UnixSockets.listen(RawClient.CALLS, directory.resolve("stale"), 1);
        RawClient.CALLS.close(fd);
        try (TestFunction other = TestFunction.trapped();
                VfioUserServer second =
                        VfioUserServer.listen(directory.resolve("stale"), other, agent);
                RawClient raw = RawClient.qemu(second.path())) {
            assertThat(raw.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
        }
    }

    @Test
    void shouldSurviveClientThatSendsMuchAndReadsNothing() throws IOException {
        client.enable();
        for (int i = 0; i < 20_000; i++) {
            client.send(
                    client.regionWrite(0, TestFunction.SCRATCH, 8, i).flag(Header.FLAG_NO_REPLY));
        }
        client.send(client.regionRead(Region.CONFIG, 0, 4));
        client.close();
        client = RawClient.qemu(server.path());
        assertThat(client.read(Region.CONFIG, 0, 2)).isEqualTo(0x1b36);
    }
}
