package org.ringside.vfio.group;

import org.ringside.linux.Ioctl;

/**
 * Requests of linux/vfio.h. Their numbers carry no size: ';' and 100 plus an index. Some mean
 * different things on different descriptors.
 */
final class VfioIoctls {
    private static final int BASE = ';' << 8 | 100;

    static final Ioctl GET_API_VERSION = new Ioctl("VFIO_GET_API_VERSION", BASE);
    static final Ioctl CHECK_EXTENSION = new Ioctl("VFIO_CHECK_EXTENSION", BASE + 1);
    static final Ioctl SET_IOMMU = new Ioctl("VFIO_SET_IOMMU", BASE + 2);
    static final Ioctl GROUP_GET_STATUS = new Ioctl("VFIO_GROUP_GET_STATUS", BASE + 3);
    static final Ioctl GROUP_SET_CONTAINER = new Ioctl("VFIO_GROUP_SET_CONTAINER", BASE + 4);
    static final Ioctl GROUP_GET_DEVICE_FD = new Ioctl("VFIO_GROUP_GET_DEVICE_FD", BASE + 6);
    static final Ioctl DEVICE_GET_INFO = new Ioctl("VFIO_DEVICE_GET_INFO", BASE + 7);
    static final Ioctl DEVICE_GET_REGION_INFO = new Ioctl("VFIO_DEVICE_GET_REGION_INFO", BASE + 8);
    static final Ioctl DEVICE_GET_IRQ_INFO = new Ioctl("VFIO_DEVICE_GET_IRQ_INFO", BASE + 9);
    static final Ioctl DEVICE_SET_IRQS = new Ioctl("VFIO_DEVICE_SET_IRQS", BASE + 10);
    static final Ioctl DEVICE_RESET = new Ioctl("VFIO_DEVICE_RESET", BASE + 11);
    static final Ioctl IOMMU_GET_INFO = new Ioctl("VFIO_IOMMU_GET_INFO", BASE + 12);
    static final Ioctl IOMMU_MAP_DMA = new Ioctl("VFIO_IOMMU_MAP_DMA", BASE + 13);
    static final Ioctl IOMMU_UNMAP_DMA = new Ioctl("VFIO_IOMMU_UNMAP_DMA", BASE + 14);

    static final int API_VERSION = 0;
    static final int TYPE1V2_IOMMU = 3;

    private VfioIoctls() {}
}
