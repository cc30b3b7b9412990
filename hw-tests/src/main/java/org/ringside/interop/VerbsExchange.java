package org.ringside.interop;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.ringside.verbs.Context;
import org.ringside.verbs.Verbs;

/**
 * Verified traffic of a device with another one that Linux drives.
 *
 * <pre>
 *   VerbsExchange DEVICE TCP-PORT OURS THEIRS [GID-INDEX]      OURS, THEIRS: requests of each end
 * </pre>
 */
public final class VerbsExchange {
    private VerbsExchange() {}

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length != 4 && args.length != 5) {
            System.err.println("usage: VerbsExchange DEVICE TCP-PORT OURS THEIRS [GID-INDEX]");
            System.exit(2);
        }
        int gidIndex = args.length == 5 ? Integer.parseInt(args[4]) : 0;
        ServerSocket tcp =
                new ServerSocket(Integer.parseInt(args[1]), 1, InetAddress.getLoopbackAddress());
        try (Dialogue dialogue = new Dialogue(tcp);
                Context context = Verbs.open(args[0]);
                VerbsEnd end = new VerbsEnd(context, gidIndex)) {
            Exchange exchange = new Exchange(end, dialogue, System.out);
            exchange.meet();
            exchange.weRequest(Integer.parseInt(args[2]));
            exchange.theyRequest(Integer.parseInt(args[3]));
            exchange.bye();
        }
    }
}
