package org.ringside.interop.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmConnection;

/**
 * Either end of {@code rping}: the client tells where its ping is, the server READs it and WRITEs
 * it back where the client tells next (rdma-core, librdmacm/examples/rping.c).
 *
 * <pre>
 *   client: SEND source  -&gt; server: READ,  SEND "go on" -&gt;
 *   client: SEND sink    -&gt; server: WRITE, SEND "go on" -&gt; client verifies
 *   message: address 8 bytes, rkey 4, size 4, big endian
 * </pre>
 */
final class Rping {
    private static final int MESSAGE = 16;
    private static final long RECEIVE = 0;
    private static final long SEND = 64;
    private static final long SOURCE = 4096;
    private static final int MAX_SIZE = 1 << 16;
    private static final long SINK = SOURCE + MAX_SIZE;

    /** Bytes of memory that it needs. */
    static final long BYTES = SINK + MAX_SIZE;

    private static final int FIRST = 65;
    private static final int LAST = 122;
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Station station;
    private int served;

    Rping(Station station) {
        this.station = station;
    }

    /** Before the connection: the first message shall find a receive. */
    void prepare() throws VerbsException {
        station.init();
        station.receive(RECEIVE, MESSAGE);
    }

    // ---- client

    /** Sends pings and verifies what comes back, then ends the connection. */
    void client(CmConnection connection, int count, int size)
            throws VerbsException, InterruptedException {
        for (int ping = 0; ping < count; ping++) {
            write(SOURCE, ping, size);
            tell(SOURCE, size);
            hear();
            station.memory.asSlice(SINK, size).fill((byte) 0);
            tell(SINK, size);
            hear();
            long at =
                    MemorySegment.mismatch(
                            station.memory,
                            SOURCE,
                            SOURCE + size,
                            station.memory,
                            SINK,
                            SINK + size);
            if (at != -1) {
                throw new IllegalStateException("ping %d: byte %d is wrong".formatted(ping, at));
            }
        }
        connection.disconnect();
    }

    private void tell(long offset, int size) {
        station.memory.set(LONG, SEND, station.address(offset));
        station.memory.set(INT, SEND + 8, station.rkey());
        station.memory.set(INT, SEND + 12, size);
        station.send(SEND, MESSAGE);
        station.sent();
    }

    private void hear() {
        requireMessage(station.received());
        station.receive(RECEIVE, MESSAGE);
    }

    private static void requireMessage(Station.Arrival arrival) {
        if (arrival.length() != MESSAGE) {
            throw new IllegalStateException("a message of %d bytes".formatted(arrival.length()));
        }
    }

    /** As rping fills it, so that its server can print it. */
    private void write(long at, int ping, int size) {
        byte[] head = "rdma-ping-%d: ".formatted(ping).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < size - 1; i++) {
            byte value = i < head.length ? head[i] : letter(ping + i - head.length);
            station.memory.set(ValueLayout.JAVA_BYTE, at + i, value);
        }
        station.memory.set(ValueLayout.JAVA_BYTE, at + size - 1, (byte) 0);
    }

    private static byte letter(int number) {
        return (byte) (FIRST + number % (LAST - FIRST + 1));
    }

    // ---- server

    /** Serves pings, verifying each, until the client ends the connection. */
    void server(CmConnection connection, int count) throws InterruptedException {
        for (int ping = 0; ping < count; ping++) {
            requireMessage(station.received());
            int size = station.memory.get(INT, RECEIVE + 12);
            station.qp.postRead(
                    1,
                    SendFlags.SIGNALED,
                    station.lkey(),
                    station.address(SOURCE),
                    size,
                    station.memory.get(INT, RECEIVE + 8),
                    station.memory.get(LONG, RECEIVE));
            station.sent();
            verify(ping, size);
            goOn();
            requireMessage(station.received());
            station.qp.postWrite(
                    2,
                    SendFlags.SIGNALED,
                    station.lkey(),
                    station.address(SOURCE),
                    station.memory.get(INT, RECEIVE + 12),
                    station.memory.get(INT, RECEIVE + 8),
                    station.memory.get(LONG, RECEIVE));
            station.sent();
            goOn();
            served++;
        }
        if (!connection.awaitDisconnect(Duration.ofSeconds(60))) {
            throw new IllegalStateException("the client did not end the connection");
        }
    }

    int served() {
        return served;
    }

    private void goOn() {
        station.receive(RECEIVE, MESSAGE);
        station.send(SEND, MESSAGE);
        station.sent();
    }

    /** rping's own pattern: the number of the ping, then letters, each time beginning one later. */
    private void verify(int ping, int size) {
        byte[] head = "rdma-ping-%d: ".formatted(ping).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < size - 1; i++) {
            byte expected = i < head.length ? head[i] : letter(ping + i - head.length);
            byte got = station.memory.get(ValueLayout.JAVA_BYTE, SOURCE + i);
            if (got != expected) {
                throw new IllegalStateException(
                        "ping %d of %d bytes: byte %d is %d, expected %d"
                                .formatted(ping, size, i, got, expected));
            }
        }
    }
}
