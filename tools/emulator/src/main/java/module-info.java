/** The emulated ConnectX device. */
module org.ringside.emulator {
    requires org.agrona;
    requires transitive org.ringside.driver;
    requires static transitive org.jspecify;

    exports org.ringside.emulator;
    exports org.ringside.emulator.device;
    exports org.ringside.emulator.mlx5;
    exports org.ringside.emulator.record;
    exports org.ringside.emulator.transport;

    provides org.ringside.verbs.spi.VerbsProvider with
            org.ringside.emulator.EmulatedProvider;
}
