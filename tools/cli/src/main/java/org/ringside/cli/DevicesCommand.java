package org.ringside.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.Verbs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ringside devices}: what can be opened, and why the rest cannot. */
@Command(
        name = "devices",
        mixinStandardHelpOptions = true,
        description = "Lists devices, each with its state and, where it cannot be used, the cure.")
final class DevicesCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        List<DeviceInfo> devices = Verbs.devices();
        PrintWriter out = spec.commandLine().getOut();
        int width = devices.stream().mapToInt(d -> d.name().length()).max().orElse(4);
        for (DeviceInfo device : devices) {
            out.printf(
                    "%-" + width + "s  %-11s  %s%n",
                    device.name(),
                    device.available() ? "ready" : "unavailable",
                    device.description());
            if (!device.available()) {
                out.printf("%" + width + "s  %s%n", "", device.reason());
            }
        }
        if (devices.isEmpty()) {
            out.println("no devices and no providers; is the driver's jar on the class path?");
        }
        out.flush();
        return 0;
    }
}
