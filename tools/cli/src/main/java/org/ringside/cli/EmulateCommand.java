package org.ringside.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.Emulator;
import org.ringside.emulator.mlx5.DeviceOptions;
import org.ringside.emulator.mlx5.FaultSpec;
import org.ringside.linux.UnixSockets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code ringside emulate}: an emulated ConnectX on a socket, for this driver, for QEMU, for anyone
 * who speaks vfio-user.
 */
@Command(
        name = "emulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves an emulated ConnectX on a vfio-user socket until it is interrupted; with"
                    + " several",
            "sockets, one function on each, all on one wire.",
            "QEMU 11.1: -device"
                    + " '{\"driver\":\"vfio-user-pci\",\"socket\":{\"type\":\"unix\",\"path\":\"PATH\"}}'"
                    + " with memory-backend-memfd,share=on."
        })
final class EmulateCommand implements Callable<Integer> {
    /** Of sun_path in struct sockaddr_un, less the terminating zero. */
    private static final int MAX_SOCKET_PATH = 107;

    @Option(
            names = "--socket",
            required = true,
            paramLabel = "PATH",
            description = "Where to listen; made for its owner alone. May be repeated.")
    private List<Path> sockets = List.of();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = {
                "Name in logs; MAC and GUIDs follow from it (default: ${DEFAULT-VALUE}).",
                "Further functions are NAME-2, NAME-3 ..."
            })
    private String name = "emulated";

    @Option(
            names = "--doorbells",
            paramLabel = "MODE",
            description = "mapped: the device polls shared BAR pages; trapped: each is a message.")
    private String doorbells = "mapped";

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description = "vf, pf, ib or ibpf (default: ${DEFAULT-VALUE}).")
    private String profile = "vf";

    @Option(
            names = {"-o", "--option"},
            paramLabel = "NAME=VALUE",
            description = "Any option of the device, listed below; may be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = {
                "Write each command, register access, doorbell, EQE and CQE to FILE, decoded, as lines",
                "of JSON; \"ringside compare\" reads them. The same as -o record=FILE."
            })
    private @Nullable Path record;

    @Option(
            names = "--fault",
            paramLabel = "KIND[=VALUE][@N]",
            description = {
                "A trouble of each function, at once or after N commands; listed below; may be",
                "repeated."
            })
    private List<String> faults = List.of();

    @Option(
            names = "--faults",
            paramLabel = "FILE",
            description = {
                "Read further troubles from FILE, a FIFO or a regular file, while it runs: a line each,",
                "[FUNCTION:]KIND[=VALUE][@N]."
            })
    private @Nullable Path faultFile;

    @Option(
            names = "--verbose",
            description = "Log each session, DMA map, command and interrupt, decoded.")
    private boolean verbose;

    @Spec private CommandSpec spec;

    /** The device's options, for the end of the help. */
    static String deviceOptions() {
        return DeviceOptions.SYNTAX.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> "  %-18s %s".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining("\n"));
    }

    /** The troubles that a device can have, for the end of the help. */
    static String faultKinds() {
        return Arrays.stream(FaultSpec.Kind.values())
                .map(each -> "  %-18s %s".formatted(each.text(), each.meaning()))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public Integer call() throws Exception {
        LogSetup.apply(verbose);
        sockets.forEach(this::checkSocket);
        checkEachOnce();
        checkName();
        checkFaultFile();
        List<DeviceOptions> functions =
                IntStream.rangeClosed(1, sockets.size())
                        .mapToObj(this::deviceOptionsAsked)
                        .toList();
        for (DeviceOptions each : functions) {
            if (each.recording() != null) {
                NamedFile.checkWritable(spec, "--record", each.recording());
            }
        }
        CountDownLatch stopped = new CountDownLatch(1);
        Deque<Emulator> emulators = new ConcurrentLinkedDeque<>();
        Thread atExit = new Thread(() -> close(emulators), "close the emulator");
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            PrintWriter out = spec.commandLine().getOut();
            for (Path socket : sockets) {
                Emulator emulator = Emulator.start(socket, functions.get(emulators.size()));
                emulators.addFirst(emulator);
                out.println("listening on " + emulator.socket() + ", " + emulator.options());
            }
            out.flush();
            if (faultFile != null) {
                new FaultReader(faultFile, emulators, spec.commandLine().getErr()).start();
            }
            stopped.await();
        } finally {
            close(emulators);
        }
        return 0;
    }

    private static void close(Deque<Emulator> emulators) {
        emulators.forEach(Emulator::close);
    }

    private void checkEachOnce() {
        Set<Path> seen = new HashSet<>();
        for (Path socket : sockets) {
            if (!seen.add(socket.toAbsolutePath().normalize())) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--socket %s is given twice; each function needs its own"
                                .formatted(socket));
            }
        }
    }

    private void checkName() {
        if (!name.matches("[A-Za-z0-9._-]{1,32}")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--name is \"%s\"; it takes 1 to 32 letters, digits, dots, dashes, underscores"
                            .formatted(name));
        }
    }

    private void checkFaultFile() {
        String why = faultFile == null ? null : FaultReader.whyNot(faultFile);
        if (why != null) {
            throw new ParameterException(spec.commandLine(), "--faults: " + why);
        }
    }

    private void checkSocket(Path socket) {
        if (socket.toString().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--socket is empty; give the path to listen on");
        }
        NamedFile.checkDirectory(spec, "--socket", socket);
        if (Files.exists(socket) && !UnixSockets.isSocket(socket)) {
            throw NamedFile.wrong(
                    spec,
                    "--socket",
                    socket,
                    "something that is no socket is there; choose another path or remove it");
        }
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--socket %s: the path of a socket has at most %d bytes"
                            .formatted(socket, MAX_SOCKET_PATH));
        }
    }

    private DeviceOptions deviceOptionsAsked(int number) {
        try {
            DeviceOptions.Builder builder =
                    DeviceOptions.named(number == 1 ? name : name + "-" + number);
            builder.set("doorbells", doorbells).set("profile", profile);
            faults.forEach(fault -> builder.set("fault", fault));
            if (record != null) {
                builder.set("record", record.toString());
            }
            options.forEach(builder::set);
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
