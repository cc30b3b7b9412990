package org.ringside.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.user.VfioUserDevice;

class EmulatorTest {
    @TempDir Path directory;

    private Path socket() {
        return directory.resolve("s");
    }

    @Test
    void shouldServeOneClientAfterTheOther() throws IOException, VfioException {
        try (Emulator emulator = Emulator.start(socket(), DeviceOptions.named("x").build())) {
            for (int i = 0; i < 3; i++) {
                try (VfioDevice device = VfioUserDevice.open(emulator.socket())) {
                    assertThat(device.config().vendorAndDevice()).isEqualTo(0x15b3_1018);
                    device.config().enableMemoryAndBusMaster();
                    Mmio bar = device.mmio(Region.BAR0);
                    int revision = Integer.reverseBytes(bar.getInt(4));
                    assertThat(InitialSeg.CMD_INTERFACE_REV.extract(revision)).isEqualTo(5);
                }
            }
            assertThat(emulator.findings().list()).isEmpty();
        }
        assertThat(socket()).doesNotExist();
    }

    @Test
    void shouldOfferAllUarsButTheFirstForMapping() throws IOException, VfioException {
        try (Emulator emulator = Emulator.start(socket(), DeviceOptions.named("x").build());
                VfioDevice device = VfioUserDevice.open(emulator.socket())) {
            Region region = device.region(Region.BAR0);
            assertThat(region.size()).isEqualTo(4 << 20);
            assertThat(region.mappable())
                    .containsExactly(new Region.Area(0x11000, (4 << 20) - 0x11000));
            assertThat(device.mmio(Region.BAR0).slice(0x11000, 4096).mapped()).isPresent();
        }
    }

    @Test
    void shouldRefuseASocketThatAnotherServes() throws IOException {
        DeviceOptions options = DeviceOptions.named("x").build();
        Emulator emulator = Emulator.start(socket(), options);
        assertThatThrownBy(() -> Emulator.start(socket(), options))
                .hasMessageContaining("listens there; stop it");
        emulator.close();
        emulator.close();
        Emulator.start(socket(), options).close();
    }

    @Test
    void shouldParseDeviceNames() {
        assertThat(DeviceName.serves("emulated")).isTrue();
        assertThat(DeviceName.serves("emulated/a?x=y")).isTrue();
        assertThat(DeviceName.serves("emulated2")).isFalse();
        assertThat(DeviceName.parse("emulated").options().name()).isEqualTo("emulated");
        DeviceName name = DeviceName.parse("emulated/a?doorbells=trapped&wire=left&profile=pf");
        assertThat(name.wire()).isEqualTo("left");
        assertThat(name.options().doorbells()).isEqualTo(DeviceOptions.Doorbells.TRAPPED);
        assertThatThrownBy(() -> DeviceName.parse("emulated/?x"))
                .hasMessageContaining("the device's name is \"\"");
        assertThatThrownBy(() -> DeviceName.parse("emulated/a?doorbells"))
                .hasMessageContaining("write option=value");
    }

    @Test
    void shouldKeepItsDirectoryToItselfAndRemoveStaleOnes() throws IOException {
        Path stale = Files.createDirectory(directory.resolve("ringside-emulated-999999999-x"));
        Files.createFile(stale.resolve("s"));
        Path other = Files.createDirectory(directory.resolve("ringside-emulated-nobody"));
        try (PrivateDirectory mine = PrivateDirectory.create(directory)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mine.path())))
                    .isEqualTo("rwx------");
            assertThat(stale).doesNotExist();
            assertThat(other).exists();
            try (PrivateDirectory second = PrivateDirectory.create(directory)) {
                assertThat(mine.path()).exists().isNotEqualTo(second.path());
            }
        }
        try (var left = Files.list(directory)) {
            assertThat(left).containsExactly(other);
        }
    }
}
