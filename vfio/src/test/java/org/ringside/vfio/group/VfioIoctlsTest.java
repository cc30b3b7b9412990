package org.ringside.vfio.group;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.linux.CompilerProbe;
import org.ringside.linux.Ioctl;

class VfioIoctlsTest {
    @Test
    void shouldAgreeWithTheHeaderOnRequests(@TempDir Path folder) throws Exception {
        CompilerProbe probe =
                new CompilerProbe()
                        .include("linux/vfio.h")
                        .include("sys/ioctl.h")
                        .expect("VFIO_API_VERSION", VfioIoctls.API_VERSION)
                        .expect("VFIO_TYPE1v2_IOMMU", VfioIoctls.TYPE1V2_IOMMU);
        for (var field : VfioIoctls.class.getDeclaredFields()) {
            if (field.getType() == Ioctl.class) {
                Ioctl ioctl = (Ioctl) field.get(null);
                probe.expect(ioctl.name(), ioctl.number());
            }
        }
        probe.check(folder);
    }
}
