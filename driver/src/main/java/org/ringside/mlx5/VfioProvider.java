package org.ringside.mlx5;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.spi.VerbsProvider;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.group.VfioGroupDevice;
import org.ringside.vfio.pci.SysfsPci;
import org.ringside.vfio.user.VfioUserDevice;

/**
 * The provider that drives devices itself, over VFIO: {@code vfio/0000:3b:00.2} through the kernel,
 * {@code vfio-user/PATH} behind a socket. The PCI ids say which driver.
 */
public final class VfioProvider implements VerbsProvider {
    private static final String KERNEL = "vfio/";
    private static final String SOCKET = "vfio-user/";

    /** For the service loader. */
    public VfioProvider() {}

    @Override
    public int interfaceVersion() {
        return INTERFACE_VERSION;
    }

    @Override
    public String name() {
        return "vfio";
    }

    @Override
    public boolean serves(String deviceName) {
        return deviceName.startsWith(KERNEL) || deviceName.startsWith(SOCKET);
    }

    @Override
    public List<DeviceInfo> devices() throws VerbsException {
        try {
            return new PciDevices(new SysfsPci(), Path.of("/dev/vfio")).list(KERNEL, name());
        } catch (VfioException e) {
            throw Failures.of("sysfs", "listing PCI functions", e);
        }
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        Mlx5Options options;
        try {
            options = Mlx5Options.fromSystemProperties();
        } catch (IllegalArgumentException e) {
            throw new VerbsException(VerbsException.EINVAL, deviceName + ": " + e.getMessage(), e);
        }
        VfioDevice device;
        try {
            device = openDevice(deviceName);
        } catch (VfioException e) {
            throw Failures.opening(deviceName, e);
        }
        return open(deviceName, device, options);
    }

    private static VfioDevice openDevice(String deviceName) throws VfioException, VerbsException {
        if (deviceName.startsWith(KERNEL)) {
            return VfioGroupDevice.open(deviceName.substring(KERNEL.length()));
        }
        String path = deviceName.substring(SOCKET.length());
        try {
            return VfioUserDevice.open(Path.of(path));
        } catch (InvalidPathException e) {
            throw new VerbsException(
                    VerbsException.EINVAL, deviceName + ": \"" + path + "\" is no path", e);
        }
    }

    /**
     * Makes a context of a device that is open already, for providers that have their own ways to
     * one. The context owns the device; it is closed when this fails.
     */
    public static Context open(String deviceName, VfioDevice device) throws VerbsException {
        return open(deviceName, device, Mlx5Options.fromSystemProperties());
    }

    /** Makes a context of a device that is open already; it is closed when this fails. */
    static Context open(String deviceName, VfioDevice device, Mlx5Options options)
            throws VerbsException {
        int ids;
        try {
            ids = device.config().vendorAndDevice();
        } catch (VfioException e) {
            device.close();
            throw Failures.of(deviceName, "reading its PCI ids", e);
        }
        if (ids >>> 16 != PciDevices.MELLANOX) {
            device.close();
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    "%s: no driver for PCI device %04x:%04x; this one drives ConnectX (%04x:*)"
                            .formatted(deviceName, ids >>> 16, ids & 0xffff, PciDevices.MELLANOX));
        }
        Mlx5Device ready = BringUp.bringUp(device, deviceName, options);
        try {
            return new Mlx5Context(deviceName, ready);
        } catch (VerbsException | RuntimeException e) {
            VerbsException more = ready.close();
            if (more != null) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }
}
