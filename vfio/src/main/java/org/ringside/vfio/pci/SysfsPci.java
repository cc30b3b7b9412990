package org.ringside.vfio.pci;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.PciFunction.ReservedRegion;

/**
 * PCI functions in sysfs: what is there, and which driver has it. Source: Linux
 * Documentation/ABI/testing/sysfs-bus-pci.
 */
public final class SysfsPci {
    /** The driver that hands functions to user space. */
    public static final String VFIO_PCI = "vfio-pci";

    private final Path root;

    /** The sysfs of this machine. */
    public SysfsPci() {
        this(Path.of("/"));
    }

    /** A tree that holds {@code sys}, for tests. */
    public SysfsPci(Path root) {
        this.root = root;
    }

    /** Folder of a function, whether it exists or not. */
    public Path folder(PciAddress address) {
        return root.resolve("sys/bus/pci/devices").resolve(address.toString());
    }

    /** All functions, by address. */
    public List<PciFunction> list() throws VfioException {
        Path devices = root.resolve("sys/bus/pci/devices");
        List<PciFunction> functions = new ArrayList<>();
        if (!Files.isDirectory(devices)) {
            return functions;
        }
        for (Path folder : children(devices)) {
            String name = folder.getFileName().toString();
            if (PciAddress.matches(name)) {
                functions.add(function(PciAddress.parse(name)));
            }
        }
        functions.sort((a, b) -> a.address().compareTo(b.address()));
        return functions;
    }

    /** One function. */
    public PciFunction function(PciAddress address) throws VfioException {
        Path folder = folder(address);
        if (!Files.isDirectory(folder)) {
            throw new VfioException(
                    Errno.ENODEV,
                    ("%s: no such device: %s does not exist. lspci -D lists the functions of this"
                                    + " machine; a virtual function needs sriov_numvfs of its"
                                    + " physical one")
                            .formatted(address, folder));
        }
        String group = linkName(folder.resolve("iommu_group"));
        return new PciFunction(
                address,
                number(folder.resolve("vendor"), 0),
                number(folder.resolve("device"), 0),
                number(folder.resolve("class"), 0),
                Optional.ofNullable(linkName(folder.resolve("driver"))),
                group == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(group)),
                number(folder.resolve("numa_node"), -1),
                words(folder.resolve("reset_method")));
    }

    /** All functions of an IOMMU group: VFIO hands a group out as a whole. */
    public List<PciFunction> groupMembers(int group) throws VfioException {
        Path devices = groupFolder(group).resolve("devices");
        List<PciFunction> members = new ArrayList<>();
        for (Path member : Files.isDirectory(devices) ? children(devices) : List.<Path>of()) {
            String name = member.getFileName().toString();
            if (PciAddress.matches(name)) {
                members.add(function(PciAddress.parse(name)));
            }
        }
        members.sort((a, b) -> a.address().compareTo(b.address()));
        return members;
    }

    /** Windows of IOVA that a group cannot use as it likes. */
    public List<ReservedRegion> reservedRegions(int group) throws VfioException {
        List<ReservedRegion> regions = new ArrayList<>();
        for (String line : text(groupFolder(group).resolve("reserved_regions")).lines().toList()) {
            String[] parts = line.trim().split("\\s+", -1);
            if (parts.length == 3) {
                regions.add(
                        new ReservedRegion(
                                new IovaRange(address(parts[0]), address(parts[1])), parts[2]));
            }
        }
        return regions;
    }

    /**
     * Gives a function to vfio-pci: override, unbind, probe, and then a look at whether it worked,
     * because a probe that finds no driver reports success.
     *
     * @return the driver that had it before, for {@link #restore}
     */
    public Optional<String> bindToVfio(PciAddress address) throws VfioException {
        Optional<String> before = function(address).driver();
        if (before.equals(Optional.of(VFIO_PCI))) {
            return before;
        }
        write(folder(address).resolve("driver_override"), VFIO_PCI);
        if (before.isPresent()) {
            write(folder(address).resolve("driver/unbind"), address.toString());
        }
        write(root.resolve("sys/bus/pci/drivers_probe"), address.toString());
        Optional<String> after = function(address).driver();
        if (!after.equals(Optional.of(VFIO_PCI))) {
            throw new VfioException(
                    0,
                    ("%s: vfio-pci did not take it; its driver is now %s. See whether the driver is"
                                    + " there (modprobe vfio-pci) and what dmesg says; to give it"
                                    + " back: %s")
                            .formatted(
                                    address,
                                    after.orElse("none"),
                                    String.join(" && ", restoreCommands(address))));
        }
        return before;
    }

    /** Gives a function back to the driver that the kernel would choose. */
    public void restore(PciAddress address) throws VfioException {
        Optional<String> driver = function(address).driver();
        write(folder(address).resolve("driver_override"), "\n");
        if (driver.equals(Optional.of(VFIO_PCI))) {
            write(folder(address).resolve("driver/unbind"), address.toString());
        }
        write(root.resolve("sys/bus/pci/drivers_probe"), address.toString());
    }

    /** What to type, as root, to give a function to vfio-pci. */
    public static List<String> bindCommands(PciFunction function) {
        String folder = "/sys/bus/pci/devices/" + function.address();
        List<String> commands = new ArrayList<>();
        commands.add("modprobe vfio-pci");
        commands.add("echo vfio-pci > " + folder + "/driver_override");
        if (function.driver().isPresent()) {
            commands.add("echo " + function.address() + " > " + folder + "/driver/unbind");
        }
        commands.add("echo " + function.address() + " > /sys/bus/pci/drivers_probe");
        return commands;
    }

    private static List<String> restoreCommands(PciAddress address) {
        return List.of(
                "echo > /sys/bus/pci/devices/" + address + "/driver_override",
                "echo " + address + " > /sys/bus/pci/drivers_probe");
    }

    private Path groupFolder(int group) {
        return root.resolve("sys/kernel/iommu_groups").resolve(Integer.toString(group));
    }

    private static List<Path> children(Path folder) throws VfioException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException e) {
            throw new VfioException(0, "cannot list " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Last part of where a link points, or null when there is no link. */
    private static @Nullable String linkName(Path link) {
        try {
            return Files.readSymbolicLink(link).getFileName().toString();
        } catch (IOException e) {
            // Sysfs has the link only while there is a driver or a group.
            return null;
        }
    }

    private static String text(Path file) throws VfioException {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII).trim();
        } catch (NoSuchFileException e) {
            // Older kernels lack some attributes.
            return "";
        } catch (IOException e) {
            throw new VfioException(0, "cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static List<String> words(Path file) throws VfioException {
        String text = text(file);
        return text.isEmpty() ? List.of() : List.of(text.split("\\s+", -1));
    }

    private static int number(Path file, int absent) throws VfioException {
        String text = text(file);
        return text.isEmpty() ? absent : Integer.decode(text);
    }

    private static long address(String text) {
        return Long.parseUnsignedLong(text.substring(2), 16);
    }

    private static void write(Path file, String text) throws VfioException {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new VfioException(
                    0,
                    "cannot write \"%s\" to %s: %s. It takes root"
                            .formatted(text.strip(), file, e.getMessage()),
                    e);
        }
    }
}
