/** The {@code ringside} command. */
module org.ringside.cli {
    requires HdrHistogram;
    requires java.logging;
    requires info.picocli;
    requires org.ringside.driver;
    requires org.ringside.emulator;
    requires org.ringside.verbs;
    requires org.ringside.vfio;
    requires static org.jspecify;

    opens org.ringside.cli to
            info.picocli;
}
