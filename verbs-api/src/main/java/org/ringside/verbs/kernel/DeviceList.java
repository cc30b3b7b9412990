package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.VerbsException;

/**
 * The devices that libibverbs has a driver for, by name, as they are now. They can be opened until
 * it is closed.
 */
final class DeviceList implements AutoCloseable {
    private final Libraries libraries;
    private final long list;
    private final Map<String, Long> devices = new LinkedHashMap<>();

    DeviceList(Libraries libraries) throws VerbsException {
        this.libraries = libraries;
        if (libraries.outOfDescriptors()) {
            // The library would say that there is no kernel, or no device.
            throw libraries.failure(
                    Cures.EMFILE, "RDMA devices cannot be listed", Cures.of(Cures.EMFILE));
        }
        try (Arena arena = Arena.ofConfined()) {
            long count = arena.allocate(Integer.BYTES, 8).address();
            list = libraries.verbs().ibv_get_device_list(count);
            if (list == 0) {
                int errno = Libraries.errno();
                throw libraries.failure(errno, "ibv_get_device_list", cure(errno));
            }
            for (int i = 0; i < Raw.getInt(count); i++) {
                long device = Raw.getLong(list + (long) i * Long.BYTES);
                devices.put(Raw.getString(device + Abi.Device.NAME, Abi.Device.NAME_MAX), device);
            }
        }
    }

    private static String cure(int errno) {
        final int noSystemCall = 38;
        return errno == noSystemCall
                ? "the kernel has no user verbs: modprobe ib_uverbs"
                : Cures.of(errno);
    }

    /** Addresses of the struct ibv_device by the kernel's name. */
    Map<String, Long> devices() {
        return devices;
    }

    /** The device file of one. */
    static Path file(long device) {
        return Path.of(
                "/dev/infiniband",
                Raw.getString(device + Abi.Device.DEV_NAME, Abi.Device.NAME_MAX));
    }

    /** The one of a name. */
    @Nullable Long find(String name) {
        return devices.get(name);
    }

    @Override
    public void close() {
        libraries.verbs().ibv_free_device_list(list);
    }
}
