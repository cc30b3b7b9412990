package org.ringside.provider;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.ethernet.e1000e.E1000e;
import org.ringside.ethernet.virtio.VirtioNet;
import org.ringside.mlx5.ConnectX;
import org.ringside.verbs.DeviceInfo;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.PciFunction;
import org.ringside.vfio.pci.SysfsPci;

/**
 * The functions of this machine that there is a driver for, with what keeps each from being opened.
 */
final class PciDevices {
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
            String driver = driver(function);
            if (driver != null) {
                String reason = obstacle(function);
                devices.add(
                        new DeviceInfo(
                                prefix + function.address(),
                                provider,
                                "%s %04x:%04x"
                                        .formatted(driver, function.vendor(), function.device()),
                                reason.isEmpty(),
                                reason));
            }
        }
        return devices;
    }

    private static @Nullable String driver(PciFunction function) {
        if (function.classCode() >>> 16 != NETWORK_CLASS) {
            return null;
        }
        if (function.vendor() == ConnectX.VENDOR) {
            return "ConnectX";
        }
        if (E1000e.drives(function.vendor(), function.device())) {
            return "e1000e";
        }
        return VirtioNet.drives(function.vendor(), function.device()) ? "virtio-net" : null;
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
