package org.ringside.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.verbs.VerbsException;

/** Devices that cannot be brought up: what is said, and that everything is given back. */
@Timeout(60)
final class BringUpFaultTest {
    private final FakeFirmware firmware = new FakeFirmware();
    private final TestVfio vfio = new TestVfio(firmware);

    private VerbsException failure() {
        try {
            ConnectX.open("vfio/dev0", vfio, CommandQueueTest.options(100)).close();
        } catch (VerbsException e) {
            return e;
        }
        throw new AssertionError("it came up");
    }

    @Test
    void shouldSayThatFirmwareStaysInPreInit() {
        firmware.set(InitialSeg.INITIALIZING.dword(), 1 << 31);
        VerbsException e = failure();
        assertThat(e.errno()).isEqualTo(VerbsException.ETIMEDOUT);
        assertThat(e)
                .hasMessageContaining("firmware is still initializing after 200 ms")
                .hasMessageContaining("-Dringside.mlx5.preInitMillis");
        assertThat(vfio.done).containsExactly("reset", "bus master on", "bus master off", "close");
        assertThat(firmware.dma.allocated()).isZero();
    }

    @Test
    void shouldSayThatRegistersReadAllOnes() {
        firmware.set(0, -1);
        firmware.set(4, -1);
        firmware.set(InitialSeg.INITIALIZING.dword(), -1);
        VerbsException e = failure();
        assertThat(e.errno()).isEqualTo(VerbsException.ENODEV);
        assertThat(e).hasMessageContaining("registers read all ones for 200 ms");
    }

    @Test
    void shouldSayThatTheDeviceWentAwayWhileStarting() {
        firmware.set(InitialSeg.INITIALIZING.dword(), 1 << 31);
        vfio.lost = true;
        assertThat(failure()).hasMessageContaining("went away while its firmware was starting");
        assertThat(vfio.done).endsWith("close");
    }

    @Test
    void shouldRefuseABarThatIsTooSmall() {
        vfio.barSize = 2048;
        assertThat(failure()).hasMessageContaining("BAR0 has 2048 bytes, a ConnectX has at least");
        assertThat(vfio.done).containsExactly("reset", "close");
    }

    @Test
    void shouldRefuseADeviceOfAnotherVendor() {
        vfio.vendor = 0x8086;
        VerbsException e = failure();
        assertThat(e.errno()).isEqualTo(VerbsException.EOPNOTSUPP);
        assertThat(e).hasMessageContaining("no driver for PCI device 8086:1018");
        assertThat(vfio.done).containsExactly("close");
    }

    @Test
    void shouldRefuseFirmwareWithoutIssi1AndUndoWhatWasDone() {
        List<String> commands = new ArrayList<>();
        firmware.respondWith(
                (slot, entry, in) -> {
                    int opcode = (int) CommandIn.OPCODE.get(MemorySegment.ofArray(in), 0);
                    commands.add(Opcode.name(opcode));
                    firmware.answer(slot, FakeFirmware.status(0, 0), 0);
                });
        VerbsException e = failure();
        assertThat(e).hasMessageContaining("firmware 16.35.4030 does not support ISSI 1");
        assertThat(e.errno()).isEqualTo(VerbsException.EOPNOTSUPP);
        assertThat(commands).containsExactly("ENABLE_HCA", "QUERY_ISSI", "DISABLE_HCA");
        assertThat(vfio.done)
                .containsExactly(
                        "reset", "bus master on", "bus master off", "bus master off", "close");
        assertThat(firmware.dma.allocated()).as("command queue and mailboxes").isZero();
    }

    @Test
    void shouldKeepTheFirstFailureWhenUndoingFailsToo() {
        firmware.respondWith(
                (slot, entry, in) -> {
                    int opcode = (int) CommandIn.OPCODE.get(MemorySegment.ofArray(in), 0);
                    int status = opcode == Opcode.ENABLE_HCA ? 0 : 1;
                    firmware.answer(slot, FakeFirmware.status(status, 0x77), 0);
                });
        VerbsException e = failure();
        assertThat(e).hasMessageContaining("does not support ISSI 1");
        assertThat(e.getSuppressed()).hasSize(1);
        assertThat(e.getSuppressed()[0]).hasMessageContaining("DISABLE_HCA (0x105) failed");
        assertThat(vfio.done).endsWith("close");
    }

    @Test
    void shouldTimeOutWhenNoCommandIsAnswered() {
        firmware.respondWith((slot, entry, in) -> {});
        VerbsException e = failure();
        assertThat(e.errno()).isEqualTo(VerbsException.ETIMEDOUT);
        assertThat(e).hasMessageContaining("no answer to ENABLE_HCA (0x104) in 100 ms");
        assertThat(vfio.done).endsWith("bus master off", "close");
    }
}
