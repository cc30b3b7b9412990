package org.ringside.modular;

import java.lang.reflect.InvocationTargetException;

/**
 * Makes a system call through the module org.ringside.vfio. In a package of its own: the module's
 * packages are the module's.
 */
public final class ModularChild {
    private ModularChild() {}

    /** Prints "allowed" or why not. */
    public static void main(String[] arguments) throws Exception {
        Module module = ModuleLayer.boot().findModule("org.ringside.vfio").orElseThrow();
        try {
            Class.forName(module, "org.ringside.linux.SystemCalls").getMethod("host").invoke(null);
            System.out.println("allowed");
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
    }
}
