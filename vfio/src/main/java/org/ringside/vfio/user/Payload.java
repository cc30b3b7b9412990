package org.ringside.vfio.user;

/**
 * What follows the header: offsets from the start of the payload, sizes in bytes, bits of flags.
 * Numbers are in host byte order. Where a structure comes from VFIO its {@code argsz} is the room
 * that the sender has for the reply, or what the reply would need.
 */
public final class Payload {
    /** {@link Command#VERSION}, both ways: the numbers, then JSON that ends with a NUL. */
    public static final class Version {
        public static final int MAJOR = 0; // u16
        public static final int MINOR = 2; // u16
        public static final int JSON = 4;

        private Version() {}
    }

    /**
     * {@link Command#DMA_MAP}. A descriptor comes beside the message, or none. The reply is empty.
     */
    public static final class DmaMap {
        public static final int SIZE = 32;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32
        public static final int FILE_OFFSET = 8; // u64
        public static final int IOVA = 16; // u64
        public static final int LENGTH = 24; // u64

        /** The device may read. */
        public static final int READABLE = 1;

        /** The device may write. */
        public static final int WRITABLE = 2;

        /**
         * Reach the memory by mmap of the descriptor; what a descriptor without a mode bit means.
         */
        public static final int BY_MMAP = 4;

        /** Reach the memory by pread and pwrite of the descriptor. */
        public static final int BY_FILE_IO = 8;

        private DmaMap() {}
    }

    /** {@link Command#DMA_UNMAP}; the reply repeats it. */
    public static final class DmaUnmap {
        public static final int SIZE = 24;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32
        public static final int IOVA = 8; // u64
        public static final int LENGTH = 16; // u64

        /** Return a bitmap of dirty pages. */
        public static final int GET_DIRTY_BITMAP = 1;

        /** Everything; address and length are 0. */
        public static final int ALL = 2;

        private DmaUnmap() {}
    }

    /** {@link Command#DEVICE_GET_INFO}, both ways. */
    public static final class DeviceInfo {
        public static final int SIZE = 16;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32
        public static final int NUM_REGIONS = 8; // u32
        public static final int NUM_IRQS = 12; // u32

        public static final int RESET = 1;
        public static final int PCI = 2;

        private DeviceInfo() {}
    }

    /** {@link Command#DEVICE_GET_REGION_INFO}, both ways; capabilities follow in the reply. */
    public static final class RegionInfo {
        public static final int SIZE = 32;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32
        public static final int INDEX = 8; // u32
        public static final int CAP_OFFSET = 12; // u32, from the start of the payload
        public static final int LENGTH = 16; // u64
        public static final int FILE_OFFSET = 24; // u64, of the region in its descriptor

        public static final int READ = 1;
        public static final int WRITE = 2;
        public static final int MMAP = 4;
        public static final int CAPS = 8;

        private RegionInfo() {}
    }

    /** A capability of a region. */
    public static final class RegionCapability {
        public static final int HEADER_SIZE = 8;
        public static final int ID = 0; // u16
        public static final int VERSION = 2; // u16
        public static final int NEXT = 4; // u32, from the start of the payload, 0 ends the list

        /** Only some areas may be mapped. */
        public static final int ID_SPARSE_MMAP = 1;

        /** The page of the MSI-X table may be mapped with the rest. */
        public static final int ID_MSIX_MAPPABLE = 3;

        private RegionCapability() {}
    }

    /** {@link RegionCapability#ID_SPARSE_MMAP}: the areas that may be mapped. */
    public static final class SparseMmap {
        public static final int NUM_AREAS = 8; // u32
        public static final int AREAS = 16;
        public static final int AREA_SIZE = 16;
        public static final int AREA_OFFSET = 0; // u64, from the start of the region
        public static final int AREA_LENGTH = 8; // u64

        private SparseMmap() {}
    }

    /** {@link Command#DEVICE_GET_REGION_IO_FDS}, both ways; entries follow in the reply. */
    public static final class RegionIoFds {
        public static final int SIZE = 16;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32
        public static final int INDEX = 8; // u32
        public static final int COUNT = 12; // u32

        private RegionIoFds() {}
    }

    /** {@link Command#DEVICE_GET_IRQ_INFO}, both ways. */
    public static final class IrqInfo {
        public static final int SIZE = 16;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32
        public static final int INDEX = 8; // u32
        public static final int COUNT = 12; // u32

        public static final int EVENTFD = 1;
        public static final int MASKABLE = 2;
        public static final int AUTOMASKED = 4;

        /** Vectors cannot be added while others are in use. */
        public static final int NORESIZE = 8;

        private IrqInfo() {}
    }

    /** {@link Command#DEVICE_SET_IRQS}; eventfds come beside the message. The reply is empty. */
    public static final class IrqSet {
        public static final int SIZE = 20;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32
        public static final int INDEX = 8; // u32
        public static final int START = 12; // u32
        public static final int COUNT = 16; // u32
        public static final int DATA = 20; // one byte per vector with DATA_BOOL

        public static final int DATA_NONE = 1;
        public static final int DATA_BOOL = 2;
        public static final int DATA_EVENTFD = 4;
        public static final int DATA_MASK = 7;
        public static final int ACTION_MASK = 8;
        public static final int ACTION_UNMASK = 0x10;
        public static final int ACTION_TRIGGER = 0x20;
        public static final int ACTIONS = 0x38;

        private IrqSet() {}
    }

    /** {@link Command#REGION_READ} and {@link Command#REGION_WRITE}, both ways. */
    public static final class RegionAccess {
        public static final int SIZE = 16;
        public static final int OFFSET = 0; // u64
        public static final int REGION = 8; // u32
        public static final int COUNT = 12; // u32
        public static final int DATA = 16;

        private RegionAccess() {}
    }

    /** {@link Command#DMA_READ} and {@link Command#DMA_WRITE}, both ways. */
    public static final class DmaAccess {
        public static final int SIZE = 16;
        public static final int ADDRESS = 0; // u64
        public static final int COUNT = 8; // u64; u32 in QEMU before 11.1
        public static final int DATA = 16;

        private DmaAccess() {}
    }

    /**
     * {@link Command#REGION_WRITE_MULTI}: a count, then that many items. The reply is the count.
     */
    public static final class WriteMulti {
        public static final int COUNT = 0; // u64
        public static final int ITEMS = 8;
        public static final int ITEM_SIZE = 24;
        public static final int ITEM_OFFSET = 0; // u64
        public static final int ITEM_REGION = 8; // u32
        public static final int ITEM_LENGTH = 12; // u32, at most 8
        public static final int ITEM_DATA = 16; // u64

        private WriteMulti() {}
    }

    /** {@link Command#DEVICE_FEATURE}, both ways; data follows. */
    public static final class DeviceFeature {
        public static final int SIZE = 8;
        public static final int ARGSZ = 0; // u32
        public static final int FLAGS = 4; // u32

        private DeviceFeature() {}
    }

    private Payload() {}
}
