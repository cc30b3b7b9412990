package org.ringside.vfio.group;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.PciFunction;
import org.ringside.vfio.pci.PciFunction.ReservedRegion;
import org.ringside.vfio.pci.SysfsPci;

/** Words for what can go wrong on the way to a device: what failed, why, and what to type. */
final class GroupErrors {
    private final HostFiles host;
    private final PciFunction function;

    GroupErrors(HostFiles host, PciFunction function) {
        this.host = host;
        this.function = function;
    }

    private VfioException error(int errno, String text, @Nullable LinuxException cause) {
        String message = function.address() + ": " + text;
        return cause == null
                ? new VfioException(errno, message)
                : new VfioException(errno, message, cause);
    }

    private VfioException error(LinuxException e, String text) {
        return error(e.errno(), e.getMessage() + ". " + text, e);
    }

    /** The commands, one a line, indented. */
    private static String lines(List<String> commands) {
        return "\n    " + String.join("\n    ", commands);
    }

    VfioException noIommu() {
        return error(
                Errno.ENODEV,
                "it has no iommu_group, so the IOMMU is off. Switch VT-d or AMD-Vi on in the"
                        + " firmware set-up and boot Linux with intel_iommu=on (AMD needs no"
                        + " option); in a virtual machine add a vIOMMU, for QEMU"
                        + " -device intel-iommu,intremap=on,caching-mode=on",
                null);
    }

    VfioException wrongDriver() {
        String driver = function.driver().orElse("none");
        return error(
                Errno.ENODEV,
                "its driver is %s, not vfio-pci. As root:%s"
                        .formatted(driver, lines(SysfsPci.bindCommands(function))),
                null);
    }

    VfioException openContainer(LinuxException e) {
        return switch (e.errno()) {
            case Errno.ENOENT, Errno.ENODEV, Errno.ENXIO ->
                    error(
                            e,
                            "The kernel's VFIO is not loaded: modprobe vfio-pci. If that fails the"
                                    + " kernel lacks CONFIG_VFIO_GROUP or"
                                    + " CONFIG_VFIO_IOMMU_TYPE1");
            case Errno.EACCES ->
                    error(
                            e,
                            "Everybody may open it by default; as root: chmod 0666 "
                                    + host.container());
            default -> error(e, cgroupAdvice(host.container()));
        };
    }

    private static String cgroupAdvice(Path node) {
        return "In a container, its device cgroup has to allow the node: for Docker, --device "
                + node;
    }

    VfioException apiVersion(int version) {
        return error(
                0,
                "VFIO_GET_API_VERSION says %d; this program knows %d"
                        .formatted(version, VfioIoctls.API_VERSION),
                null);
    }

    VfioException noType1() {
        return error(
                0,
                "VFIO_CHECK_EXTENSION: the kernel offers no VFIO_TYPE1v2_IOMMU. modprobe"
                        + " vfio_iommu_type1; if that fails the kernel lacks"
                        + " CONFIG_VFIO_IOMMU_TYPE1",
                null);
    }

    VfioException openGroup(int group, LinuxException e) {
        Path node = host.group(group);
        return switch (e.errno()) {
            case Errno.ENOENT ->
                    error(
                            e,
                            "vfio-pci makes that node when it takes a function of group "
                                    + group
                                    + "; when it is noiommu-"
                                    + group
                                    + " instead, the function was bound without an IOMMU, which is"
                                    + " not supported here");
            case Errno.EACCES ->
                    error(
                            e,
                            "The node belongs to root. As root: chown %s %s"
                                    .formatted(System.getProperty("user.name"), node));
            case Errno.EBUSY -> error(e, busy(node));
            default -> error(e, cgroupAdvice(node));
        };
    }

    private String busy(Path node) {
        List<String> holders = host.holders(node);
        if (holders.isEmpty()) {
            return "Another process has the group open, or a function of it through"
                    + " /dev/vfio/devices; as root, fuser -v "
                    + node
                    + " names it. A group is for one process at a time";
        }
        return "Process "
                + String.join(", ", holders)
                + " has it open, and a group is for one process at a time: end that process first";
    }

    VfioException notViable(int group) throws VfioException {
        StringBuilder text =
                new StringBuilder(
                        "VFIO_GROUP_GET_STATUS: group %d is not viable: all its functions have to be with vfio-pci or with no driver."
                                .formatted(group));
        for (PciFunction member : host.pci().groupMembers(group)) {
            text.append("\n  %s driver %s".formatted(member.address(), driverName(member)));
            if (isBlocker(member)) {
                text.append(": in the way; as root:")
                        .append(lines(SysfsPci.bindCommands(member)).replace("\n", "\n  "));
            }
        }
        return error(Errno.EPERM, text.toString(), null);
    }

