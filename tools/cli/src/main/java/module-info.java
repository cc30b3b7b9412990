/** The {@code ringside} command. */
module org.ringside.cli {
    requires HdrHistogram;
    requires info.picocli;
    requires org.ringside.driver;
    requires org.ringside.emulator;
    requires org.ringside.verbs;
    requires org.ringside.vfio;
    requires static org.jspecify;
}
