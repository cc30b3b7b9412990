package org.ringside.mlx5.layout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Every table of the package, found by its compiled class, so that none escapes the tests. */
final class AllLayouts {
    private AllLayouts() {}

    static List<Layout> get() {
        try (Stream<Path> files = Files.list(classes())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.contains("$"))
                    .map(file -> load(file.substring(0, file.length() - ".class".length())))
                    .filter(type -> Layout.class.isAssignableFrom(type))
                    .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                    .map(AllLayouts::layoutOf)
                    .sorted((a, b) -> a.name().compareTo(b.name()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path classes() {
        URI home;
        try {
            home = Layout.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        return Path.of(home).resolve("org/ringside/mlx5/layout");
    }

    private static Class<?> load(String simpleName) {
        try {
            return Class.forName("org.ringside.mlx5.layout." + simpleName);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Layout layoutOf(Class<?> type) {
        try {
            Field layout = type.getField("LAYOUT");
            return (Layout) layout.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " has no public LAYOUT", e);
        }
    }
}
