package org.ringside.vfio.user;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ringside.linux.Errno;
import org.ringside.linux.SystemCalls;
import org.ringside.linux.UnixSockets;

/** A server that answers as it is told: a good one by default, command by command replaceable. */
final class ScriptedServer implements AutoCloseable {
    /** What becomes of one request. */
    interface Script {
        /** Answers, or not. */
        void answer(ScriptedServer server, Message request) throws IOException;
    }

    static final int BAR_SIZE = 0x4000;

    final List<Message> requests = new CopyOnWriteArrayList<>();
    private final SystemCalls calls = SystemCalls.host();
    private final Path path;
    private final int listener;
    private final Map<Command, Script> scripts = new EnumMap<>(Command.class);
    private final Thread thread;
    private volatile MessageSocket socket;

    ScriptedServer(Path path) throws IOException {
        this.path = path;
        this.listener = UnixSockets.listen(calls, path, 4);
        on(Command.VERSION, ScriptedServer::version);
        on(
                Command.DEVICE_GET_INFO,
                (server, request) ->
                        server.reply(request, 16)
                                .putInt(0, 16)
                                .putInt(4, 3)
                                .putInt(8, 9)
                                .putInt(12, 5));
        on(Command.DEVICE_GET_REGION_INFO, ScriptedServer::regionInfo);
        on(
                Command.DEVICE_GET_IRQ_INFO,
                (server, request) ->
                        server.reply(request, 16)
                                .putInt(0, 16)
                                .putInt(4, 1)
                                .putInt(8, request.getInt(8))
                                .putInt(12, request.getInt(8) == 2 ? 20 : 0));
        on(Command.DEVICE_SET_IRQS, (server, request) -> server.reply(request, 0));
        on(Command.DMA_MAP, (server, request) -> server.reply(request, 0));
        on(Command.DMA_UNMAP, (server, request) -> server.reply(request, 24));
        on(Command.DEVICE_RESET, (server, request) -> server.reply(request, 0));
        on(Command.REGION_WRITE, (server, request) -> server.reply(request, 16));
        on(
                Command.REGION_READ,
                (server, request) -> {
                    int count = request.getInt(12);
                    server.reply(request, 16 + count)
                            .putLong(0, request.getLong(0))
                            .putInt(8, request.getInt(8))
                            .putInt(12, count);
                });
        this.thread = new Thread(this::serve, "scripted server");
        thread.setDaemon(true);
        thread.start();
    }

    ScriptedServer on(Command command, Script script) {
        scripts.put(command, script);
        return this;
    }

    private Message answer;

    /** The reply to a request, sent when the script is through. */
    Message reply(Message request, int payload) {
        answer = new Message(payload).reply(request.command(), request.id(), payload);
        return answer;
    }

    void error(Message request, int errno) {
        answer = new Message(0).error(request.command(), request.id(), errno);
    }

    /** Sends something at once. */
    void send(Message message) throws IOException {
        socket.send(message);
    }

    /** Ends the connection. */
    void hangUp() {
        socket.shutdown();
    }

    private void version(Message request) {
        byte[] json =
                "{\"capabilities\":{\"max_msg_fds\":8}}\0".getBytes(StandardCharsets.US_ASCII);
        Message reply = reply(request, 4 + json.length);
        for (int i = 0; i < json.length; i++) {
            reply.putByte(4 + i, json[i]);
        }
    }

    private void regionInfo(Message request) {
        int index = request.getInt(8);
        long size = index == 0 ? BAR_SIZE : index == 7 ? 256 : 0;
        reply(request, 32)
                .putInt(0, 32)
                .putInt(4, size == 0 ? 0 : 3)
                .putInt(8, index)
                .putLong(16, size);
    }

    private void serve() {
        try {
            socket = new MessageSocket(calls, calls.accept(listener), 1 << 21);
            try {
                while (true) {
                    Message request = new Message(4096);
                    if (!socket.receive(request)) {
                        return;
                    }
                    handle(request);
                }
            } finally {
                socket.close();
            }
        } catch (IOException e) {
            // The client, or the test, has gone.
            System.getLogger("test").log(System.Logger.Level.DEBUG, "end", e);
        }
    }

    private void handle(Message request) throws IOException {
        requests.add(request);
        request.closeFds(calls);
        answer = null;
        Script script = scripts.get(Command.of(request.command()));
        if (script == null) {
            if (!request.isReply()) {
                error(request, Errno.ENOSYS);
            }
        } else {
            script.answer(this, request);
        }
        if (answer != null && (request.flags() & Header.FLAG_NO_REPLY) == 0) {
            socket.send(answer);
        }
    }

    @Override
    public void close() throws IOException {
        MessageSocket connected = socket;
        if (connected != null) {
            connected.shutdown();
        } else {
            calls.shutdown(listener, 2);
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        calls.close(listener);
        calls.unlink(path.toString());
    }
}
