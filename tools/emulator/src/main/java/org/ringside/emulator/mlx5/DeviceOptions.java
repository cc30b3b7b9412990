package org.ringside.emulator.mlx5;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * What kind of device to emulate. {@link Builder#set} takes the same options as text, from a
 * command line or a device name.
 *
 * @param name for logs; MAC address and GUIDs follow from it
 * @param profile which PCI function
 * @param doorbells how UAR pages are reached
 * @param bootPages pages that firmware wants before anything else
 * @param pageZero whether firmware takes a page at IOVA 0
 * @param initPages pages that it wants before INIT_HCA
 * @param pageRequestEvery each so many CREATE_ commands it asks for more pages first; 0 never
 * @param initMillis how long the function is in pre-init after a reset; {@link #NEVER} for ever
 * @param commandMillis how long each command takes
 * @param vectors MSI-X vectors
 * @param issi the highest interface step sequence id that firmware speaks, 0 or 1
 * @param capabilities what differs from the profile's table
 * @param faults troubles from the start
 * @param recording file that gets everything that driver and device say; null for none
 */
public record DeviceOptions(
        String name,
        Profile profile,
        Doorbells doorbells,
        int bootPages,
        PageZero pageZero,
        int initPages,
        int pageRequestEvery,
        int initMillis,
        int commandMillis,
        int vectors,
        int issi,
        List<CapabilityOverride> capabilities,
        List<FaultSpec> faults,
        @Nullable Path recording) {
    /** {@link #initMillis} of a device that stays in pre-init. */
    public static final int NEVER = -1;

    /** The options of {@link Builder#set}, with what each takes. */
    public static final Map<String, String> SYNTAX =
            Map.ofEntries(
                    Map.entry("profile", "vf, pf, ib or ibpf"),
                    Map.entry("doorbells", "mapped or trapped"),
                    Map.entry("bootPages", "0 to 100000"),
                    Map.entry("pageZero", "refused or taken"),
                    Map.entry("initPages", "0 to 100000"),
                    Map.entry("pageRequestEvery", "0 (never) to 1000000"),
                    Map.entry("initMillis", "0 to 600000, or never"),
                    Map.entry("commandMillis", "0 to 600000"),
                    Map.entry("vectors", "1 to 64"),
                    Map.entry("issi", "0 or 1"),
                    Map.entry(
                            "fault",
                            "KIND, KIND=VALUE or KIND=VALUE@N: a trouble after N commands"),
                    Map.entry(
                            "record",
                            "a file that gets each command, register access, doorbell, EQE and CQE,"
                                    + " decoded, as lines of JSON"),
                    Map.entry(
                            CapabilityOverride.PREFIX + "FIELD",
                            "a number, for any field of cmd_hca_cap; cap.atomic.FIELD and"
                                    + " cap.roce.FIELD for the other groups"));

    private static final int MAX_PAGES = 100_000;
    private static final int MAX_MILLIS = 600_000;

    private static final int CLASS_ETHERNET = 0x020000;
    private static final int CLASS_INFINIBAND = 0x020700;

    public DeviceOptions {
        capabilities = List.copyOf(capabilities);
        faults = List.copyOf(faults);
    }

    /** Its MAC address: locally administered, and the same for the same name. */
    public long mac() {
        CRC32 crc = new CRC32();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return 0x0200_0000_0000L | crc.getValue();
    }

    /** Which PCI function. */
    public enum Profile {
        /** ConnectX-5 virtual function, 15b3:1018: few pages, port is the parent's. */
        VF(0x1018, CLASS_ETHERNET),
        /** ConnectX-5 physical function, 15b3:1017: many pages, port to be switched on. */
        PF(0x1017, CLASS_ETHERNET),
        /** As VF, on an InfiniBand port, for Linux's own driver: a LID, no netdev. */
        IB(0x1018, CLASS_INFINIBAND),
        /** As PF, on an InfiniBand port, for rdma-core's VFIO driver. */
        IBPF(0x1017, CLASS_INFINIBAND);

        private final int deviceId;
        private final int classCode;

        Profile(int deviceId, int classCode) {
            this.deviceId = deviceId;
            this.classCode = classCode;
        }

        /** PCI device id. */
        public int deviceId() {
            return deviceId;
        }

        /** PCI base class, sub-class and programming interface. */
        int classCode() {
            return classCode;
        }

        /** Whether the port is the function's own to configure. */
        boolean isPhysical() {
            return this == PF || this == IBPF;
        }

        public boolean isInfiniBand() {
            return this == IB || this == IBPF;
        }
    }

    /** How UAR pages are reached. */
    public enum Doorbells {
        /** All but the first are shared memory, which the device polls. */
        MAPPED,
        /** Each store is a message. */
        TRAPPED
    }

    boolean takesPageZero() {
        return pageZero == PageZero.TAKEN;
    }

    /**
     * What firmware does with a page at IOVA 0. Linux never gives one, since firmware did not
     * support it when its driver was written (mlx5_core pagealloc.c); rdma-core's VFIO driver does
     * whenever the IOMMU has that address.
     */
    public enum PageZero {
        REFUSED,
        TAKEN
    }

    /** A VF with mapped doorbells and modest wishes. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Collects options. Values out of range throw IllegalArgumentException with the range. */
    public static final class Builder {
        private final String name;
        private Profile profile = Profile.VF;
        private Doorbells doorbells = Doorbells.MAPPED;
        private int bootPages = 8;
        private PageZero pageZero = PageZero.REFUSED;
        private int initPages = 32;
        private int pageRequestEvery;
        private int initMillis;
        private int commandMillis;
        private int vectors = 32;
        private int issi = 1;
        private final List<CapabilityOverride> capabilities = new ArrayList<>();
        private final List<FaultSpec> faults = new ArrayList<>();
        private @Nullable Path recording;

        private Builder(String name) {
            this.name = name;
        }

        public Builder profile(Profile value) {
            profile = value;
            return this;
        }

        public Builder doorbells(Doorbells value) {
            doorbells = value;
            return this;
        }

        public Builder bootPages(int value) {
            bootPages = within("bootPages", value, 0, MAX_PAGES);
            return this;
        }

        public Builder pageZero(PageZero value) {
            pageZero = value;
            return this;
        }

        public Builder initPages(int value) {
            initPages = within("initPages", value, 0, MAX_PAGES);
            return this;
        }

        public Builder pageRequestEvery(int value) {
            pageRequestEvery = within("pageRequestEvery", value, 0, 1_000_000);
            return this;
        }

        public Builder initMillis(int value) {
            initMillis = value == NEVER ? NEVER : within("initMillis", value, 0, MAX_MILLIS);
            return this;
        }

        public Builder commandMillis(int value) {
            commandMillis = within("commandMillis", value, 0, MAX_MILLIS);
            return this;
        }

        public Builder vectors(int value) {
            vectors = within("vectors", value, 1, 64);
            return this;
        }

        public Builder issi(int value) {
            issi = within("issi", value, 0, 1);
            return this;
        }

        /** A trouble from the start; may be called again. */
        public Builder fault(FaultSpec fault) {
            faults.add(fault);
            return this;
        }

        /** Everything that driver and device say goes to a file. */
        public Builder recording(Path file) {
            recording = file;
            return this;
        }

        /** Replaces a capability of the profile's table. */
        public Builder capability(CapabilityOverride value) {
            capabilities.add(value);
            return this;
        }

        /**
         * Sets an option given as text.
         *
         * @throws IllegalArgumentException for an unknown option or a bad value, with what is right
         */
        public Builder set(String option, String value) {
            if (option.equals("fault")) {
                return fault(FaultSpec.parse(value));
            }
            if (option.startsWith(CapabilityOverride.PREFIX)) {
                return capability(CapabilityOverride.parse(option, value));
            }
            String wants = SYNTAX.get(option);
            if (wants == null) {
                throw new IllegalArgumentException(
                        "unknown option \"%s\"; the emulated device has %s"
                                .formatted(
                                        option,
                                        String.join(
                                                ", ", SYNTAX.keySet().stream().sorted().toList())));
            }
            try {
                return switch (option) {
                    case "profile" -> profile(Profile.valueOf(upper(value)));
                    case "doorbells" -> doorbells(Doorbells.valueOf(upper(value)));
                    case "bootPages" -> bootPages(Integer.parseInt(value));
                    case "pageZero" -> pageZero(PageZero.valueOf(upper(value)));
                    case "initPages" -> initPages(Integer.parseInt(value));
                    case "pageRequestEvery" -> pageRequestEvery(Integer.parseInt(value));
                    case "initMillis" ->
                            initMillis(value.equals("never") ? NEVER : positive(value));
                    case "commandMillis" -> commandMillis(Integer.parseInt(value));
                    case "issi" -> issi(Integer.parseInt(value));
                    case "record" -> recording(Path.of(nonEmpty(value)));
                    default -> vectors(Integer.parseInt(value));
                };
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "option %s takes %s, not \"%s\"".formatted(option, wants, value), e);
            }
        }

        public DeviceOptions build() {
            return new DeviceOptions(
                    name,
                    profile,
                    doorbells,
                    bootPages,
                    pageZero,
                    initPages,
                    pageRequestEvery,
                    initMillis,
                    commandMillis,
                    vectors,
                    issi,
                    capabilities,
                    faults,
                    recording);
        }

        private static String nonEmpty(String value) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("no file");
            }
            return value;
        }

        private static int positive(String value) {
            int number = Integer.parseInt(value);
            return within("initMillis", number, 0, MAX_MILLIS);
        }

        private static String upper(String value) {
            return value.toUpperCase(Locale.ROOT);
        }

        private static int within(String option, int value, int min, int max) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(
                        "%s is %d to %d, not %d".formatted(option, min, max, value));
            }
            return value;
        }
    }
}
