package org.ringside.interop;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.ringside.verbs.Context;
import org.ringside.verbs.Verbs;

/**
 * One device of ours, for two programs of the guest in turn: first what {@link VerbsExchange} does,
 * then what {@link ErrorPeer} does.
 *
 * <pre>
 *   CardPeer DEVICE EXCHANGE-PORT ERRORS-PORT OURS THEIRS GID-INDEX
 * </pre>
 */
public final class CardPeer {
    private CardPeer() {}

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length != 6) {
            System.err.println(
                    "usage: CardPeer DEVICE EXCHANGE-PORT ERRORS-PORT OURS THEIRS GID-INDEX");
            System.exit(2);
        }
        int gidIndex = Integer.parseInt(args[5]);
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket exchanges = new ServerSocket(Integer.parseInt(args[1]), 1, here);
                ServerSocket errors = new ServerSocket(Integer.parseInt(args[2]), 1, here);
                Context context = Verbs.open(args[0])) {
            try (Dialogue dialogue = new Dialogue(exchanges);
                    VerbsEnd end = new VerbsEnd(context, gidIndex)) {
                Exchange exchange = new Exchange(end, dialogue, System.out);
                exchange.meet();
                exchange.weRequest(Integer.parseInt(args[3]));
                exchange.theyRequest(Integer.parseInt(args[4]));
                exchange.bye();
            }
            try (Socket socket = errors.accept()) {
                System.out.println(
                        "figure orders obeyed " + new ErrorPeer(context, gidIndex).obey(socket));
            }
        }
    }
}
