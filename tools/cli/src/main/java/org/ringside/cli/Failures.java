package org.ringside.cli;

import java.io.IOException;
import java.io.PrintWriter;
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
        return tell(e.getCommandLine(), e, ExitCode.USAGE);
    }

    static int failed(Exception e, CommandLine command, ParseResult parsed) {
        return tell(command, e, isWrongInput(e) ? ExitCode.USAGE : ExitCode.SOFTWARE);
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

    private static int tell(CommandLine command, Exception e, int code) {
        PrintWriter err = command.getErr();
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            message = e.getClass().getSimpleName();
        } else if (!(e instanceof IOException
                || e instanceof IllegalArgumentException
                || e instanceof CommandFailedException
                || e instanceof ParameterException)) {
            message = e.getClass().getSimpleName() + ": " + message;
        }
        err.println("ringside: " + message.replaceAll("\\s*\\R\\s*", " "));
        if (DEBUG) {
            e.printStackTrace(err);
        }
        err.flush();
        return code;
    }
}
