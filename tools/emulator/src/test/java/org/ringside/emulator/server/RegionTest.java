package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.linux.Errno;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Header;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.DeviceInfo;
import org.ringside.vfio.user.Payload.RegionAccess;
import org.ringside.vfio.user.Payload.RegionCapability;
import org.ringside.vfio.user.Payload.RegionInfo;
import org.ringside.vfio.user.Payload.RegionIoFds;
import org.ringside.vfio.user.Payload.SparseMmap;
import org.ringside.vfio.user.Payload.WriteMulti;

/** Device and region information, accesses to regions. The function has shared pages. */
class RegionTest extends ServerTest {
    @Override
    TestFunction makeFunction() throws IOException {
        return TestFunction.withSharedPages();
    }

    private Message info(int index, int argsz) {
        return client.request(Command.DEVICE_GET_REGION_INFO, RegionInfo.SIZE)
                .putInt(RegionInfo.ARGSZ, argsz)
                .putInt(RegionInfo.INDEX, index);
    }

    @Test
    void shouldDescribeDevice() throws IOException {
        Message request = client.request(Command.DEVICE_GET_INFO, 16).putInt(0, 16);
        Message reply = client.call(request);
        assertThat(reply.payloadSize()).isEqualTo(DeviceInfo.SIZE);
        assertThat(reply.getInt(DeviceInfo.ARGSZ)).isEqualTo(16);
        assertThat(reply.getInt(DeviceInfo.FLAGS)).isEqualTo(DeviceInfo.RESET | DeviceInfo.PCI);
        assertThat(reply.getInt(DeviceInfo.NUM_REGIONS)).isEqualTo(9);
        assertThat(reply.getInt(DeviceInfo.NUM_IRQS)).isEqualTo(5);
        request = client.request(Command.DEVICE_GET_INFO, 16).putInt(0, 15);
        assertThat(client.errno(request)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldTellRoomThatRegionInfoNeeds() throws IOException {
        Message reply = client.call(info(0, 32));
        assertThat(reply.payloadSize()).isEqualTo(32);
        assertThat(reply.getInt(RegionInfo.ARGSZ)).isEqualTo(32 + 16 + 2 * 16);
        assertThat(reply.getInt(RegionInfo.FLAGS)).isEqualTo(RegionInfo.READ | RegionInfo.WRITE);
        assertThat(reply.getInt(RegionInfo.CAP_OFFSET)).isZero();
        assertThat(reply.getLong(RegionInfo.LENGTH)).isEqualTo(TestFunction.BAR_SIZE);
        assertThat(reply.fds()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 4096, Integer.MAX_VALUE, -1})
    void shouldDescribeSharedAreasWhenThereIsRoom(int argsz) throws IOException {
        Message reply = client.call(info(0, argsz));
        assertThat(reply.payloadSize()).isEqualTo(80);
        assertThat(reply.getInt(RegionInfo.ARGSZ)).isEqualTo(80);
        assertThat(reply.getInt(RegionInfo.FLAGS))
                .isEqualTo(RegionInfo.READ | RegionInfo.WRITE | RegionInfo.MMAP | RegionInfo.CAPS);
        int at = reply.getInt(RegionInfo.CAP_OFFSET);
        assertThat(at).isEqualTo(32);
        assertThat(reply.getShort(at + RegionCapability.ID)).isEqualTo(1);
        assertThat(reply.getShort(at + RegionCapability.VERSION)).isEqualTo(1);
        assertThat(reply.getInt(at + RegionCapability.NEXT)).isZero();
        assertThat(reply.getInt(at + SparseMmap.NUM_AREAS)).isEqualTo(2);
        assertThat(reply.getLong(at + SparseMmap.AREAS)).isEqualTo(0x2000);
        assertThat(reply.getLong(at + SparseMmap.AREAS + 8)).isEqualTo(0x2000);
        assertThat(reply.getLong(at + SparseMmap.AREAS + 16)).isEqualTo(0x5000);
        assertThat(reply.getLong(at + SparseMmap.AREAS + 24)).isEqualTo(0x1000);
        assertThat(reply.fds()).hasSize(1);
        assertThat(RawClient.CALLS.fstat(reply.fds()[0]).size()).isEqualTo(TestFunction.BAR_SIZE);
        reply.closeFds(RawClient.CALLS);
    }

    @Test
    void shouldDescribeRegionsWithoutPagesInShort() throws IOException {
        Message config = client.call(info(Region.CONFIG, 32));
        assertThat(config.getInt(RegionInfo.ARGSZ)).isEqualTo(32);
        assertThat(config.getInt(RegionInfo.FLAGS)).isEqualTo(RegionInfo.READ | RegionInfo.WRITE);
        assertThat(config.getLong(RegionInfo.LENGTH)).isEqualTo(4096);
        for (int index : new int[] {1, 2, 3, 4, 5, Region.ROM, Region.VGA}) {
            Message absent = client.call(info(index, 32));
            assertThat(absent.getInt(RegionInfo.INDEX)).isEqualTo(index);
            assertThat(absent.getInt(RegionInfo.FLAGS)).isZero();
            assertThat(absent.getLong(RegionInfo.LENGTH)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"9, 32", "-1, 32", "2147483647, 32", "0, 31", "0, 0"})
    void shouldRefuseBadRegionInfo(int index, int argsz) throws IOException {
        assertThat(client.errno(info(index, argsz))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldHaveNoIoFds() throws IOException {
        Message request = client.request(Command.DEVICE_GET_REGION_IO_FDS, RegionIoFds.SIZE);
        Message reply = client.call(request.putInt(RegionIoFds.ARGSZ, 4096));
        assertThat(reply.error()).isZero();
        assertThat(reply.getInt(RegionIoFds.ARGSZ)).isEqualTo(16);
        assertThat(reply.getInt(RegionIoFds.COUNT)).isZero();
    }

    @Test
    void shouldSplitAccessIntoAlignedPieces() throws IOException {
        client.enable();
        client.write(0, 0x9, 15, 0x0807060504030201L);
        assertThat(agent.call(() -> function.events))
                .containsSubsequence(
                        "write 1 at 9 = 1",
                        "write 2 at 10 = " + 0x0302,
                        "write 4 at 12 = " + 0x07060504L,
                        "write 8 at 16 = " + 0x0706050403020108L);
        client.read(0, TestFunction.ID + 1, 3);
        assertThat(agent.call(() -> function.events)).endsWith("read 1 at 1", "read 2 at 2");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0xfffc, 8",
        "0, 0x10000, 1",
        "0, -8, 8",
        "0, 0, -1",
        "0, 0, 2000000",
        "1, 0, 4",
        "6, 0, 4",
        "8, 0, 4",
        "9, 0, 4",
        "-1, 0, 4",
        "7, 4096, 1",
        "7, 4094, 4"
    })
    void shouldRefuseReadOutsideOfRegions(int region, String offset, int count) throws IOException {
        client.enable();
        assertThat(client.errno(client.regionRead(region, Long.decode(offset), count)))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldTakeAccessOfNoBytes() throws IOException {
        assertThat(client.read(Region.CONFIG, 4096, 0)).isZero();
        client.write(0, 0, 0, 0);
    }

    @Test
    void shouldRefuseWriteWhoseCountLies() throws IOException {
        Message more = client.regionWrite(0, 8, 8, 1).putInt(RegionAccess.COUNT, 16);
        assertThat(client.errno(more)).isEqualTo(Errno.EINVAL);
        Message less = client.regionWrite(0, 8, 8, 1).putInt(RegionAccess.COUNT, 4);
        assertThat(client.errno(less)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldExecutePostedWritesInOrderAndSilently() throws IOException {
        client.enable();
        for (int i = 0; i < 100; i++) {
            Message write = client.regionWrite(0, TestFunction.SCRATCH, 8, i);
            client.send(write.flag(Header.FLAG_NO_REPLY));
        }
        client.send(client.regionWrite(0, 0x10000, 8, 1).flag(Header.FLAG_NO_REPLY));
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isEqualTo(99);
    }

    private Message multi(int count, int items) {
        Message message = client.request(Command.REGION_WRITE_MULTI, 8 + items * 24);
        message.putLong(WriteMulti.COUNT, count);
        for (int i = 0; i < items; i++) {
            long at = WriteMulti.ITEMS + i * 24L;
            message.putLong(at + WriteMulti.ITEM_OFFSET, TestFunction.SCRATCH)
                    .putInt(at + WriteMulti.ITEM_REGION, 0)
                    .putInt(at + WriteMulti.ITEM_LENGTH, 8)
                    .putLong(at + WriteMulti.ITEM_DATA, i + 1);
        }
        return message;
    }

    @Test
    void shouldExecuteManyWritesOfOneMessage() throws IOException {
        client.enable();
        client.send(multi(200, 200).flag(Header.FLAG_NO_REPLY));
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isEqualTo(200);
        Message reply = client.call(multi(3, 3));
        assertThat(reply.getLong(WriteMulti.COUNT)).isEqualTo(3);
    }

    @Test
    void shouldRefuseManyWritesWithABadOne() throws IOException {
        client.enable();
        assertThat(client.errno(multi(4, 3))).isEqualTo(Errno.EINVAL);
        assertThat(client.errno(multi(-1, 3))).isEqualTo(Errno.EINVAL);
        long third = WriteMulti.ITEMS + 2 * 24;
        Message region = multi(3, 3).putInt(third + WriteMulti.ITEM_REGION, 5);
        assertThat(client.errno(region)).isEqualTo(Errno.EINVAL);
        Message length = multi(3, 3).putInt(third + WriteMulti.ITEM_LENGTH, 9);
        assertThat(client.errno(length)).isEqualTo(Errno.EINVAL);
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isZero();
    }

    @Test
    void shouldReadAllOnesWhileMemoryDecodeIsOff() throws IOException {
        assertThat(client.read(0, TestFunction.ID, 4)).isEqualTo(0xffff_ffffL);
        client.write(0, TestFunction.SCRATCH, 8, 7);
        client.enable();
        assertThat(client.read(0, TestFunction.ID, 4)).isEqualTo(TestFunction.MAGIC);
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isZero();
    }

    @Test
    void shouldKeepMsixTableFromTheModel() throws IOException {
        client.enable();
        int before = agent.call(() -> function.events.size());
        assertThat(client.read(0, TestFunction.TABLE + 12, 4)).isEqualTo(1);
        client.write(0, TestFunction.TABLE, 8, 0xfee00000L);
        assertThat(client.read(0, TestFunction.TABLE, 8)).isEqualTo(0xfee00000L);
        client.write(0, TestFunction.PBA, 8, -1);
        assertThat(client.read(0, TestFunction.PBA, 8)).isZero();
        assertThat(agent.call(() -> function.events.size())).isEqualTo(before);
    }
}
