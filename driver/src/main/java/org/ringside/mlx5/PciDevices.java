package org.ringside.mlx5;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringside.verbs.DeviceInfo;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.PciFunction;
import org.ringside.vfio.pci.SysfsPci;

/** The ConnectX functions of this machine, with what keeps each from being opened. */
final class PciDevices {
    static final int MELLANOX = 0x15b3;
    private static final int NETWORK_CLASS = 0x02;

    private final SysfsPci sysfs;
    private final Path vfioNodes;

    /**
     * @param vfioNodes where the group nodes are, {@code /dev/vfio}
     */
    PciDevices(SysfsPci sysfs, Path vfioNodes) {
        this.sysfs = sysfs;
        this.vfioNodes = vfioNodes;
    }

    List<DeviceInfo> list(String prefix, String provider) throws VfioException {
        List<DeviceInfo> devices = new ArrayList<>();
        for (PciFunction function : sysfs.list()) {
            if (function.vendor() == MELLANOX && function.classCode() >>> 16 == NETWORK_CLASS) {
                String reason = obstacle(function);
                devices.add(
                        new DeviceInfo(
                                prefix + function.address(),
                                provider,
                                "ConnectX %04x:%04x"
                                        .formatted(function.vendor(), function.device()),
                                reason.isEmpty(),
                                reason));
            }
        }
        return devices;
    }

    /** Why it cannot be opened and what cures that; empty when it can. */
    private String obstacle(PciFunction function) throws VfioException {
        if (function.iommuGroup().isEmpty()) {
            return "it has no IOMMU group; switch the IOMMU on in the firmware set-up and boot with"
                    + " intel_iommu=on or amd_iommu=on";
        }
        if (!isVfio(function)) {
            return "%s has it; to give it to VFIO: %s"
                    .formatted(
                            function.driver().map(name -> "driver " + name).orElse("no driver"),
                            String.join(" && ", SysfsPci.bindCommands(function)));
        }
        int group = function.iommuGroup().getAsInt();
        for (PciFunction member : sysfs.groupMembers(group)) {
            if (!member.isBridge() && member.driver().isPresent() && !isVfio(member)) {
                return "%s of the same IOMMU group %d is with driver %s; to free it: %s"
                        .formatted(
                                member.address(),
                                group,
                                member.driver().get(),
                                String.join(" && ", SysfsPci.bindCommands(member)));
            }
        }
        Path node = vfioNodes.resolve(Integer.toString(group));
        if (!Files.isReadable(node) || !Files.isWritable(node)) {
            return "no access to %s; to get it: sudo chown $USER %s".formatted(node, node);
        }
        return "";
    }

    private static boolean isVfio(PciFunction function) {
        return function.driver().filter(SysfsPci.VFIO_PCI::equals).isPresent();
    }
}
