package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ringside.vfio.user.Capabilities;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.Version;
import org.ringside.vfio.user.ProtocolException;

/** VERSION: what the two sides can do. */
final class VersionCommand {
    static final int MAJOR = 0;

    /** Newest minor version whose features we know. */
    static final int MINOR = 2;

    private static final int MAX_JSON = 4096;

    private VersionCommand() {}

    /**
     * Answers, never with more bytes than were asked: QEMU has no room for more. Returns what the
     * client can do.
     */
    static Capabilities negotiate(Message request, Message reply) throws RequestException {
        Session.minPayload(request, Version.JSON);
        int major = request.getShort(Version.MAJOR);
        int minor = request.getShort(Version.MINOR);
        if (major != MAJOR) {
            throw RequestException.invalid("major version %d, we speak 0".formatted(major));
        }
        int room = request.payloadSize() - Version.JSON;
        if (room > MAX_JSON) {
            throw RequestException.invalid("%d bytes of JSON".formatted(room));
        }
        Capabilities client;
        try {
            client = Capabilities.parse(request.memory(), Message.at(Version.JSON), room);
        } catch (ProtocolException e) {
            throw RequestException.invalid(String.valueOf(e.getMessage()));
        }
        Capabilities ours =
                new Capabilities(
                        Session.MAX_FDS,
                        Session.MAX_DATA,
                        DmaTable.MAX_RANGES,
                        Capabilities.DEFAULTS.pageSizes(),
                        client.writeMultiple());
        byte[] json = ours.toJson(room);
        reply.reply(request.command(), request.id(), Version.JSON + json.length)
                .putShort(Version.MAJOR, MAJOR)
                .putShort(Version.MINOR, Math.min(minor, MINOR));
        MemorySegment.copy(
                json,
                0,
                reply.memory(),
                ValueLayout.JAVA_BYTE,
                Message.at(Version.JSON),
                json.length);
        return client;
    }
}
