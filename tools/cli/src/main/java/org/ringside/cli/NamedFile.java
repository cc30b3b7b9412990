package org.ringside.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Files that the command line names, looked at before anything is begun. */
final class NamedFile {
    private NamedFile() {}

    /**
     * Something that can be read, of whatever type.
     *
     * @param what how the user named it, such as {@code --table}
     * @throws ParameterException when it cannot
     */
    static void checkReadable(CommandSpec spec, String what, Path file) {
        if (!Files.exists(file)) {
            throw wrong(spec, what, file, "there is no such file");
        }
        if (Files.isDirectory(file)) {
            throw wrong(spec, what, file, "that is a directory; name a file");
        }
        if (!Files.isReadable(file)) {
            throw wrong(spec, what, file, "this user may not read it");
        }
    }

    /**
     * A file that can be written, or made.
     *
     * @throws ParameterException when it cannot
     */
    static void checkWritable(CommandSpec spec, String what, Path file) {
        checkDirectory(spec, what, file);
        if (Files.isDirectory(file)) {
            throw wrong(spec, what, file, "that is a directory; name a file");
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw wrong(spec, what, file, "this user may not write to it");
        }
    }

    /** The directory that the file is to be in. */
    static void checkDirectory(CommandSpec spec, String what, Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw wrong(
                    spec,
                    what,
                    file,
                    "there is no directory %s; make it first".formatted(directory));
        }
        if (!Files.exists(file) && !Files.isWritable(directory)) {
            throw wrong(
                    spec,
                    what,
                    file,
                    "this user may make no file in %s; choose another directory"
                            .formatted(directory));
        }
    }

    static ParameterException wrong(CommandSpec spec, String what, Path file, String why) {
        return new ParameterException(spec.commandLine(), "%s %s: %s".formatted(what, file, why));
    }
}
