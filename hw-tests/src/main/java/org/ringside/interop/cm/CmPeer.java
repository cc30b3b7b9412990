package org.ringside.interop.cm;

import java.time.Duration;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Context;
import org.ringside.verbs.QpType;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmAddress;
import org.ringside.verbs.cm.CmConnection;
import org.ringside.verbs.cm.CmDatagramPeer;
import org.ringside.verbs.cm.CmListener;
import org.ringside.verbs.cm.CmOptions;
import org.ringside.verbs.cm.CmRejectedException;
import org.ringside.verbs.cm.CmRequest;
import org.ringside.verbs.cm.ConnectionManager;
import org.ringside.verbs.cm.PortSpace;

/**
 * Plays the other ends of the programs of librdmacm, one after the other.
 *
 * <pre>
 *   CmPeer DEVICE GID-INDEX ROLE...       a role: PROGRAM,SIDE,PORT,COUNT,SIZE[,ADDRESS]
 *     PROGRAM  rping, ucmatose or udaddy
 *     SIDE     server, or client, which asks until the server at ADDRESS is up
 * </pre>
 */
public final class CmPeer {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long BETWEEN_MILLIS = 300;
    private static final int NOBODY_LISTENS = 8;
    private static final int NO_SERVICE = 1;

    private final Context context;
    private final ConnectionManager cm;
    private final int gidIndex;

    private CmPeer(Context context, ConnectionManager cm, int gidIndex) {
        this.context = context;
        this.cm = cm;
        this.gidIndex = gidIndex;
    }

    /** What it is to play. */
    private record Role(
            String program, boolean server, int port, int count, int size, String address) {
        static Role parse(String text) {
            String[] parts = text.split(",", -1);
            boolean server = parts.length == 5 && "server".equals(parts[1]);
            if (!server && (parts.length != 6 || !"client".equals(parts[1]))) {
                throw new IllegalArgumentException("\"" + text + "\" is no role");
            }
            return new Role(
                    parts[0],
                    server,
                    Integer.parseInt(parts[2]),
                    Integer.parseInt(parts[3]),
                    Integer.parseInt(parts[4]),
                    server ? "" : parts[5]);
        }

        CmAddress where() {
            return CmAddress.of(address, port);
        }
    }

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length < 3) {
            System.err.println("usage: CmPeer DEVICE GID-INDEX ROLE...");
            System.exit(2);
        }
        try (Context context = Verbs.open(args[0]);
                ConnectionManager cm = ConnectionManager.open(context)) {
            CmPeer peer = new CmPeer(context, cm, Integer.parseInt(args[1]));
            for (int i = 2; i < args.length; i++) {
                Role role = Role.parse(args[i]);
                System.out.println("role " + args[i]);
                peer.play(role);
                System.out.printf(
                        "figure our %s as %s %d messages of %d B%n",
                        role.program, role.server ? "server" : "client", role.count, role.size);
            }
        }
    }

    private void play(Role role) throws VerbsException, InterruptedException {
        switch (role.program) {
            case "rping" -> rping(role);
            case "ucmatose" -> ucmatose(role);
            case "udaddy" -> udaddy(role);
            default -> throw new IllegalArgumentException("no program " + role.program);
        }
    }

    private void rping(Role role) throws VerbsException, InterruptedException {
        try (Station station = new Station(context, QpType.RC, Rping.BYTES)) {
            Rping rping = new Rping(station);
            rping.prepare();
            CmConnection connection = connection(role, station);
            if (role.server) {
                rping.server(connection, role.count);
            } else {
                rping.client(connection, role.count, role.size);
            }
        }
    }

    private void ucmatose(Role role) throws VerbsException, InterruptedException {
        try (Station station = new Station(context, QpType.RC, Ucmatose.BYTES)) {
            Ucmatose ucmatose = new Ucmatose(station, role.count, role.size);
            ucmatose.prepare();
            CmConnection connection = connection(role, station);
            if (role.server) {
                ucmatose.server(connection);
            } else {
                ucmatose.client(connection);
            }
        }
    }

    private void udaddy(Role role) throws VerbsException, InterruptedException {
        try (Station station = new Station(context, QpType.UD, Udaddy.BYTES)) {
            Udaddy udaddy = new Udaddy(station, role.count, role.size);
            udaddy.prepare();
            if (role.server) {
                CmRequest request = request(PortSpace.UDP, role.port);
                request.acceptDatagrams(station.qp, Udaddy.QKEY, new byte[0]);
                int answerTo = udaddy.receive();
                try (AddressHandle back =
                        station.pd.createAh(
                                1,
                                new AddressVector(
                                        0, request.peer().gid(), gidIndex, null, 0, 0, 0, 64))) {
                    udaddy.send(back, answerTo, Udaddy.QKEY);
                }
            } else {
                CmDatagramPeer peer =
                        untilUp(() -> cm.resolve(station.pd, role.where(), new CmOptions()));
                try (AddressHandle to = peer.handle()) {
                    udaddy.send(to, peer.qpNumber(), peer.qkey());
                    udaddy.receive();
                }
            }
        }
    }

    private CmConnection connection(Role role, Station station)
            throws VerbsException, InterruptedException {
        CmOptions options = new CmOptions().rdAtomic(1);
        return role.server
                ? request(PortSpace.TCP, role.port).accept(station.qp, options)
                : untilUp(() -> cm.connect(station.qp, role.where(), options));
    }

    private CmRequest request(PortSpace space, int port)
            throws VerbsException, InterruptedException {
        try (CmListener listener = cm.listen(space, port)) {
            CmRequest request = listener.await(PATIENCE);
            if (request == null) {
                throw new IllegalStateException("nobody asked for port " + port);
            }
            return request;
        }
    }

    private interface Attempt<T> {
        T get() throws VerbsException, InterruptedException;
    }

    /** The server is a program that starts beside us. */
    private static <T> T untilUp(Attempt<T> attempt) throws VerbsException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return attempt.get();
            } catch (CmRejectedException e) {
                boolean nobody = e.reason() == NOBODY_LISTENS || e.reason() == NO_SERVICE;
                if (!nobody || System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(BETWEEN_MILLIS);
            }
        }
    }
}
