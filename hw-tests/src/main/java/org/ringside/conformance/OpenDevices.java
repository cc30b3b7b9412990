package org.ringside.conformance;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.ringside.verbs.Context;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/**
 * Devices that are open for the kit. A bring-up takes its time, so tests share one; it is closed
 * when the run ends.
 */
final class OpenDevices {
    private static final Map<String, Context> OPEN = new LinkedHashMap<>();

    private OpenDevices() {}

    /** The device, opened now when it is not open or died in an earlier test. */
    static synchronized Context get(String name) throws VerbsException {
        Context context = OPEN.get(name);
        if (context != null && (context.isClosed() || context.isLost())) {
            release(name);
            context = null;
        }
        if (context == null) {
            context = Verbs.open(name);
            OPEN.put(name, context);
        }
        return context;
    }

    /** Closes the shared one, so that a test can open it by itself. */
    static synchronized void release(String name) throws VerbsException {
        Context context = OPEN.remove(name);
        if (context != null) {
            context.close();
        }
    }

    static synchronized void releaseAll() throws VerbsException {
        for (String name : OPEN.keySet().toArray(String[]::new)) {
            release(name);
        }
    }

    /** Closes all devices after the last test class. */
    static final class AtEnd implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(OpenDevices.class))
                    .getOrComputeIfAbsent(
                            "close",
                            key -> (AutoCloseable) OpenDevices::releaseAll,
                            AutoCloseable.class);
        }
    }
}
