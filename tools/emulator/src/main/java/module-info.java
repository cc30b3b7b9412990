/** The emulated ConnectX device. */
module org.ringside.emulator {
    requires org.agrona;
    requires org.ringside.driver;
    requires static org.jspecify;

    exports org.ringside.emulator.device;
}
