package org.ringside.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a command printed and returned. */
record Outcome(int code, String out, String err) {
    static Outcome of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Ringside.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true));
        int code = command.execute(args);
        return new Outcome(code, out.toString(), err.toString());
    }
}
