package org.ringside.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringside.cli.compare.RecordingComparison;
import org.ringside.cli.compare.RecordingComparison.Side;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
            "Exit code 1 when they differ in what the table of arguments does not have."
        })
final class CompareCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "DRIVER=FILE[#FUNCTION]",
            description = "A recording, whose it is, and which function of it.")
    private String first = "";

    @Parameters(index = "1", paramLabel = "DRIVER=FILE[#FUNCTION]", description = "Another one.")
    private String second = "";

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
        int unargued =
                RecordingComparison.run(
                        Side.parse(first),
                        Side.parse(second),
                        table,
                        all,
                        spec.commandLine().getOut());
        return unargued == 0 ? 0 : 1;
    }
}
