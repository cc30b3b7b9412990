package org.ringside.vfio.backend;

/**
 * Structures and flags of linux/vfio.h, offsets in bytes. vfio-user sends the same structures over
 * its socket, so both back ends read them here. A test compares every number with what a C compiler
 * says.
 *
 * <p>Structures that grow start with {@code argsz}, the bytes that the caller has room for, and
 * {@code flags}.
 */
public final class VfioAbi {
    /** In every structure that grows. */
    public static final int ARGSZ = 0;

    public static final int FLAGS = 4;

    private VfioAbi() {}

    /** struct vfio_device_info. */
    public static final class DeviceInfo {
        public static final int SIZE = 24;
        public static final int NUM_REGIONS = 8;
        public static final int NUM_IRQS = 12;
        public static final int CAP_OFFSET = 16;
        public static final int FLAG_RESET = 1 << 0;
        public static final int FLAG_PCI = 1 << 1;
        public static final int FLAG_CAPS = 1 << 7;

        private DeviceInfo() {}
    }

    /** struct vfio_region_info. */
    public static final class RegionInfoStruct {
        public static final int SIZE = 32;
        public static final int INDEX = 8;
        public static final int CAP_OFFSET = 12;
        public static final int REGION_SIZE = 16;
        public static final int OFFSET = 24;
        public static final int FLAG_READ = 1 << 0;
        public static final int FLAG_WRITE = 1 << 1;
        public static final int FLAG_MMAP = 1 << 2;
        public static final int FLAG_CAPS = 1 << 3;

        private RegionInfoStruct() {}
    }

    /** struct vfio_info_cap_header: what each capability in a chain starts with. */
    public static final class CapHeader {
        public static final int SIZE = 8;
        public static final int ID = 0;
        public static final int VERSION = 2;
        public static final int NEXT = 4;

        private CapHeader() {}
    }

    /** struct vfio_region_info_cap_sparse_mmap and the areas that follow it. */
    public static final class CapSparse {
        public static final int ID = 1;
        public static final int NR_AREAS = 8;
        public static final int AREAS = 16;
        public static final int AREA_SIZE = 16;
        public static final int AREA_OFFSET = 0;
        public static final int AREA_LENGTH = 8;

        private CapSparse() {}
    }

    /** VFIO_REGION_INFO_CAP_MSIX_MAPPABLE: a header alone. */
    public static final int CAP_MSIX_MAPPABLE = 3;

    /** struct vfio_irq_info. */
    public static final class IrqInfo {
        public static final int SIZE = 16;
        public static final int INDEX = 8;
        public static final int COUNT = 12;
        public static final int FLAG_EVENTFD = 1 << 0;
        public static final int FLAG_MASKABLE = 1 << 1;
        public static final int FLAG_AUTOMASKED = 1 << 2;
        public static final int FLAG_NORESIZE = 1 << 3;

        private IrqInfo() {}
    }

    /**
     * struct vfio_irq_set; the data behind it is s32 descriptors or u8 bools, one for each vector.
     */
    public static final class IrqSet {
        public static final int SIZE = 20;
        public static final int INDEX = 8;
        public static final int START = 12;
        public static final int COUNT = 16;
        public static final int DATA = 20;
        public static final int FLAG_DATA_NONE = 1 << 0;
        public static final int FLAG_DATA_BOOL = 1 << 1;
        public static final int FLAG_DATA_EVENTFD = 1 << 2;
        public static final int FLAG_ACTION_MASK = 1 << 3;
        public static final int FLAG_ACTION_UNMASK = 1 << 4;
        public static final int FLAG_ACTION_TRIGGER = 1 << 5;

        private IrqSet() {}
    }

    /** struct vfio_iommu_type1_info. */
    public static final class IommuInfo {
        public static final int SIZE = 24;
        public static final int IOVA_PGSIZES = 8;
        public static final int CAP_OFFSET = 16;
        public static final int FLAG_PGSIZES = 1 << 0;
        public static final int FLAG_CAPS = 1 << 1;

        private IommuInfo() {}
    }

    /** struct vfio_iommu_type1_info_cap_iova_range; ranges are u64 start and u64 end, inclusive. */
    public static final class CapIovaRange {
        public static final int ID = 1;
        public static final int NR_IOVAS = 8;
        public static final int RANGES = 16;
        public static final int RANGE_SIZE = 16;
        public static final int RANGE_START = 0;
        public static final int RANGE_END = 8;

        private CapIovaRange() {}
    }

    /** struct vfio_iommu_type1_info_dma_avail. */
    public static final class CapDmaAvail {
        public static final int ID = 3;
        public static final int AVAIL = 8;

        private CapDmaAvail() {}
    }

    /** struct vfio_iommu_type1_dma_map. */
    public static final class DmaMap {
        public static final int SIZE = 32;
        public static final int VADDR = 8;
        public static final int IOVA = 16;
        public static final int LENGTH = 24;
        public static final int FLAG_READ = 1 << 0;
        public static final int FLAG_WRITE = 1 << 1;

        private DmaMap() {}
    }

    /** struct vfio_iommu_type1_dma_unmap. */
    public static final class DmaUnmap {
        public static final int SIZE = 24;
        public static final int IOVA = 8;
        public static final int LENGTH = 16;
        public static final int FLAG_ALL = 1 << 1;

        private DmaUnmap() {}
    }

    /** struct vfio_group_status. */
    public static final class GroupStatus {
        public static final int SIZE = 8;
        public static final int FLAG_VIABLE = 1 << 0;
        public static final int FLAG_CONTAINER_SET = 1 << 1;

        private GroupStatus() {}
    }
}
