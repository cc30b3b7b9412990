package org.ringside.vfio.user;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.user.Handshake.UserRegion;

/** Closes descriptors where nobody can do anything about a failure. */
final class Descriptors {
    private static final Logger LOG = System.getLogger(Descriptors.class.getName());

    private Descriptors() {}

    static void close(SystemCalls calls, int fd) {
        try {
            calls.close(fd);
        } catch (LinuxException e) {
            // Linux has released it all the same.
            LOG.log(Level.DEBUG, "close of a descriptor", e);
        }
    }

    /** Those that came with regions. */
    static void close(SystemCalls calls, List<UserRegion> regions) {
        for (UserRegion region : regions) {
            if (region.fd() != UserRegion.NO_FD) {
                close(calls, region.fd());
            }
        }
    }
}
