package org.ringside.vfio.pci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Builds the part of sysfs and proc that this module reads, below a folder. */
public final class FakeSysfs {
    private final Path root;

    /** An empty tree. */
    public FakeSysfs(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root.resolve("sys/bus/pci/devices"));
        Files.createFile(root.resolve("sys/bus/pci/drivers_probe"));
    }

    /** Root of the tree. */
    public Path root() {
        return root;
    }

    /** Folder of a function. */
    public Path folder(String bdf) {
        return root.resolve("sys/bus/pci/devices").resolve(bdf);
    }

    /** Adds a ConnectX-like function without driver or group. */
    public FakeSysfs function(String bdf) throws IOException {
        Path folder = Files.createDirectories(folder(bdf));
        Files.writeString(folder.resolve("vendor"), "0x15b3\n");
        Files.writeString(folder.resolve("device"), "0x1018\n");
        Files.writeString(folder.resolve("class"), "0x020000\n");
        Files.writeString(folder.resolve("numa_node"), "-1\n");
        Files.writeString(folder.resolve("driver_override"), "(null)\n");
        Files.writeString(folder.resolve("reset_method"), "flr bus\n");
        return this;
    }

    /** Sets an attribute of a function. */
    public FakeSysfs attribute(String bdf, String name, String value) throws IOException {
        Files.writeString(folder(bdf).resolve(name), value);
        return this;
    }

    /** Puts a function into a group. */
    public FakeSysfs group(String bdf, int group) throws IOException {
        Path folder = root.resolve("sys/kernel/iommu_groups").resolve(Integer.toString(group));
        Files.createDirectories(folder.resolve("devices"));
        Files.createSymbolicLink(folder.resolve("devices").resolve(bdf), folder(bdf));
        Files.createSymbolicLink(folder(bdf).resolve("iommu_group"), folder);
        Files.writeString(
                folder.resolve("reserved_regions"),
                """
                0x00000000fee00000 0x00000000feefffff msi
                0x0000000000000000 0x0000000000000fff reserved
                """);
        return this;
    }

    /** Sets what a group may not use. */
    public FakeSysfs reservedRegions(int group, String text) throws IOException {
        Path folder = root.resolve("sys/kernel/iommu_groups").resolve(Integer.toString(group));
        Files.writeString(folder.resolve("reserved_regions"), text);
        return this;
    }

    /** Gives a function to a driver. */
    public FakeSysfs driver(String bdf, String driver) throws IOException {
        Path folder = root.resolve("sys/bus/pci/drivers").resolve(driver);
        Files.createDirectories(folder);
        if (Files.notExists(folder.resolve("unbind"))) {
            Files.createFile(folder.resolve("unbind"));
        }
        Path link = folder(bdf).resolve("driver");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, folder);
        return this;
    }

    /** Writes /proc/self/status. */
    public FakeSysfs processStatus(String text) throws IOException {
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/status"), text);
        return this;
    }

    /** Makes a process that has a file open. */
    public FakeSysfs holder(int pid, String name, Path file) throws IOException {
        Path process = root.resolve("proc").resolve(Integer.toString(pid));
        Files.createDirectories(process.resolve("fd"));
        Files.writeString(process.resolve("comm"), name + "\n");
        Files.createSymbolicLink(process.resolve("fd/7"), file);
        return this;
    }
}
