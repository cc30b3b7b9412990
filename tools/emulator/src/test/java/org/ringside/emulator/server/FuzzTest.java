package org.ringside.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.ringside.linux.LinuxException;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Message;

/**
 * Messages at random, and good ones with random damage. Whatever comes, the server serves the next
 * client and keeps no descriptor. Each seed can be repeated with -Dringside.fuzz.seed.
 */
class FuzzTest extends ServerTest {
    private static final Logger LOGGER = Logger.getLogger("org.ringside.emulator.server");
    private static final int CLIENTS = 60;
    private static final int MESSAGES = 120;
    private final long seed = Long.getLong("ringside.fuzz.seed", 0x5eed);

    @BeforeAll
    static void silence() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOGGER.setLevel(null);
    }

    @Test
    void shouldSurviveAnyMessage() throws IOException {
        Random random = new Random(seed);
        int memfd = RawClient.memfd(1 << 20);
        int event = RawClient.CALLS.eventfd();
        reconnect();
        assertThat(client.read(Region.CONFIG, 0, 4)).isEqualTo(0x42421b36);
        int before = RawClient.openFiles().size();
        for (int i = 0; i < CLIENTS; i++) {
            reconnect();
            torment(random, memfd, event);
        }
        reconnect();
        assertThat(client.read(Region.CONFIG, 0, 4)).as("seed %d", seed).isEqualTo(0x42421b36);
        assertThat(RawClient.openFiles()).as("seed %d", seed).hasSize(before);
        RawClient.CALLS.close(memfd);
        RawClient.CALLS.close(event);
    }

    private void torment(Random random, int memfd, int event) throws IOException {
        try {
            for (int i = 0; i < MESSAGES; i++) {
                Message message =
                        random.nextInt(4) == 0 ? noise(random) : good(random, memfd, event);
                byte[] bytes =
                        message.memory().asSlice(0, message.size()).toArray(ValueLayout.JAVA_BYTE);
                for (int damage = random.nextInt(3); damage > 0; damage--) {
                    damage(random, bytes);
                }
                client.sendBytes(bytes, message.fds());
                drain();
            }
        } catch (LinuxException e) {
            // EPIPE, ECONNRESET: the server has had enough of this client.
            assertThat(e.call()).isIn("sendmsg", "recvmsg", "send");
        }
    }

    private void drain() throws IOException {
        if (client.isReadableWithin(0)) {
            client.receiveOrEnd();
        }
    }

    private Message noise(Random random) {
        Command[] commands = Command.values();
        Message message =
                client.request(commands[random.nextInt(commands.length)], random.nextInt(80));
        for (int i = 0; i < message.payloadSize(); i++) {
            message.putByte(i, (byte) random.nextInt());
        }
        return message;
    }

    private Message good(Random random, int memfd, int event) {
        return switch (random.nextInt(7)) {
            case 0 -> client.dmaMap(random.nextInt(64) * 4096L, 4096, 3, 4096, memfd);
            case 1 -> client.dmaMap(random.nextInt(64) * 4096L, 8192, 3, 0);
            case 2 -> client.dmaUnmap(random.nextInt(64) * 4096L, random.nextInt(8) * 4096L, 0);
            case 3 -> client.setIrqs(2, 0x24, random.nextInt(24), 1, event);
            case 4 -> client.regionRead(random.nextInt(9), random.nextInt(4096), 4);
            case 5 ->
                    client.regionWrite(random.nextInt(9), random.nextInt(256), 4, random.nextInt());
            default -> client.request(Command.DEVICE_RESET, 0);
        };
    }

    /** Seldom in the size, which ends most sessions at once. */
    private static void damage(Random random, byte[] bytes) {
        int at = random.nextInt(bytes.length);
        if (at < 4 || at >= 8 || random.nextInt(20) == 0) {
            bytes[at] = (byte) random.nextInt();
        }
    }
}
