package org.ringside.provider;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.ringside.ethernet.EthernetPort;
import org.ringside.ethernet.e1000e.E1000e;
import org.ringside.ethernet.virtio.VirtioNet;
import org.ringside.mlx5.ConnectX;
import org.ringside.mlx5.Failures;
import org.ringside.softroce.SoftContext;
import org.ringside.softroce.SoftName;
import org.ringside.softroce.SoftProvider;
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
 * {@code vfio-user/PATH} behind a socket. The PCI ids say which driver: a ConnectX does RDMA by
 * itself; on an Ethernet NIC it is done in software, and the name may go on with the options of
 * {@link SoftName}, as in {@code vfio/0000:00:05.0?ip=192.0.2.7}.
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
        SoftName name = SoftName.parse(deviceName);
        VfioDevice device;
        try {
            device = openDevice(name.device());
        } catch (VfioException e) {
            throw Failures.opening(name.device(), e);
        }
        int ids;
        try {
            ids = device.config().vendorAndDevice();
        } catch (VfioException e) {
            device.close();
            throw Failures.of(deviceName, "reading its PCI ids", e);
        }
        int vendor = ids >>> 16;
        int id = ids & 0xffff;
        if (VirtioNet.drives(vendor, id) || E1000e.drives(vendor, id)) {
            return openNic(deviceName, name, device, vendor);
        }
        if (vendor != ConnectX.VENDOR) {
            device.close();
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    "%s: no driver for PCI device %04x:%04x; there are drivers for ConnectX (%04x:*), virtio-net (%04x:%04x) and Intel 82574L (%04x:%04x)"
                            .formatted(
                                    deviceName,
                                    vendor,
                                    id,
                                    ConnectX.VENDOR,
                                    VirtioNet.VENDOR,
                                    VirtioNet.MODERN,
                                    E1000e.VENDOR,
                                    E1000e.I82574L));
        }
        if (!name.device().equals(deviceName)) {
            device.close();
            throw new VerbsException(
                    VerbsException.EINVAL,
                    deviceName
                            + ": options are for Ethernet NICs, this is a ConnectX; leave them out");
        }
        return ConnectX.open(deviceName, device);
    }

    private static Context openNic(String deviceName, SoftName name, VfioDevice device, int vendor)
            throws VerbsException {
        if (name.cable() != null) {
            device.close();
            throw new VerbsException(
                    VerbsException.EINVAL,
                    deviceName
                            + ": a NIC has a cable of its own; leave wire=, listen=, dgram= and packet= out");
        }
        EthernetPort port;
        try {
            port =
                    vendor == E1000e.VENDOR
                            ? E1000e.open(device)
                            : VirtioNet.open(device, deviceName.startsWith(KERNEL));
        } catch (VfioException e) {
            throw Failures.of(deviceName, "bringing the NIC up", e);
        }
        return SoftContext.open(
                deviceName, SoftProvider.captured(deviceName, port, name), name.addresses());
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
}
