package org.ringside.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringside.cli.compare.RecordingComparison;
import org.ringside.cli.compare.RecordingComparison.Side;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringside compare}: what two drivers said to an emulated device, side by side. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Holds two recordings of \"ringside emulate --record\" against each other: what each driver",
            "does to open the device and to make, use and close one RC connection, field by field.",
            "Exit code 1 when they differ in what the table of arguments does not have, 2 when they",
            "cannot be compared. Rows of the table that nothing needed are listed last."
        })
final class CompareCommand implements Callable<Integer> {
    @Parameters(
            arity = "2..*",
            paramLabel = "DRIVER=FILE[#FUNCTION]",
            description = {
                "A recording, whose it is, and which function of it: the first is compared with",
                "the second, the third with the fourth and so on."
            })
    private List<String> recordings = List.of();

    @Option(
            names = "--table",
            paramLabel = "FILE",
            description = "Arguments to use instead of this program's own.")
    private @Nullable Path table;

    @Option(names = "--all", description = "List numbers and addresses that differ, too.")
    private boolean all;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (recordings.size() % 2 != 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    recordings.size() + " recordings are not pairs; give each one another one");
        }
        List<Side> sides = recordings.stream().map(this::side).toList();
        if (table != null) {
            NamedFile.checkReadable(spec, "--table", table);
        }
        try {
            int unargued = RecordingComparison.run(sides, table, all, spec.commandLine().getOut());
            return unargued == 0 ? 0 : 1;
        } catch (IOException e) {
            // Not 1: they were not found to differ.
            throw new ParameterException(spec.commandLine(), Failures.text(e), e);
        }
    }

    private Side side(String text) {
        Side side = Side.parse(text);
        NamedFile.checkReadable(spec, side.driver(), side.file());
        return side;
    }
}
