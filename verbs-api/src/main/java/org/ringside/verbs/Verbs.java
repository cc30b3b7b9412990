package org.ringside.verbs;

import java.util.List;
import org.ringside.verbs.spi.Providers;

/**
 * Entry to the verbs: a mux of providers, found by {@link java.util.ServiceLoader}.
 *
 * <p>Device names start with the kind of device: {@code vfio/0000:3b:00.2} is a PCI function that
 * the kernel's VFIO gives us, {@code vfio-user/PATH} one behind a vfio-user socket, {@code
 * emulated} an emulated ConnectX in this process.
 */
public final class Verbs {
    private Verbs() {}

    /**
     * All devices that the providers know of, those that cannot be used too, with the reason. A
     * provider that fails is one such entry; it does not hide the others.
     */
    public static List<DeviceInfo> devices() {
        return Providers.installed().devices();
    }

    /**
     * Opens a device.
     *
     * @param name as in {@link DeviceInfo#name()}
     * @throws VerbsException ENODEV when no provider serves that name; whatever bring-up failed
     *     with otherwise
     */
    public static Context open(String name) throws VerbsException {
        return Providers.installed().open(name);
    }
}
