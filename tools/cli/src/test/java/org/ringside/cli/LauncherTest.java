package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/ringside}, as far as it goes without building. */
@Timeout(60)
class LauncherTest {
    @TempDir Path directory;

    private String jdk(String command, Map<String, String> environment) throws Exception {
        return output(new ProcessBuilder(command, "--jdk"), environment);
    }

    private String output(ProcessBuilder builder, Map<String, String> environment)
            throws IOException, InterruptedException {
        builder.environment().remove("HOME");
        builder.environment().putAll(environment);
        Process process = builder.directory(directory.toFile()).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out.strip();
    }

    private static Path launcher() {
        return Path.of("../ringside").toAbsolutePath().normalize();
    }

    @Test
    void shouldFindTheJdkWithoutAHomeDirectory() throws Exception {
        assertThat(Path.of(jdk(launcher().toString(), Map.of())).resolve("bin/javac"))
                .isExecutable();
    }

    @Test
    void shouldFindTheJdkWhereJavaHomeNamesNone() throws Exception {
        assertThat(
                        Path.of(jdk(launcher().toString(), Map.of("JAVA_HOME", "/nonexistent")))
                                .resolve("bin/javac"))
                .isExecutable();
    }

    @Test
    void shouldStartThroughALinkFromAnotherDirectory() throws Exception {
        Path link = directory.resolve("a link");
        Files.createSymbolicLink(link, launcher());
        assertThat(jdk(link.toString(), Map.of())).isNotEmpty();
    }

    @Test
    void shouldTakeQuotedOptionsOfTheJvm() throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                        "bash",
                        "-c",
                        ". '%s' && java_options && printf '[%%s]' \"${options[@]}\""
                                .formatted(launcher().resolveSibling("jdk.sh")));
        assertThat(output(builder, Map.of("RINGSIDE_JAVA_OPTS", "-Da=\"b c\" -Dd='e f' -Dg=*")))
                .isEqualTo("[-Da=b c][-Dd=e f][-Dg=*]");
        assertThat(output(builder, Map.of("RINGSIDE_JAVA_OPTS", ""))).isEqualTo("[]");
    }
}
