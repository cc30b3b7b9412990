package org.ringside.emulator.server;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.emulator.device.DeviceAgent;

/** A server with a function, and a client that has negotiated. */
@Timeout(60)
abstract class ServerTest {
    static final int MSIX = 2;
    static final int ATTACH = 0x24;
    static final int READ_WRITE = 3;

    @TempDir Path directory;
    TestFunction function;
    DeviceAgent agent;
    VfioUserServer server;
    RawClient client;

    @BeforeEach
    void start() throws IOException {
        function = makeFunction();
        agent = new DeviceAgent("test agent");
        server = VfioUserServer.listen(directory.resolve("s"), function, agent);
        client = RawClient.qemu(server.path());
    }

    TestFunction makeFunction() throws IOException {
        return TestFunction.trapped();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
        agent.close();
        function.close();
    }

    /** Another client in place of the one that there is. */
    void reconnect() throws IOException {
        client.close();
        client = RawClient.qemu(server.path());
    }

    /** Lets the function copy; returns its status. */
    long copy(long source, long target, long length) throws IOException {
        client.write(0, TestFunction.SOURCE, 8, source);
        client.write(0, TestFunction.TARGET, 8, target);
        client.write(0, TestFunction.LENGTH, 8, length);
        client.write(0, TestFunction.GO, 8, 1);
        return client.read(0, TestFunction.STATUS, 8);
    }
}
