package org.ringside.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code ringside} command. Exit codes: 0 it worked, 1 it failed, 2 the input was wrong; both
 * failures are one line on standard error ({@code --debug} adds the stack trace).
 */
@Command(
        name = "ringside",
        mixinStandardHelpOptions = true,
        version = "ringside 0.1.0",
        description = "RDMA verbs for Java, straight to the NIC.",
        subcommands = {
            PingPongCommand.class,
            DevicesCommand.class,
            EmulateCommand.class,
            CompareCommand.class
        })
public final class Ringside implements Runnable {
    @Spec private CommandSpec spec;

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        LogSetup.apply(false);
        System.exit(run(commandLine(), args));
    }

    /** Whatever happens, it ends with a line and a code and not with a stack trace. */
    static int run(CommandLine command, String... args) {
        int code;
        try {
            code = command.execute(args);
        } catch (Error e) {
            return Failures.failed(e, command);
        }
        // picocli's writer does not see what System.out swallowed.
        boolean unwritten = command.getOut().checkError() || System.out.checkError();
        return code == 0 && unwritten ? Failures.unwritten(command) : code;
    }

    static CommandLine commandLine() {
        CommandLine root = new CommandLine(new Ringside());
        root.getCommandSpec().subcommands().forEach((name, command) -> describeOptions(command));
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Failures::wrongInput)
                .setExecutionExceptionHandler(Failures::failed);
    }

    /** The options of the emulated device go to the end of its command's help. */
    private static void describeOptions(CommandLine command) {
        if (command.getCommand() instanceof EmulateCommand) {
            command.getCommandSpec()
                    .usageMessage()
                    .footerHeading("%nOptions of the device:%n")
                    .footer(
                            EmulateCommand.deviceOptions(),
                            "",
                            "Faults, with what their value is, and its default:",
                            EmulateCommand.faultKinds());
        }
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "no command given; try one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
