package org.ringside.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/**
 * A device of ours for {@code hw-tests/vm/guest/errors.py}, which comes by TCP and says what to do,
 * a line at a time. Each order is answered by one line: {@code ok ...}, or {@code error ...}.
 *
 * <pre>
 *   open requester|responder OPERATION FAULT  ->  ok qpn=.. psn=.. lid=.. gid=.. address=.. rkey=..
 *   init                                      the QP stays in INIT
 *   connect qpn=.. psn=.. lid=.. gid=.. ..    to RTS; a responder posts its receives
 *   request                                   ->  ok STATUS,STATUS   ibv_wc_status of each completion, or REFUSED
 *   look                                      ->  ok state=RTS received=STATUS,...
 *   fail, kill                                the QP to ERR, away
 *   close                                     all objects of the case go
 * </pre>
 *
 * Numbers are hexadecimal, statuses decimal. It ends when the other end does.
 */
public final class ErrorPeer {
    private final Context context;
    private final int gidIndex;
    private @Nullable ErrorEnd end;
    private boolean responds;
    private Map<String, String> peer = Map.of();

    ErrorPeer(Context context, int gidIndex) {
        this.context = context;
        this.gidIndex = gidIndex;
    }

    /** {@code ErrorPeer DEVICE TCP-PORT GID-INDEX}. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length != 3) {
            System.err.println("usage: ErrorPeer DEVICE TCP-PORT GID-INDEX");
            System.exit(2);
        }
        try (ServerSocket server =
                        new ServerSocket(
                                Integer.parseInt(args[1]), 1, InetAddress.getLoopbackAddress());
                Context context = Verbs.open(args[0]);
                Socket socket = server.accept()) {
            System.out.println(
                    "figure orders obeyed "
                            + new ErrorPeer(context, Integer.parseInt(args[2])).obey(socket));
        }
    }

    /** Obeys until the other end closes; tells how many orders there were. */
    int obey(Socket socket) throws IOException {
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        OutputStream out = socket.getOutputStream();
        int orders = 0;
        for (String line; (line = lines.readLine()) != null; orders++) {
            String answer;
            try {
                answer = "ok " + obey(line.split(" ", -1));
            } catch (Exception e) {
                answer = "error " + String.valueOf(e).replace('\n', ' ');
            }
            out.write((answer + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        return orders;
    }

    private String obey(String[] words) throws Exception {
        if (words[0].equals("open")) {
            responds = words[1].equals("responder");
            end = new ErrorEnd(context, gidIndex, new ErrorCase(words[2], words[3]), !responds);
            return hello(end);
        }
        ErrorEnd now = end;
        if (now == null) {
            throw new IllegalStateException("nothing is open for " + words[0]);
        }
        switch (words[0]) {
            case "init" -> now.init();
            case "connect" -> connect(now, words);
            case "fail" -> now.fail();
            case "kill" -> now.kill();
            case "close" -> {
                end = null;
                now.close();
            }
            case "request" -> {
                return now.request(
                        Long.parseUnsignedLong(peer.get("address"), 16),
                        Integer.parseUnsignedInt(peer.get("rkey"), 16));
            }
            case "look" -> {
                return now.look();
            }
            default -> throw new IllegalArgumentException("unknown order " + words[0]);
        }
        return "";
    }

    private static String hello(ErrorEnd end) throws VerbsException {
        Endpoint own = end.endpoint();
        return "qpn=%x psn=%x lid=%x gid=%s address=%x rkey=%x"
                .formatted(
                        own.qpNumber(),
                        own.psn(),
                        own.lid(),
                        HexFormat.of().formatHex(own.gid().bytes()),
                        end.address(),
                        end.rkey());
    }

    private void connect(ErrorEnd now, String[] words) throws VerbsException {
        Map<String, String> told = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            told.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        peer = told;
        now.connect(
                new Endpoint(
                        Integer.parseInt(told.get("qpn"), 16),
                        Integer.parseInt(told.get("psn"), 16),
                        Integer.parseInt(told.get("lid"), 16),
                        Gid.of(HexFormat.of().parseHex(told.get("gid")))));
        if (responds) {
            now.receive();
        }
    }
}
