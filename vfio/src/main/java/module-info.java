/** PCI devices in user space. Knows nothing of RDMA. */
module org.ringside.vfio {
    requires static transitive org.jspecify;

    exports org.ringside.linux;
    exports org.ringside.vfio;
    exports org.ringside.vfio.group;
    exports org.ringside.vfio.pci;
    exports org.ringside.vfio.testing;
    exports org.ringside.vfio.user;
}
