package org.ringside.linux;

import java.lang.foreign.MemorySegment;

/**
 * Finds out whether this JVM lets us call native code before the first call fails in a class
 * initializer.
 */
final class NativeAccess {
    private NativeAccess() {}

    static SystemCalls systemCalls() {
        try {
            // The cheapest restricted method: it fails here exactly when a downcall would.
            MemorySegment probe = MemorySegment.NULL.reinterpret(1);
            assert probe.byteSize() == 1;
        } catch (IllegalCallerException e) {
            Module module = NativeAccess.class.getModule();
            String who = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            throw new IllegalStateException(
                    "Ringside makes system calls, and this JVM forbids them. Start java with"
                            + " --enable-native-access="
                            + who,
                    e);
        }
        return NativeSystemCalls.INSTANCE;
    }
}
