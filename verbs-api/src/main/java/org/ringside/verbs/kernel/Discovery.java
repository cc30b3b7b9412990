package org.ringside.verbs.kernel;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;

/**
 * What there is and what is in the way: the kernel's devices are in sysfs ({@code
 * /sys/class/infiniband}), those that can be opened in libibverbs' list too.
 */
final class Discovery {
    private static final String WHAT = "RDMA devices of the kernel";

    private final Path sysfs;
    private final Path devfs;

    /**
     * @param sysfs where sysfs is
     * @param devfs where device files are
     */
    Discovery(Path sysfs, Path devfs) {
        this.sysfs = sysfs;
        this.devfs = devfs;
    }

    /** The list when libibverbs cannot be used. */
    List<DeviceInfo> without(VerbsException why) {
        return List.of(unavailable("NAME", WHAT, String.valueOf(why.getMessage())));
    }

    /** The list; one entry with the cure when there is nothing. */
    List<DeviceInfo> list(Set<String> usable) {
        List<DeviceInfo> all = new ArrayList<>();
        Set<String> names = new TreeSet<>(inSysfs());
        names.addAll(usable);
        for (String name : names) {
            all.add(usable.contains(name) ? usable(name) : unusable(name));
        }
        if (all.isEmpty()) {
            all.add(
                    unavailable(
                            "NAME",
                            WHAT,
                            "there are none; load the driver of the NIC (such as mlx5_ib), or make one"
                                    + " in software on a network device: modprobe rdma_rxe, then rdma"
                                    + " link add rxe0 type rxe netdev eth0"));
        }
        return all;
    }

    private DeviceInfo usable(String name) {
        return new DeviceInfo(
                KernelName.PREFIX + name, KernelProvider.NAME, describe(name), true, "");
    }

    private DeviceInfo unusable(String name) {
        String reason;
        if (!Files.isDirectory(sysfs.resolve("class/infiniband_verbs"))
                || !Files.isDirectory(devfs.resolve("infiniband"))) {
            reason = "the kernel offers no user verbs; modprobe ib_uverbs";
        } else {
            reason =
                    "libibverbs has no driver for it; install them (Debian: apt-get install"
                            + " ibverbs-providers)";
        }
        return unavailable(name, describe(name), reason);
    }

    private static DeviceInfo unavailable(String name, String description, String reason) {
        return new DeviceInfo(
                KernelName.PREFIX + name, KernelProvider.NAME, description, false, reason);
    }

    private Set<String> inSysfs() {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(sysfs.resolve("class/infiniband"))) {
            for (Path each : all) {
                names.add(each.getFileName().toString());
            }
        } catch (IOException e) {
            // No such directory: no driver of any RDMA device is loaded.
            return names;
        }
        return names;
    }

    private String describe(String name) {
        Path port = sysfs.resolve("class/infiniband").resolve(name).resolve("ports/1");
        return "kernel RDMA device, port 1 %s, %s"
                .formatted(read(port.resolve("state")), read(port.resolve("link_layer")));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
