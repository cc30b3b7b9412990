package org.ringside.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.ringside.verbs.DeviceException;
import org.ringside.verbs.VerbsException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** How a failure is told: one line, and the exit code that scripts decide by. */
final class Failures {
    private static final boolean DEBUG = Boolean.getBoolean("ringside.debug");

    private Failures() {}

    static int wrongInput(ParameterException e, String[] args) {
        return tell(e.getCommandLine().getErr(), e, ExitCode.USAGE);
    }

    static int failed(Exception e, CommandLine command, ParseResult parsed) {
        return tell(command.getErr(), e, isWrongInput(e) ? ExitCode.USAGE : ExitCode.SOFTWARE);
    }

    /** What picocli hands to nobody: no memory, no more threads, a class that cannot be loaded. */
    static int failed(Error e, CommandLine command) {
        return tell(command.getErr(), e, ExitCode.SOFTWARE);
    }

    /** A command whose output went nowhere has not done what it was run for. */
    static int unwritten(CommandLine command) {
        return tell(
                command.getErr(),
                new IOException("standard output cannot be written: closed, or its disk is full"),
                ExitCode.SOFTWARE);
    }

    /**
     * A name that no device has, or an option of it that does not exist, is the user's to mend. A
     * device that was there and failed or went is not, whatever its error number.
     */
    private static boolean isWrongInput(Exception e) {
        return e instanceof IllegalArgumentException
                || e instanceof VerbsException verbs
                        && !(e instanceof DeviceException)
                        && (verbs.errno() == VerbsException.ENODEV
                                || verbs.errno() == VerbsException.ENOENT
                                || verbs.errno() == VerbsException.EINVAL);
    }

    private static int tell(PrintWriter err, Throwable e, int code) {
        err.println("ringside: " + text(e).replaceAll("\\s*\\R\\s*", " "));
        if (DEBUG) {
            e.printStackTrace(err);
        }
        err.flush();
        return code;
    }

    /** What went wrong, also where the exception's own message only names a file. */
    static String text(Throwable e) {
        if (e instanceof ExceptionInInitializerError && e.getCause() != null) {
            return text(e.getCause());
        }
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return e.getClass().getSimpleName();
        }
        return switch (e) {
            case FileSystemException file -> file.getFile() + ": " + reason(file);
            case CharacterCodingException _ -> "this is no text in UTF-8: " + message;
            case IOException _, IllegalArgumentException _ -> message;
            case CommandFailedException _, ParameterException _ -> message;
            default -> e.getClass().getSimpleName() + ": " + message;
        };
    }

    private static String reason(FileSystemException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "this user may not use it";
            default -> e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
        };
    }
}
