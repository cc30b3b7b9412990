package org.ringside.cli;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.Emulator;
import org.ringside.emulator.mlx5.FaultSpec;
import org.ringside.linux.Abi;

/**
 * Reads faults from a file while devices run: a line each, {@code [FUNCTION:]KIND[=VALUE][@N]}, for
 * all functions when none is named. From a FIFO more can always come, by one writer after the
 * other; a regular file is read once.
 *
 * <p>A line that makes no sense is told on the error stream and left out.
 */
final class FaultReader implements Runnable {
    private final Path file;
    private final Collection<Emulator> emulators;
    private final PrintWriter err;

    FaultReader(Path file, Collection<Emulator> emulators, PrintWriter err) {
        this.file = file;
        this.emulators = emulators;
        this.err = err;
    }

    /**
     * What keeps a file from being read: a terminal, a device or a directory is no place for
     * faults.
     *
     * @return null when it is a FIFO or a regular file
     */
    static @Nullable String whyNot(Path file) {
        try {
            int type = type(file);
            if (type != Abi.S_IFREG && type != Abi.S_IFIFO) {
                return "%s is neither a FIFO nor a regular file; mkfifo makes one".formatted(file);
            }
            boolean usable =
                    Files.isReadable(file) && (type == Abi.S_IFREG || Files.isWritable(file));
            return usable ? null : file + " may not be read, or not be written, by this user";
        } catch (NoSuchFileException e) {
            return "there is no %s; mkfifo makes a FIFO".formatted(file);
        } catch (IOException e) {
            return Failures.text(e);
        }
    }

    /** On a thread of its own, which does not keep the program alive. */
    void start() {
        Thread thread = new Thread(this, "faults");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(open(), StandardCharsets.UTF_8.newDecoder()))) {
            lines.lines().filter(line -> !line.isBlank()).forEach(this::cause);
        } catch (IOException | UncheckedIOException e) {
            Throwable why =
                    e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
            tell("no more faults from " + file + ": " + Failures.text(why));
        }
    }

    /**
     * A FIFO is opened for writing too: as long as there is a writer it does not end, so that
     * nothing is lost between one writer and the next.
     */
    private InputStream open() throws IOException {
        return type(file) == Abi.S_IFIFO
                ? new FileInputStream(new RandomAccessFile(file.toFile(), "rw").getFD())
                : Files.newInputStream(file);
    }

    private static int type(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:mode") & Abi.S_IFMT;
    }

    private void cause(String line) {
        String[] parts = line.strip().split(":", 2);
        String function = parts.length == 1 ? "" : parts[0];
        try {
            FaultSpec spec = FaultSpec.parse(parts[parts.length - 1].strip());
            List<Emulator> named =
                    emulators.stream()
                            .filter(
                                    each ->
                                            function.isEmpty()
                                                    || each.options().name().equals(function))
                            .toList();
            if (named.isEmpty()) {
                tell("fault \"" + line + "\": there is no function " + function);
            }
            named.forEach(each -> each.faults().cause(spec));
        } catch (IllegalArgumentException e) {
            tell("fault left out: " + e.getMessage());
        }
    }

    private void tell(String text) {
        err.println("ringside: " + text);
        err.flush();
    }
}
