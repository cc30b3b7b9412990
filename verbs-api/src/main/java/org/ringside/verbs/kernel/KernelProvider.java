package org.ringside.verbs.kernel;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.spi.VerbsProvider;

/**
 * Devices of the Linux kernel by rdma-core's libibverbs: {@code kernel/NAME} with the kernel's name
 * of it, such as {@code kernel/rxe0} or {@code kernel/mlx5_0}. With {@code ?api=extended} posts and
 * polls go through struct ibv_qp_ex and ibv_cq_ex where the device has them; what an application
 * sees is the same.
 *
 * <p>Nothing of it is loaded before it is asked for a device. Where libibverbs is missing it says
 * so in the list of devices.
 *
 * <p>A process that forks: children must not use what the parent has opened, and Linux before 5.12
 * gives them the pages that are registered (ibv_fork_init(3)). The JVM itself starts programs
 * without a copy of its memory.
 */
public final class KernelProvider implements VerbsProvider {
    static final String NAME = "kernel";

    private @Nullable Libraries libraries;

    /** For the service loader. */
    public KernelProvider() {}

    /** For tests, with libraries of theirs. */
    KernelProvider(Libraries libraries) {
        this.libraries = libraries;
    }

    @Override
    public int interfaceVersion() {
        return INTERFACE_VERSION;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean serves(String deviceName) {
        return deviceName.startsWith(KernelName.PREFIX);
    }

    private synchronized Libraries libraries() throws VerbsException {
        Libraries loaded = libraries;
        if (loaded == null) {
            loaded = Libraries.load();
            libraries = loaded;
        }
        return loaded;
    }

    @Override
    public List<DeviceInfo> devices() {
        Discovery discovery = new Discovery(Path.of("/sys"), Path.of("/dev"));
        try (DeviceList list = new DeviceList(libraries())) {
            return discovery.list(list.devices().keySet());
        } catch (VerbsException e) {
            return discovery.without(e);
        }
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        KernelName name = KernelName.parse(deviceName);
        Libraries loaded = libraries();
        try (DeviceList list = new DeviceList(loaded)) {
            Long device = list.find(name.device());
            if (device == null) {
                throw notThere(deviceName, list);
            }
            long context = loaded.verbs().ibv_open_device(device);
            if (context == 0) {
                int errno = Libraries.errno();
                throw loaded.failure(
                        errno,
                        deviceName + " cannot be opened",
                        Cures.ofOpen(errno, DeviceList.file(device)));
            }
            return KernelContext.of(deviceName, name, loaded, device, context);
        }
    }

    private static VerbsException notThere(String deviceName, DeviceList list) {
        String others = String.join(", ", list.devices().keySet());
        return new VerbsException(
                VerbsException.ENODEV,
                "%s: libibverbs knows no such device, %s; \"ringside devices\" tells what is in the way"
                        .formatted(
                                deviceName,
                                others.isEmpty() ? "nor any other" : "but these: " + others));
    }
}
