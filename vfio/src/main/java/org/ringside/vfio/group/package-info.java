/**
 * Devices through the kernel's VFIO, by IOMMU group and container.
 *
 * <pre>
 *   /dev/vfio/vfio   container: one IOVA space       MAP_DMA, UNMAP_DMA
 *        ^ SET_CONTAINER
 *   /dev/vfio/12     group 12: what the IOMMU can tell apart
 *        | GET_DEVICE_FD
 *        v
 *   device           regions, interrupts, reset
 * </pre>
 *
 * <p>Source: Linux Documentation/driver-api/vfio.rst and include/uapi/linux/vfio.h.
 */
@NullMarked
package org.ringside.vfio.group;

import org.jspecify.annotations.NullMarked;
