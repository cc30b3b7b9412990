package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.device.HostMemory;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Header;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.DmaMap;
import org.ringside.vfio.user.Payload.IrqInfo;
import org.ringside.vfio.user.Payload.RegionAccess;
import org.ringside.vfio.user.Payload.RegionInfo;

/** What QEMU 11.1 sends, in its order, for a q35 guest with a memfd, with and without a vIOMMU. */
class QemuTrafficTest extends ServerTest {
    private static final long RAM = 256L << 20;
    private static final int DISABLE = 0x21;
    private int ram;
    private HostMemory dma;

    @Override
    TestFunction makeFunction() throws IOException {
        return TestFunction.withSharedPages();
    }

    @BeforeEach
    void makeRam() throws IOException {
        ram = RawClient.memfd(RAM);
        dma = agent.call(() -> function.host().dma());
    }

    @AfterEach
    void closeRam() throws IOException {
        RawClient.CALLS.close(ram);
    }

    private void expectGood(List<Message> sent) throws IOException {
        for (Message message : sent) {
            Message reply = client.receive();
            assertThat(reply.id()).isEqualTo(message.id());
            assertThat(reply.error()).as(message.toString()).isZero();
        }
    }

    /** All of them before the first reply is read. */
    private void pipeline(Message... messages) throws IOException {
        for (Message message : messages) {
            client.send(message);
        }
        expectGood(List.of(messages));
    }

    private boolean isMapped(long iova, long length) {
        return agent.call(() -> dma.isMapped(iova, length, false));
    }

    @Test
    void shouldServeWholeStart() throws IOException {
        pipeline(
                client.dmaMap(0, 0xa0000, READ_WRITE, 0, ram),
                client.dmaMap(0x100000, RAM - 0x100000, READ_WRITE, 0x100000, ram),
                client.dmaMap(0xfffc0000L, 0x40000, DmaMap.READABLE, 0),
                client.dmaMap(0xa0000, 0x60000, READ_WRITE, 0xa0000, ram));
        client.enable();
        assertThat(isMapped(0, RAM)).isTrue();
        assertThat(isMapped(0xfffc0000L, 0x40000)).isTrue();
        client.write(Region.CONFIG, 4, 2, 0);

        assertThat(client.errno(client.request(Command.DEVICE_GET_INFO, 16).putInt(0, 16)))
                .isZero();
        for (int region : new int[] {0, 1, 2, 3, 4, 5, Region.CONFIG}) {
            askRegion(region);
        }
        Message irq = client.request(Command.DEVICE_GET_IRQ_INFO, IrqInfo.SIZE);
        irq.putInt(IrqInfo.ARGSZ, IrqInfo.SIZE).putInt(IrqInfo.INDEX, 3);
        assertThat(client.call(irq).getInt(IrqInfo.COUNT)).isEqualTo(1);

        Message config = client.call(client.regionRead(Region.CONFIG, 0, 4096));
        assertThat(config.payloadSize()).isEqualTo(RegionAccess.SIZE + 4096);
        assertThat(config.getInt(RegionAccess.DATA)).isEqualTo(0x42421b36);

        client.write(Region.CONFIG, 0x30, 4, 0xfffff800L); // ROM probe
        assertThat(client.read(Region.CONFIG, 0x30, 4)).isZero();
        client.write(Region.CONFIG, 0x30, 4, 0);
        assertThat(client.read(Region.CONFIG, 0x3d, 1)).isZero(); // no pin, so no INTx

        int event = RawClient.CALLS.eventfd();
        assertThat(client.errno(client.setIrqs(3, ATTACH, 0, 1, event))).isZero();
        RawClient.CALLS.close(event);

        assertThat(client.errno(client.setIrqs(0, DISABLE, 0, 0))).isZero();
        assertThat(client.read(Region.CONFIG, 4, 2)).isZero();
        client.write(Region.CONFIG, 4, 2, 0);
        assertThat(client.errno(client.request(Command.DEVICE_RESET, 0))).isZero();
        for (int bar = 0x10; bar <= 0x24; bar += 4) {
            client.write(Region.CONFIG, bar, 4, 0);
        }
        pipeline(
                client.dmaUnmap(0, 0xa0000, 0),
                client.dmaUnmap(0xa0000, 0x60000, 0),
                client.dmaMap(0, 0xc0000, READ_WRITE, 0, ram),
                client.dmaMap(0xc0000, 0x40000, DmaMap.READABLE, 0xc0000, ram));
        client.enable();
        assertThat(agent.call(() -> dma.isMapped(0xc0000, 0x40000, true))).isFalse();
        assertThat(isMapped(0xbf000, 0x2000)).isTrue();
    }

