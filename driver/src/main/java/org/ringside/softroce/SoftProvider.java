package org.ringside.softroce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ringside.ethernet.Cable;
import org.ringside.ethernet.CapturedPort;
import org.ringside.ethernet.EthernetPort;
import org.ringside.ethernet.Hub;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.spi.VerbsProvider;

/**
 * Soft-RoCE devices that need no hardware: {@code soft/NAME[?ip=ADDRESS&...]}. All of one process
 * are on one {@link Hub}, but for those with a {@link Cable} of their own.
 */
public final class SoftProvider implements VerbsProvider {
    private static final String PREFIX = "soft/";
    private static final Hub HUB = new Hub();

    /** Locally administered, individual (IEEE 802, 8.4). */
    private static final long LOCAL_MAC = 0x02_00_00_00_00_00L;

    /** For the service loader. */
    public SoftProvider() {}

    @Override
    public int interfaceVersion() {
        return INTERFACE_VERSION;
    }

    @Override
    public String name() {
        return "soft";
    }

    @Override
    public boolean serves(String deviceName) {
        return deviceName.startsWith(PREFIX);
    }

    @Override
    public List<DeviceInfo> devices() {
        return List.of(
                new DeviceInfo(
                        PREFIX + "NAME", name(), "soft RoCE on a switch in memory", true, ""));
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        SoftName name = SoftName.parse(deviceName);
        if (name.device().length() == PREFIX.length()) {
            throw new VerbsException(
                    VerbsException.EINVAL, deviceName + ": no name; choose one, as in soft/a");
        }
        EthernetPort port = captured(deviceName, plug(deviceName, name), name);
        return SoftContext.open(deviceName, port, name.addresses());
    }

    /** The port, or one that writes its frames to a file too, if the name wants that. */
    public static EthernetPort captured(String deviceName, EthernetPort port, SoftName name)
            throws VerbsException {
        Path capture = name.capture();
        if (capture == null) {
            return port;
        }
        try {
            return new CapturedPort(port, capture);
        } catch (IOException e) {
            port.close();
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s: the capture file %s cannot be written: %s"
                            .formatted(deviceName, capture, e),
                    e);
        }
    }

    private static EthernetPort plug(String deviceName, SoftName name) throws VerbsException {
        long mac = mac(name.device());
        Cable cable = name.cable();
        try {
            return cable == null ? HUB.plug(name.device(), mac) : cable.plug(mac);
        } catch (IllegalStateException e) {
            throw new VerbsException(
                    VerbsException.EBUSY,
                    "%s: %s; a name can be open once".formatted(deviceName, e.getMessage()),
                    e);
        } catch (IOException e) {
            throw new VerbsException(
                    VerbsException.ENODEV, "%s: %s".formatted(deviceName, e.getMessage()), e);
        }
    }

    /** The same name has the same MAC each time; FNV-1a spreads similar names. */
    private static long mac(String device) {
        long hash = 0xcbf29ce484222325L;
        for (int i = PREFIX.length(); i < device.length(); i++) {
            hash = (hash ^ device.charAt(i)) * 0x100000001b3L;
        }
        return LOCAL_MAC | hash >>> 24 & 0xff_ffff_ffffL;
    }
}
