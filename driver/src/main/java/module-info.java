/** The verbs provider that drives the device over VFIO. */
module org.ringside.driver {
    exports org.ringside.ethernet;
    exports org.ringside.ethernet.e1000e;
    exports org.ringside.ethernet.virtio;
    exports org.ringside.mlx5;
    exports org.ringside.mlx5.layout;
    exports org.ringside.provider;
    exports org.ringside.roce;
    exports org.ringside.roce.memory;
    exports org.ringside.roce.packet;
    exports org.ringside.roce.port;
    exports org.ringside.roce.wire;
    exports org.ringside.softroce;

    requires transitive org.ringside.verbs;
    requires transitive org.ringside.vfio;
    requires static transitive org.jspecify;

    provides org.ringside.verbs.spi.VerbsProvider with
            org.ringside.provider.VfioProvider,
            org.ringside.softroce.SoftProvider;
}
