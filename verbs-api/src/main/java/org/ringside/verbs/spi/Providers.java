package org.ringside.verbs.spi;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;

/**
 * The providers of one process. One that cannot be loaded, speaks another interface version or
 * throws is set aside with the reason; it never takes the others with it.
 */
public final class Providers {
    private static final Logger LOG = System.getLogger(Providers.class.getName());

    private final List<VerbsProvider> usable = new ArrayList<>();
    private final List<DeviceInfo> unusable = new ArrayList<>();

    /** Takes the given providers, as the loader would. */
    public Providers(Iterable<VerbsProvider> providers) {
        Iterator<VerbsProvider> each = providers.iterator();
        while (true) {
            try {
                if (!each.hasNext()) {
                    break;
                }
                admit(each.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                setAside("?", "provider cannot be loaded: " + e);
            }
        }
    }

    /** The providers on the class path and module path of this process. */
    public static Providers installed() {
        return Installed.PROVIDERS;
    }

    private void admit(VerbsProvider provider) {
        String name = provider.getClass().getName();
        try {
            name = provider.name();
            int version = provider.interfaceVersion();
            int ours = VerbsProvider.INTERFACE_VERSION;
            if (major(version) != major(ours) || minor(version) > minor(ours)) {
                setAside(
                        name,
                        "provider interface version %d.%d, this API has %d.%d; use matching jars"
                                .formatted(
                                        major(version), minor(version), major(ours), minor(ours)));
                return;
            }
            usable.add(provider);
        } catch (RuntimeException | LinkageError e) {
            setAside(name, "provider failed when asked for its version: " + e);
        }
    }

    private static int major(int version) {
        return version >>> 16;
    }

    private static int minor(int version) {
        return version & 0xffff;
    }

    private void setAside(String name, String reason) {
        unusable.add(new DeviceInfo(name, name, "verbs provider", false, reason));
    }

    /** Devices of all providers, and an unavailable entry for each provider that failed. */
    public List<DeviceInfo> devices() {
        List<DeviceInfo> all = new ArrayList<>();
        for (VerbsProvider provider : usable) {
            try {
                all.addAll(provider.devices());
            } catch (VerbsException | RuntimeException | LinkageError e) {
                all.add(
                        new DeviceInfo(
                                provider.name(),
                                provider.name(),
                                "verbs provider",
                                false,
                                "discovery failed: " + e));
            }
        }
        all.addAll(unusable);
        return all;
    }

    /** Opens a device by the provider that serves its name. */
    public Context open(String name) throws VerbsException {
        for (VerbsProvider provider : usable) {
            if (serves(provider, name)) {
                return provider.open(name);
            }
        }
        throw new VerbsException(
                VerbsException.ENODEV,
                "no provider serves the device name \"%s\"; providers here: %s%s"
                        .formatted(
                                name,
                                usable.isEmpty()
                                        ? "none (is the driver's jar on the path?)"
                                        : usable.stream()
                                                .map(VerbsProvider::name)
                                                .collect(Collectors.joining(", ")),
                                unusable.isEmpty()
                                        ? ""
                                        : "; set aside: "
                                                + unusable.stream()
                                                        .map(d -> d.name() + ": " + d.reason())
                                                        .collect(Collectors.joining("; "))));
    }

    /** A provider that fails when it is asked serves nothing, and is no obstacle to the next. */
    private static boolean serves(VerbsProvider provider, String name) {
        try {
            return provider.serves(name);
        } catch (RuntimeException | LinkageError e) {
            LOG.log(Level.WARNING, provider.name() + " failed when asked for " + name, e);
            return false;
        }
    }

    private static final class Installed {
        static final Providers PROVIDERS = new Providers(ServiceLoader.load(VerbsProvider.class));
    }
}
