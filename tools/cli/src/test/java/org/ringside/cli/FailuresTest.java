package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailuresTest {
    @Command(name = "broken")
    private record Broken(Error error) implements Callable<Integer> {
        @Override
        public Integer call() {
            throw error;
        }
    }

    private static String told(Error error) {
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new Broken(error)).setErr(new PrintWriter(err, true));
        assertThat(Ringside.run(command)).isEqualTo(1);
        return err.toString();
    }

    @Test
    void shouldTellWhatTheJvmLacksInOneLine() {
        assertThat(told(new OutOfMemoryError("unable to create native thread")))
                .isEqualToIgnoringNewLines(
                        "ringside: OutOfMemoryError: unable to create native thread");
        assertThat(
                        told(
                                new ExceptionInInitializerError(
                                        new UnsupportedOperationException("no C library"))))
                .isEqualToIgnoringNewLines("ringside: UnsupportedOperationException: no C library");
    }

    /** /dev/full takes nothing, as a full disk, a closed descriptor, or a pipe without reader. */
    @Test
    void shouldFailWhenItsOutputGoesNowhere() throws IOException {
        StringWriter err = new StringWriter();
        try (FileWriter full = new FileWriter("/dev/full", StandardCharsets.UTF_8)) {
            CommandLine command =
                    Ringside.commandLine()
                            .setOut(new PrintWriter(full))
                            .setErr(new PrintWriter(err, true));
            assertThat(Ringside.run(command, "devices")).isEqualTo(1);
        } catch (IOException e) {
            assertThat(e).as("closing tries once more").hasMessageContaining("No space left");
        }
        assertThat(err.toString()).contains("standard output cannot be written");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() {
        assertThat(Failures.text(new NoSuchFileException("/a")))
                .isEqualTo("/a: there is no such file");
        assertThat(Failures.text(new AccessDeniedException("/a")))
                .isEqualTo("/a: this user may not use it");
        assertThat(Failures.text(new FileSystemException("/a", null, "Is a directory")))
                .isEqualTo("/a: Is a directory");
        assertThat(Failures.text(new MalformedInputException(1)))
                .startsWith("this is no text in UTF-8");
        assertThat(Failures.text(new IOException())).isEqualTo("IOException");
    }
}
