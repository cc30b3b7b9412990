package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.emulator.Emulator;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.verbs.Verbs;

/** Faults from a file while devices run. */
@Timeout(60)
class FaultReaderTest {
    @TempDir Path directory;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final PrintWriter err =
            new PrintWriter(
                    new Writer() {
                        private final StringBuilder line = new StringBuilder();

                        @Override
                        public void write(char[] from, int at, int length) {
                            line.append(from, at, length);
                        }

                        @Override
                        public void flush() {
                            told.add(line.toString().strip());
                            line.setLength(0);
                        }

                        @Override
                        public void close() {}
                    });
    private Emulator emulator;

    @BeforeEach
    void start() throws IOException {
        emulator = Emulator.start(directory.resolve("s"), DeviceOptions.named("faulty").build());
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    private FaultReader reader(Path file) {
        return new FaultReader(file, List.of(emulator), err);
    }

    private Path fifo() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        return fifo;
    }

    private String nextLineTold() throws InterruptedException {
        String line = told.poll(20, TimeUnit.SECONDS);
        assertThat(line).as("a line in time").isNotNull();
        return line;
    }

    @Test
    void shouldTakeFaultsOfOneWriterAfterTheOther() throws Exception {
        Path fifo = fifo();
        assertThat(FaultReader.whyNot(fifo)).isNull();
        reader(fifo).start();
        Files.writeString(fifo, "rain\n");
        assertThat(nextLineTold()).contains("fault left out: there is no fault \"rain\"");
        Files.writeString(fifo, "nobody:reset\n");
        assertThat(nextLineTold()).contains("there is no function nobody");
        for (int i = 0; i < 100; i++) {
            Files.writeString(fifo, "nobody" + i + ":reset\n");
        }
        for (int i = 0; i < 100; i++) {
            assertThat(nextLineTold()).contains("there is no function nobody" + i);
        }
    }

    @Test
    void shouldReadARegularFileOnce() throws Exception {
        Path file = directory.resolve("file");
        Files.writeString(file, "faulty:garbage\n\n");
        assertThat(FaultReader.whyNot(file)).isNull();
        reader(file).run();
        assertThat(told).isEmpty();
        assertThat(catchOpen()).hasMessageContaining("ENABLE_HCA (0x104)");
    }

    private Exception catchOpen() {
        try {
            Verbs.open("vfio-user/" + emulator.socket()).close();
        } catch (IOException e) {
            return e;
        }
        throw new AssertionError("it opened with a garbage answer");
    }

    /** Not text; what follows is not read, and the reader ends with a word. */
    @Test
    void shouldEndWithAWordAtBytesThatAreNoText() throws Exception {
        Path file = directory.resolve("noise");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, '\n'});
        reader(file).run();
        assertThat(nextLineTold()).contains("no more faults from " + file);
    }
}