    private void askRegion(int index) throws IOException {
        int room = RegionInfo.SIZE;
        Message reply;
        do {
            Message request =
                    client.request(Command.DEVICE_GET_REGION_INFO, RegionInfo.SIZE)
                            .putInt(RegionInfo.ARGSZ, room)
                            .putInt(RegionInfo.INDEX, index);
            reply = client.call(request);
            assertThat(reply.error()).isZero();
            reply.closeFds(RawClient.CALLS);
            int flags = reply.getInt(RegionInfo.FLAGS);
            if ((flags & RegionInfo.CAPS) != 0) {
                assertThat(reply.getInt(RegionInfo.CAP_OFFSET)).isGreaterThanOrEqualTo(32);
            }
            if (reply.getInt(RegionInfo.ARGSZ) <= room) {
                return;
            }
            room = reply.getInt(RegionInfo.ARGSZ);
        } while (true);
    }

    @Test
    void shouldFindSizeOfBars() throws IOException {
        client.write(Region.CONFIG, 0x10, 4, 0xffff_ffffL);
        client.write(Region.CONFIG, 0x14, 4, 0xffff_ffffL);
        assertThat(client.read(Region.CONFIG, 0x10, 4)).isEqualTo(0xffff000cL);
        assertThat(client.read(Region.CONFIG, 0x14, 4)).isEqualTo(0xffff_ffffL);
        client.write(Region.CONFIG, 0x10, 4, 0xfe001234L);
        assertThat(client.read(Region.CONFIG, 0x10, 4)).isEqualTo(0xfe00000cL);
        assertThat(client.read(Region.CONFIG, 0x18, 4)).isZero();
    }

    @Test
    void shouldTakeBarPagesAsDmaWithoutDescriptor() throws IOException {
        pipeline(
                client.dmaMap(0xfe002000L, 0x2000, READ_WRITE, 0),
                client.dmaMap(0xfe005000L, 0x1000, READ_WRITE, 0),
                client.dmaUnmap(0xfe002000L, 0x2000, 0),
                client.dmaUnmap(0xfe005000L, 0x1000, 0));
    }

    @Test
    void shouldTakeUnmapsOfTheWholeSpaceFromVirtualIommu() throws IOException {
        for (int i = 0; i < 512; i++) {
            Message map =
                    client.dmaMap(
                            0x40000000L + i * 4096L, 4096, READ_WRITE, (511 - i) * 8192L, ram);
            assertThat(client.errno(map)).isZero();
        }
        client.enable();
        assertThat(isMapped(0x40000000L, 0x200000)).isTrue();
        List<Message> sent = new ArrayList<>();
        // Powers of two that cover 2^48, around the interrupt window, then the rest of 2^64.
        sent.add(client.dmaUnmap(0, 0x80000000L, 0));
        sent.add(client.dmaUnmap(0x80000000L, 0x40000000L, 0));
        sent.add(client.dmaUnmap(0xc0000000L, 0x20000000L, 0));
        sent.add(client.dmaUnmap(0xe0000000L, 0x1ee00000L, 0));
        sent.add(client.dmaUnmap(0xfef00000L, 0xffffffff01100000L, 0));
        pipeline(sent.toArray(Message[]::new));
        assertThat(isMapped(0x40000000L, 1)).isFalse();
        assertThat(isMapped(0x401ff000L, 1)).isFalse();
    }

