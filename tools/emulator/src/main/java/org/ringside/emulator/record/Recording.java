package org.ringside.emulator.record;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The file of a recording. Functions of this process that name the same file share it; the last one
 * closes it. A file that is there already is replaced.
 *
 * <p>A line that cannot be written (disk full) ends the recording, not the device: it is logged,
 * once.
 *
 * <p>Threading: any thread; lines are whole.
 */
public final class Recording {
    private static final Logger LOG = System.getLogger(Recording.class.getName());
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Map<Path, Recording> OPEN = new HashMap<>(); // guarded by itself

    private final Path path;
    private final BufferedWriter file;
    private final long start = System.nanoTime();
    private boolean failed;
    private int users; // guarded by OPEN

    private Recording(Path path) throws IOException {
        this.path = path;
        this.file = Files.newBufferedWriter(path);
    }

    /**
     * The recording of a file; {@link #release()} gives it back.
     *
     * @throws IOException when the file cannot be written, with what is wrong
     */
    public static Recording open(Path file) throws IOException {
        Path path = file.toAbsolutePath().normalize();
        synchronized (OPEN) {
            Recording recording = OPEN.get(path);
            if (recording == null) {
                try {
                    recording = new Recording(path);
                } catch (IOException e) {
                    throw new IOException(
                            "the recording cannot be written to %s: %s; name a file in a directory that is there"
                                    .formatted(path, e),
                            e);
                }
                OPEN.put(path, recording);
            }
            recording.users++;
            return recording;
        }
    }

    /** Starts a line. */
    JsonLine line(String function, String kind, String name) {
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        return new JsonLine()
                .number("t", String.format(Locale.ROOT, "%.6f", seconds))
                .put("fn", function)
                .put("kind", kind)
                .put("name", name);
    }

    /**
     * Writes a line.
     *
     * @param flush whether all that was written must be in the file now
     */
    synchronized void write(JsonLine line, boolean flush) {
        if (failed) {
            return;
        }
        try {
            file.append(line.toString()).append('\n');
            if (flush) {
                file.flush();
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException e) {
        failed = true;
        LOG.log(Level.ERROR, "the recording in " + path + " ends here: " + e);
    }

    /** One user less; the last one closes the file. */
    public void release() {
        synchronized (OPEN) {
            if (--users > 0) {
                return;
            }
            OPEN.remove(path);
        }
        synchronized (this) {
            try {
                file.close();
            } catch (IOException e) {
                if (!failed) {
                    fail(e);
                }
            }
        }
    }
}
