package org.ringside.verbs.spi;

import java.util.List;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;

/**
 * What stands behind the verbs for one family of devices. Registered as a service, with a public
 * constructor that does no work.
 *
 * <p>A provider subclasses {@link Context}, {@link org.ringside.verbs.ProtectionDomain} and so on.
 * Operations that are added to those classes later have a default that fails with EOPNOTSUPP, so a
 * provider keeps working with a newer API of the same major version.
 */
public interface VerbsProvider {
    /**
     * Version of this interface: major in the high 16 bits (must match), minor in the low ones (may
     * be older).
     */
    int INTERFACE_VERSION = 1 << 16;

    /**
     * The interface version that the provider was compiled against. Implement it as {@code return
     * INTERFACE_VERSION;}: the compiler copies the constant.
     */
    int interfaceVersion();

    /** Short name, unique among providers. */
    String name();

    /**
     * Whether a device name is of this provider's kind, by its form alone; the device need not
     * exist.
     */
    boolean serves(String deviceName);

    /** Devices that are there now. */
    List<DeviceInfo> devices() throws VerbsException;

    /**
     * Opens a device that {@link #serves} accepted. A failure has released all that was acquired.
     */
    Context open(String deviceName) throws VerbsException;
}
