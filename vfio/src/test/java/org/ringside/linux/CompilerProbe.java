package org.ringside.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Asks a C compiler for the values of constant expressions, so that tests compare our numbers with
 * the kernel's headers.
 */
public final class CompilerProbe {
    private final StringBuilder includes = new StringBuilder("#define _GNU_SOURCE\n");
    private final Map<String, Long> expected = new LinkedHashMap<>();

    /** Nothing to ask yet. */
    public CompilerProbe() {}

    /** Includes a header. */
    public CompilerProbe include(String header) {
        includes.append("#include <").append(header).append(">\n");
        return this;
    }

    /** Expects the value of an expression. */
    public CompilerProbe expect(String expression, long value) {
        expected.put(expression, value);
        return this;
    }

    /** Expects the size of a structure. */
    public CompilerProbe size(String structure, long bytes) {
        return expect("sizeof(struct " + structure + ")", bytes);
    }

    /** Expects the offset of a field. */
    public CompilerProbe offset(String structure, String field, long bytes) {
        return expect("offsetof(struct " + structure + ", " + field + ")", bytes);
    }

    /**
     * Compiles, runs and compares. Without a C compiler the test is skipped, unless {@code
     * -Dringside.test.requireCompiler=true} or the environment variable {@code CI} says that one
     * has to be there.
     */
    public void check(Path folder) throws Exception {
        if (!hasCompiler()) {
            boolean required =
                    Boolean.getBoolean("ringside.test.requireCompiler")
                            || System.getenv("CI") != null;
            assertThat(required).as("a C compiler is required here: apt install gcc").isFalse();
            assumeTrue(
                    false,
                    "no C compiler (cc): apt install gcc to compare with the kernel's headers");
        }
        StringBuilder source = new StringBuilder(includes);
        source.append("#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n");
        for (String expression : expected.keySet()) {
            source.append("printf(\"%lld\\n\", (long long)(").append(expression).append("));\n");
        }
        source.append("return 0; }\n");
        Path file = Files.writeString(folder.resolve("probe.c"), source);
        Path program = folder.resolve("probe");
        run("cc", "-o", program.toString(), file.toString());
        String[] lines = run(program.toString()).split("\n", -1);
        Map<String, Long> actual = new LinkedHashMap<>();
        int i = 0;
        for (String expression : expected.keySet()) {
            actual.put(expression, Long.parseLong(lines[i++]));
        }
        assertThat(expected).isEqualTo(actual);
    }

    private static boolean hasCompiler() throws Exception {
        try {
            run("cc", "--version");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
