package org.ringside.vfio;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ringside.linux.Errno;
import org.ringside.vfio.group.VfioGroupDevice;
import org.ringside.vfio.pci.PciAddress;
import org.ringside.vfio.user.VfioUserDevice;

/** Opens a device by the name that a user gives it. */
public final class VfioDevices {
    private VfioDevices() {}

    /**
     * Opens a device: a PCI address such as {@code 0000:3b:00.2} or {@code 3b:00.2} through the
     * kernel's VFIO, a path through the vfio-user socket there.
     *
     * @throws VfioException ready for the user: what failed, why, the cure
     */
    public static VfioDevice open(String name) throws VfioException {
        if (PciAddress.matches(name)) {
            return VfioGroupDevice.open(name);
        }
        Path path = Path.of(name);
        if (name.contains("/") || Files.exists(path)) {
            return VfioUserDevice.open(path);
        }
        throw new VfioException(
                Errno.EINVAL,
                ("\"%s\" is neither a PCI address, such as 0000:3b:00.2 (lspci -D lists them), nor"
                                + " the path of a vfio-user socket")
                        .formatted(name));
    }
}
