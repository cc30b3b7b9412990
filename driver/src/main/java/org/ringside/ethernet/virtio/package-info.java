/**
 * virtio-net over VFIO: a PCI function of virtio 1.x whose rings we drive, as an Ethernet port.
 *
 * <p>Sources: OASIS Virtual I/O Device (VIRTIO) 1.2, sections 2.7 (split virtqueues), 2.8 (packed
 * virtqueues), 3.1 (initialization), 4.1 (PCI) and 5.1 (network device); Linux
 * include/uapi/linux/virtio_{pci,net,ring,config}.h.
 */
@NullMarked
package org.ringside.ethernet.virtio;

import org.jspecify.annotations.NullMarked;
