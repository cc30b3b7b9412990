package org.ringside.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.ringside.emulator.Emulator;
import org.ringside.emulator.mlx5.FaultSpec;

/**
 * Reads faults from a file while devices run: a line each, {@code [FUNCTION:]KIND[=VALUE][@N]}, for
 * all functions when none is named. A FIFO is opened again when its writer goes; a regular file is
 * read once.
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

    /** On a thread of its own, which does not keep the program alive. */
    void start() {
        Thread thread = new Thread(this, "faults");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            do {
                try (BufferedReader lines = Files.newBufferedReader(file)) {
                    lines.lines().filter(line -> !line.isBlank()).forEach(this::cause);
                }
            } while (!Files.isRegularFile(file));
        } catch (IOException e) {
            tell("no more faults from " + file + ": " + e);
        }
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
