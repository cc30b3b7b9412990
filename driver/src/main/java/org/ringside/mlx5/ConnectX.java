package org.ringside.mlx5;

import org.ringside.verbs.Context;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/** Where contexts of ConnectX functions come from. */
public final class ConnectX {
    /** PCI vendor of all ConnectX. */
    public static final int VENDOR = 0x15b3;

    private ConnectX() {}

    /**
     * Brings an open function up. The context owns the device; it is closed when this fails.
     *
     * @param deviceName the name that the application opens it by
     * @throws VerbsException with the step that failed and why; EOPNOTSUPP for a device of another
     *     vendor
     */
    public static Context open(String deviceName, VfioDevice device) throws VerbsException {
        Mlx5Options options;
        try {
            options = Mlx5Options.fromSystemProperties();
        } catch (IllegalArgumentException e) {
            device.close();
            throw new VerbsException(VerbsException.EINVAL, deviceName + ": " + e.getMessage(), e);
        }
        return open(deviceName, device, options);
    }

    static Context open(String deviceName, VfioDevice device, Mlx5Options options)
            throws VerbsException {
        int ids;
        try {
            ids = device.config().vendorAndDevice();
        } catch (VfioException e) {
            device.close();
            throw Failures.of(deviceName, "reading its PCI ids", e);
        }
        if (ids >>> 16 != VENDOR) {
            device.close();
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    "%s: no driver for PCI device %04x:%04x; this one drives ConnectX (%04x:*)"
                            .formatted(deviceName, ids >>> 16, ids & 0xffff, VENDOR));
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
