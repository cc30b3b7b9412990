package org.ringside.verbs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.verbs.Context;
import org.ringside.verbs.Gid;
import org.ringside.verbs.VerbsException;

/**
 * A provider that was compiled when the interface lacked an operation serves an application that
 * knows it. The older interface is today's without it: {@code setGid}.
 */
class OlderProviderTest {
    private static final Path SOURCES = Path.of("src/main/java/org/ringside/verbs");

    private static final String PROVIDER =
            """
            package older;

            import java.lang.foreign.MemorySegment;
            import java.time.Duration;
            import java.util.List;
            import java.util.Set;
            import org.ringside.verbs.*;
            import org.ringside.verbs.spi.VerbsProvider;

            public final class OlderProvider implements VerbsProvider {
                public int interfaceVersion() { return INTERFACE_VERSION; }
                public String name() { return "older"; }
                public boolean serves(String name) { return name.startsWith("older/"); }
                public List<DeviceInfo> devices() {
                    return List.of(new DeviceInfo("older/0", "older", "a device", true, ""));
                }
                public Context open(String name) { return new Opened(name); }

                static final class Opened extends Context {
                    Opened(String name) { super(name); }
                    public DeviceAttributes attributes() {
                        return new DeviceAttributes(
                                "1", 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
                    }
                    public boolean isLost() { return false; }
                    protected PortAttributes doQueryPort(int number) {
                        return new PortAttributes(
                                PortAttributes.LinkLayer.ETHERNET, true, Mtu.MTU_1024, 0, 4);
                    }
                    protected Gid doQueryGid(int port, int index) { return new Gid(7, index); }
                    protected DeviceBuffer doAllocate(long size) throws VerbsException {
                        throw notSupported("memory");
                    }
                    protected ProtectionDomain doCreatePd() throws VerbsException {
                        throw notSupported("PDs");
                    }
                    protected CompletionChannel doCreateCompletionChannel(int vector)
                            throws VerbsException {
                        throw notSupported("channels");
                    }
                    protected CompletionQueue doCreateCq(int entries, CompletionChannel channel)
                            throws VerbsException {
                        throw notSupported("CQs");
                    }
                    protected MemoryRegion doRegister(
                            ProtectionDomain pd, MemorySegment memory, long at, Set<Access> access)
                            throws VerbsException {
                        throw notSupported("MRs");
                    }
                    protected QueuePair doCreateQp(ProtectionDomain pd, QpOptions options)
                            throws VerbsException {
                        throw notSupported("QPs");
                    }
                    public AsyncEvent pollEvent() { return null; }
                    public AsyncEvent awaitEvent(Duration timeout) { return null; }
                    protected void doClose() {}
                }
            }
            """;

    @Test
    void shouldServeWithoutTheOperation(@TempDir Path directory) throws Exception {
        Path api = Files.createDirectories(directory.resolve("api"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        compile(
                olderInterface(directory.resolve("sources")),
                api,
                System.getProperty("java.class.path"));
        Path source = directory.resolve("OlderProvider.java");
        Files.writeString(source, PROVIDER);
        compile(List.of(source), classes, api.toString());

        try (URLClassLoader loader =
                new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            VerbsProvider provider =
                    (VerbsProvider)
                            loader.loadClass("older.OlderProvider")
                                    .getDeclaredConstructor()
                                    .newInstance();
            Providers providers = new Providers(List.of(provider));
            assertThat(providers.devices()).hasSize(1).allMatch(device -> device.available());
            try (Context context = providers.open("older/0")) {
                assertThat(context.gid(1, 3)).isEqualTo(new Gid(7, 3));
                assertThatThrownBy(() -> context.setGid(1, 3, Gid.NONE))
                        .isInstanceOfSatisfying(
                                VerbsException.class,
                                e -> assertThat(e.errno()).isEqualTo(VerbsException.EOPNOTSUPP))
                        .hasMessage("device older/0 does not support setting GID table entries");
            }
        }
    }

    /** Sources of the API and of the interface, copied without the operation. */
    private static List<Path> olderInterface(Path to) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String each : List.of("", "spi")) {
            Path target = Files.createDirectories(to.resolve("org/ringside/verbs").resolve(each));
            try (Stream<Path> files = Files.list(SOURCES.resolve(each))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    Path copy = target.resolve(file.getFileName());
                    Files.writeString(copy, without(file, Files.readString(file)));
                    all.add(copy);
                }
            }
        }
        return all;
    }

    private static String without(Path file, String source) {
        if (!file.endsWith("Context.java")) {
            return source;
        }
        String older = cut(source, "    public final void setGid(", "doSetGid(port, index");
        older = cut(older, "    protected void doSetGid(", "throw notSupported(");
        assertThat(older).doesNotContainIgnoringCase("void setGid").doesNotContain("doSetGid");
        return older;
    }

    /** Without the method that begins so and has this in its last line but for brackets. */
    private static String cut(String source, String begin, String last) {
        int from = source.indexOf(begin);
        int end = source.indexOf("\n    }\n", source.indexOf(last, from)) + "\n    }\n".length();
        assertThat(from).isPositive();
        return source.substring(0, from) + source.substring(end);
    }

    private static void compile(List<Path> sources, Path to, String classPath) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean good =
                    compiler.getTask(
                                    said,
                                    files,
                                    null,
                                    List.of("-d", to.toString(), "-cp", classPath, "-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources))
                            .call();
            assertThat(good).as(said.toString()).isTrue();
        }
    }
}
