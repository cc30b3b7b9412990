/**
 * Ethernet NICs driven over VFIO, each as an {@link org.ringside.ethernet.EthernetPort}: a place
 * where frames go out and come in. Knows nothing of RDMA.
 */
@NullMarked
package org.ringside.ethernet;

import org.jspecify.annotations.NullMarked;