    @Test
    void shouldHoldPowerState() throws IOException {
        client.enable();
        client.write(0, TestFunction.SCRATCH, 8, 9);
        int pmcsr = 0x44;
        assertThat(client.read(Region.CONFIG, 0x40, 1)).isEqualTo(1);
        client.write(Region.CONFIG, pmcsr, 2, 3);
        assertThat(client.read(Region.CONFIG, pmcsr, 2) & 3).isEqualTo(3);
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isEqualTo(-1);
        client.write(Region.CONFIG, pmcsr, 2, 0);
        assertThat(client.read(Region.CONFIG, pmcsr, 2) & 3).isZero();
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isEqualTo(9);
    }

    @Test
    void shouldResetFunctionByDeviceControl() throws IOException {
        client.enable();
        client.write(0, TestFunction.SCRATCH, 8, 9);
        client.write(Region.CONFIG, 0x10, 4, 0xfe000000L);
        long control = client.read(Region.CONFIG, 0x68, 2);
        client.write(Region.CONFIG, 0x68, 2, control | 0x8000);
        assertThat(client.read(Region.CONFIG, 0x68, 2)).isEqualTo(control);
        assertThat(client.read(Region.CONFIG, 4, 2)).isZero();
        assertThat(client.read(Region.CONFIG, 0x10, 4)).isEqualTo(0xc);
        assertThat(agent.call(() -> function.events)).endsWith("reset FUNCTION_LEVEL");
        client.enable();
        assertThat(client.read(0, TestFunction.SCRATCH, 8)).isZero();
    }

    @Test
    void shouldTakeMsixEnableBeforeEvents() throws IOException {
        client.enable();
        client.write(Region.CONFIG, 0x9e, 2, 0xc000); // enable, masked
        client.write(Region.CONFIG, 0x9e, 2, 0x8000);
        assertThat(client.read(Region.CONFIG, 0x9e, 2)).isEqualTo(0x8000 | 23);
        assertThat(client.errno(client.setIrqs(0, DISABLE, 0, 0))).isZero();
        int event = RawClient.CALLS.eventfd();
        assertThat(client.errno(client.setIrqs(MSIX, ATTACH, 0, 1, event))).isZero();
        // NORESIZE is clear: more come one at a time; a run of unused ones without descriptors.
        assertThat(client.errno(client.setIrqs(MSIX, ATTACH, 5, 1, event))).isZero();
        assertThat(client.errno(client.setIrqs(MSIX, ATTACH, 1, 4))).isZero();
        client.write(0, TestFunction.IRQ, 8, 5);
        assertThat(RawClient.CALLS.eventfdRead(event)).isEqualTo(1);
        assertThat(client.read(0, TestFunction.PBA, 8)).isZero();
        RawClient.CALLS.close(event);
    }

    @Test
    void shouldTakeQueuedWritesOfOneMessage() throws IOException {
        client.enable();
        Message multi = client.request(Command.REGION_WRITE_MULTI, 8 + 200 * 24);
        multi.putLong(0, 200).flag(Header.FLAG_NO_REPLY);
        for (int i = 0; i < 200; i++) {
            multi.putLong(8 + i * 24L, TestFunction.SCRATCH)
                    .putInt(8 + i * 24L + 12, 4)
                    .putInt(8 + i * 24L + 16, i);
        }
        client.send(multi);
        assertThat(client.read(0, TestFunction.SCRATCH, 4)).isEqualTo(199);
    }

    @Test
    void shouldServeNextMachineAfterHotUnplug() throws IOException {
        assertThat(client.errno(client.dmaMap(0, RAM, READ_WRITE, 0, ram))).isZero();
        assertThat(client.errno(client.dmaUnmap(0, RAM, 0))).isZero();
        reconnect();
        assertThat(client.errno(client.dmaMap(0, RAM, READ_WRITE, 0, ram))).isZero();
        client.enable();
        assertThat(isMapped(0, RAM)).isTrue();
    }
}
