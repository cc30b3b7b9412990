package org.ringside.emulator;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.ConnectX;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.spi.VerbsProvider;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.user.VfioUserDevice;

/**
 * Devices that everybody has: {@code emulated}, or {@code emulated/NAME?option=value&...}. Each
 * open starts a device of its own in this process, behind a socket in a directory for its owner
 * alone, and drives it as any other vfio-user device. It goes with its context. Devices of one
 * process are on one wire unless they say {@code wire=NAME}.
 */
public final class EmulatedProvider implements VerbsProvider {
    private static final ConcurrentMap<String, Emulator> OPEN = new ConcurrentHashMap<>();

    /** For the service loader. */
    public EmulatedProvider() {}

    @Override
    public int interfaceVersion() {
        return INTERFACE_VERSION;
    }

    @Override
    public String name() {
        return DeviceName.PROVIDER;
    }

    @Override
    public boolean serves(String deviceName) {
        return DeviceName.serves(deviceName);
    }

    @Override
    public List<DeviceInfo> devices() {
        return List.of(
                new DeviceInfo(
                        DeviceName.PROVIDER,
                        DeviceName.PROVIDER,
                        "emulated ConnectX-5 VF, made when it is opened",
                        true,
                        ""));
    }

    /**
     * The emulator behind a device that is open, by the name that it was opened with; the last one
     * when several have the name. For tests: findings, and troubles to cause.
     */
    public static @Nullable Emulator emulator(String deviceName) {
        return OPEN.get(deviceName);
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        DeviceName name;
        try {
            name = DeviceName.parse(deviceName);
        } catch (IllegalArgumentException e) {
            throw new VerbsException(VerbsException.EINVAL, deviceName + ": " + e.getMessage(), e);
        }
        PrivateDirectory directory;
        Emulator emulator;
        try {
            directory = PrivateDirectory.create();
        } catch (IOException e) {
            throw failure(deviceName, "no directory for its socket", e);
        }
        try {
            emulator = Emulator.start(directory.socket(), name.options(), name.wire());
        } catch (IOException e) {
            directory.close();
            throw failure(deviceName, "no emulated device", e);
        }
        OPEN.put(deviceName, emulator);
        Runnable end =
                () -> {
                    OPEN.remove(deviceName, emulator);
                    emulator.close();
                    directory.close();
                };
        VfioUserDevice device;
        try {
            device = VfioUserDevice.open(emulator.socket());
        } catch (VfioException e) {
            end.run();
            throw failure(deviceName, "no answer from the emulated device", e);
        }
        return ConnectX.open(deviceName, new OwnedDevice(device, end));
    }

    private static VerbsException failure(String deviceName, String what, Exception cause) {
        return new VerbsException(
                VerbsException.EIO,
                "%s: %s: %s".formatted(deviceName, what, cause.getMessage()),
                cause);
    }
}
