package org.ringside.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ringside.modular.ModularChild;

class NativeAccessTest {
    /** What a child JVM does. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            try {
                System.out.println("pid " + SystemCalls.host().getpid());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static String run(Class<?> child, String... options) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), child.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return output.trim();
    }

    @Test
    void shouldNameTheOptionWhenTheJvmForbidsNativeAccess() throws Exception {
        assertThat(run(Child.class, "--illegal-native-access=deny"))
                .isEqualTo(
                        "Ringside makes system calls, and this JVM forbids them. Start java with"
                                + " --enable-native-access=ALL-UNNAMED");
    }

    @Test
    void shouldNameTheModuleWhenItIsOnTheModulePath() throws Exception {
        String code =
                Path.of(
                                SystemCalls.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                        .toString();
        String[] modular = {
            "--illegal-native-access=deny", "-p", code, "--add-modules", "org.ringside.vfio"
        };
        String option = "--enable-native-access=org.ringside.vfio";
        assertThat(run(ModularChild.class, modular)).endsWith("Start java with " + option);
        List<String> allowed = new ArrayList<>(List.of(modular));
        allowed.add(option);
        assertThat(run(ModularChild.class, allowed.toArray(new String[0]))).isEqualTo("allowed");
    }

    @Test
    void shouldWorkWithThatOption() throws Exception {
        assertThat(
                        run(
                                Child.class,
                                "--illegal-native-access=deny",
                                "--enable-native-access=ALL-UNNAMED"))
                .matches("pid [0-9]+");
    }
}
