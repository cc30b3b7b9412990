/** RDMA verbs for applications, and the interface for providers. */
module org.ringside.verbs {
    requires static org.jspecify;
}
