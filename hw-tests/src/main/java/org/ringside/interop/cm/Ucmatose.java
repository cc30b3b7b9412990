package org.ringside.interop.cm;

import java.time.Duration;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmConnection;

/**
 * Either end of {@code ucmatose}: the server sends its messages, then the client sends as many,
 * then the server ends the connection (rdma-core, librdmacm/examples/cmatose.c). What they contain
 * says nothing there: it is what lay in memory.
 */
final class Ucmatose {
    static final long BYTES = 1 << 16;

    private static final Duration END = Duration.ofSeconds(60);

    private final Station station;
    private final int count;
    private final int size;

    Ucmatose(Station station, int count, int size) {
        this.station = station;
        this.count = count;
        this.size = size;
    }

    void prepare() throws VerbsException {
        station.init();
        for (int i = 0; i < count; i++) {
            station.receive(0, size);
        }
    }

    void client(CmConnection connection) throws InterruptedException {
        receive();
        send();
        if (!connection.awaitDisconnect(END)) {
            throw new IllegalStateException("the server did not end the connection");
        }
    }

    void server(CmConnection connection) throws VerbsException, InterruptedException {
        send();
        receive();
        connection.disconnect();
    }

    private void send() {
        for (int i = 0; i < count; i++) {
            station.send(size, size);
        }
        for (int i = 0; i < count; i++) {
            station.sent();
        }
    }

    private void receive() {
        for (int i = 0; i < count; i++) {
            long length = station.received().length();
            if (length != size) {
                throw new IllegalStateException(
                        "message %d has %d bytes, not %d".formatted(i, length, size));
            }
        }
    }
}
