package org.ringside.softroce;

import java.util.List;
import org.ringside.ethernet.Hub;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.spi.VerbsProvider;

/**
 * Soft-RoCE devices that need no hardware: {@code soft/NAME[?ip=ADDRESS...]}. All of one process
 * are on one {@link Hub}. For tests and for trying things; devices on a real NIC are opened by
 * their PCI address.
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
        // The same name has the same MAC each time; FNV-1a spreads similar names.
        long hash = 0xcbf29ce484222325L;
        for (int i = PREFIX.length(); i < name.device().length(); i++) {
            hash = (hash ^ name.device().charAt(i)) * 0x100000001b3L;
        }
        try {
            return SoftContext.open(
                    deviceName,
                    HUB.plug(name.device(), LOCAL_MAC | hash >>> 24 & 0xff_ffff_ffffL),
                    name.addresses());
        } catch (IllegalStateException e) {
            throw new VerbsException(
                    VerbsException.EBUSY,
                    "%s: %s; a name can be open once".formatted(deviceName, e.getMessage()),
                    e);
        }
    }
}
