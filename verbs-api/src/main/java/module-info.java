/** RDMA verbs for applications, and the interface for providers. */
module org.ringside.verbs {
    requires com.sun.jna;
    requires static transitive org.jspecify;

    exports org.ringside.verbs;
    exports org.ringside.verbs.cm;
    exports org.ringside.verbs.spi;

    uses org.ringside.verbs.spi.VerbsProvider;

    provides org.ringside.verbs.spi.VerbsProvider with
            org.ringside.verbs.kernel.KernelProvider;
}