    private static String driverName(PciFunction member) {
        return member.driver().orElse("none");
    }

    /**
     * Bridges and functions without driver do not count; nor do the drivers that exist to hold a
     * place.
     */
    private static boolean isBlocker(PciFunction member) {
        Optional<String> driver = member.driver();
        return driver.isPresent()
                && !member.isBridge()
                && !driver.get().startsWith("vfio")
                && !driver.get().equals("pci-stub");
    }

    VfioException setContainer(int group, LinuxException e) throws VfioException {
        return switch (e.errno()) {
            case Errno.EBUSY ->
                    error(
                            e,
                            "Group %d became unviable, or another container or iommufd has it. %s"
                                    .formatted(group, busy(host.group(group))));
            case Errno.EINVAL -> error(e, directRegions(group));
            default -> error(e, "dmesg may say more");
        };
    }

    /** Windows that firmware wants mapped one to one keep a device from user space. */
    private String directRegions(int group) throws VfioException {
        List<ReservedRegion> direct =
                host.pci().reservedRegions(group).stream()
                        .filter(region -> region.type().equals("direct"))
                        .toList();
        if (direct.isEmpty()) {
            return "The group has a container already";
        }
        return "Firmware demands memory mapped one to one for this device (RMRR, type direct in"
                + " reserved_regions: "
                + direct.stream().map(region -> region.range().toString()).toList()
                + "), so the kernel keeps it from user space. Look in the firmware set-up for an"
                + " option that frees the device";
    }

    VfioException setIommu(int group, LinuxException e) throws VfioException {
        return switch (e.errno()) {
            case Errno.EPERM ->
                    error(
                            e,
                            "The IOMMU does not remap interrupts, so a device could forge them. Turn"
                                    + " interrupt remapping on (in QEMU: intel-iommu with"
                                    + " intremap=on and kernel-irqchip=split), or, if you trust"
                                    + " the device, as root: echo 1 >"
                                    + " /sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts");
            case Errno.EINVAL -> error(e, directRegions(group));
            default -> error(e, "dmesg may say more");
        };
    }

    VfioException getDevice(boolean withToken, LinuxException e) {
        return switch (e.errno()) {
            case Errno.EACCES ->
                    error(
                            e,
                            withToken
                                    ? "The VF token is not the one that the owner of the physical"
                                            + " function has set"
                                    : "This virtual function needs the VF token that the owner of"
                                            + " its physical function has set: pass it when"
                                            + " opening");
            case Errno.EINVAL ->
                    error(
                            e,
                            withToken
                                    ? "A VF token was given, and this function takes none: leave it"
                                            + " out"
                                    : "The kernel did not accept the name");
            case Errno.ENODEV ->
                    error(e, "The function left its group or its driver in this moment: try again");
            case Errno.EBUSY ->
                    error(e, "It is open through /dev/vfio/devices: end the process that has it");
            default -> error(e, "dmesg may say more");
        };
    }

    VfioException container(LinuxException e) {
        return error(
                e,
                e.errno() == Errno.ENOTTY
                        ? host.container() + " is no VFIO container: see ls -l " + host.container()
                        : "dmesg may say more");
    }

    VfioException groupStatus(LinuxException e) {
        return error(e, "The group may have lost its last function: see dmesg");
    }

    VfioException info(LinuxException e) {
        return error(e, "The device may have been removed: see whether lspci still lists it");
    }

    VfioException reset(LinuxException e) {
        String methods =
                function.resetMethods().isEmpty()
                        ? "sysfs names no reset method"
                        : "its reset methods are " + function.resetMethods();
        return switch (e.errno()) {
            case Errno.EAGAIN, Errno.EBUSY ->
                    error(
                            e,
                            "Another user of the function or slot holds it (%s): try again"
                                    .formatted(methods));
            case Errno.EINVAL, Errno.ENOTTY ->
                    error(e, "The function cannot be reset alone: " + methods);
            default -> error(e, methods + "; dmesg may say more");
        };
    }

    VfioException interrupts(String what, LinuxException e) {
        return switch (e.errno()) {
            case Errno.ENOSPC, Errno.ENOMEM ->
                    error(e, what + ": the host has no more interrupt vectors: ask for fewer");
            case Errno.EINVAL ->
                    error(e, what + ": the function does not have it, or another kind is in use");
            default -> error(e, what + ": dmesg may say more");
        };
    }
}
