package org.ringside.vfio;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VfioDevicesTest {
    @TempDir Path directory;

    @Test
    void shouldTakeAnAddressForAKernelDevice() {
        assertThatThrownBy(() -> VfioDevices.open("fffe:fe:1e.6"))
                .isInstanceOf(VfioException.class)
                .hasMessageStartingWith("fffe:fe:1e.6: no such device: /sys/bus/pci/devices/");
    }

    @Test
    void shouldTakeAPathForASocket() {
        Path socket = directory.resolve("nobody.sock");
        assertThatThrownBy(() -> VfioDevices.open(socket.toString()))
                .isInstanceOf(VfioException.class)
                .hasMessageContaining(socket.toString())
                .hasMessageContaining("ENOENT");
    }

    @Test
    void shouldSayWhatANameLooksLike() {
        assertThatThrownBy(() -> VfioDevices.open("mlx5_0"))
                .isInstanceOf(VfioException.class)
                .hasMessage(
                        "\"mlx5_0\" is neither a PCI address, such as 0000:3b:00.2 (lspci -D lists"
                                + " them), nor the path of a vfio-user socket");
    }
}
