package org.ringside.vfio.backend;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.linux.CompilerProbe;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Region;
import org.ringside.vfio.backend.VfioAbi.CapDmaAvail;
import org.ringside.vfio.backend.VfioAbi.CapHeader;
import org.ringside.vfio.backend.VfioAbi.CapIovaRange;
import org.ringside.vfio.backend.VfioAbi.CapSparse;
import org.ringside.vfio.backend.VfioAbi.DeviceInfo;
import org.ringside.vfio.backend.VfioAbi.DmaMap;
import org.ringside.vfio.backend.VfioAbi.DmaUnmap;
import org.ringside.vfio.backend.VfioAbi.GroupStatus;
import org.ringside.vfio.backend.VfioAbi.IommuInfo;
import org.ringside.vfio.backend.VfioAbi.IrqInfo;
import org.ringside.vfio.backend.VfioAbi.IrqSet;
import org.ringside.vfio.backend.VfioAbi.RegionInfoStruct;

class VfioAbiTest {
    private final CompilerProbe probe = new CompilerProbe().include("linux/vfio.h");

    @TempDir Path folder;

    @Test
    void shouldAgreeWithTheHeaderOnDevices() throws Exception {
        // Headers before Linux 6.6 lack the padding at the end, which makes 20 of 24 bytes.
        probe.expect("(sizeof(struct vfio_device_info) + 7) / 8 * 8", DeviceInfo.SIZE)
                .offset("vfio_device_info", "argsz", VfioAbi.ARGSZ)
                .offset("vfio_device_info", "flags", VfioAbi.FLAGS)
                .offset("vfio_device_info", "num_regions", DeviceInfo.NUM_REGIONS)
                .offset("vfio_device_info", "num_irqs", DeviceInfo.NUM_IRQS)
                .offset("vfio_device_info", "cap_offset", DeviceInfo.CAP_OFFSET)
                .expect("VFIO_DEVICE_FLAGS_RESET", DeviceInfo.FLAG_RESET)
                .expect("VFIO_DEVICE_FLAGS_PCI", DeviceInfo.FLAG_PCI)
                .expect("VFIO_DEVICE_FLAGS_CAPS", DeviceInfo.FLAG_CAPS)
                .size("vfio_group_status", GroupStatus.SIZE)
                .expect("VFIO_GROUP_FLAGS_VIABLE", GroupStatus.FLAG_VIABLE)
                .expect("VFIO_GROUP_FLAGS_CONTAINER_SET", GroupStatus.FLAG_CONTAINER_SET)
                .check(folder);
    }

    @Test
    void shouldAgreeWithTheHeaderOnRegions() throws Exception {
        probe.size("vfio_region_info", RegionInfoStruct.SIZE)
                .offset("vfio_region_info", "index", RegionInfoStruct.INDEX)
                .offset("vfio_region_info", "cap_offset", RegionInfoStruct.CAP_OFFSET)
                .offset("vfio_region_info", "size", RegionInfoStruct.REGION_SIZE)
                .offset("vfio_region_info", "offset", RegionInfoStruct.OFFSET)
                .expect("VFIO_REGION_INFO_FLAG_READ", RegionInfoStruct.FLAG_READ)
                .expect("VFIO_REGION_INFO_FLAG_WRITE", RegionInfoStruct.FLAG_WRITE)
                .expect("VFIO_REGION_INFO_FLAG_MMAP", RegionInfoStruct.FLAG_MMAP)
                .expect("VFIO_REGION_INFO_FLAG_CAPS", RegionInfoStruct.FLAG_CAPS)
                .size("vfio_info_cap_header", CapHeader.SIZE)
                .offset("vfio_info_cap_header", "id", CapHeader.ID)
                .offset("vfio_info_cap_header", "version", CapHeader.VERSION)
                .offset("vfio_info_cap_header", "next", CapHeader.NEXT)
                .expect("VFIO_REGION_INFO_CAP_SPARSE_MMAP", CapSparse.ID)
                .expect("VFIO_REGION_INFO_CAP_MSIX_MAPPABLE", VfioAbi.CAP_MSIX_MAPPABLE)
                .offset("vfio_region_info_cap_sparse_mmap", "nr_areas", CapSparse.NR_AREAS)
                .offset("vfio_region_info_cap_sparse_mmap", "areas", CapSparse.AREAS)
                .size("vfio_region_sparse_mmap_area", CapSparse.AREA_SIZE)
                .offset("vfio_region_sparse_mmap_area", "offset", CapSparse.AREA_OFFSET)
                .offset("vfio_region_sparse_mmap_area", "size", CapSparse.AREA_LENGTH)
                .expect("VFIO_PCI_BAR0_REGION_INDEX", Region.BAR0)
                .expect("VFIO_PCI_BAR5_REGION_INDEX", Region.BAR5)
                .expect("VFIO_PCI_ROM_REGION_INDEX", Region.ROM)
                .expect("VFIO_PCI_CONFIG_REGION_INDEX", Region.CONFIG)
                .expect("VFIO_PCI_VGA_REGION_INDEX", Region.VGA)
                .check(folder);
    }

    @Test
    void shouldAgreeWithTheHeaderOnInterrupts() throws Exception {
        probe.size("vfio_irq_info", IrqInfo.SIZE)
                .offset("vfio_irq_info", "index", IrqInfo.INDEX)
                .offset("vfio_irq_info", "count", IrqInfo.COUNT)
                .expect("VFIO_IRQ_INFO_EVENTFD", IrqInfo.FLAG_EVENTFD)
                .expect("VFIO_IRQ_INFO_MASKABLE", IrqInfo.FLAG_MASKABLE)
                .expect("VFIO_IRQ_INFO_AUTOMASKED", IrqInfo.FLAG_AUTOMASKED)
                .expect("VFIO_IRQ_INFO_NORESIZE", IrqInfo.FLAG_NORESIZE)
                .size("vfio_irq_set", IrqSet.SIZE)
                .offset("vfio_irq_set", "index", IrqSet.INDEX)
                .offset("vfio_irq_set", "start", IrqSet.START)
                .offset("vfio_irq_set", "count", IrqSet.COUNT)
                .offset("vfio_irq_set", "data", IrqSet.DATA)
                .expect("VFIO_IRQ_SET_DATA_NONE", IrqSet.FLAG_DATA_NONE)
                .expect("VFIO_IRQ_SET_DATA_BOOL", IrqSet.FLAG_DATA_BOOL)
                .expect("VFIO_IRQ_SET_DATA_EVENTFD", IrqSet.FLAG_DATA_EVENTFD)
                .expect("VFIO_IRQ_SET_ACTION_MASK", IrqSet.FLAG_ACTION_MASK)
                .expect("VFIO_IRQ_SET_ACTION_UNMASK", IrqSet.FLAG_ACTION_UNMASK)
                .expect("VFIO_IRQ_SET_ACTION_TRIGGER", IrqSet.FLAG_ACTION_TRIGGER)
                .expect("VFIO_PCI_INTX_IRQ_INDEX", InterruptType.INTX.index())
                .expect("VFIO_PCI_MSI_IRQ_INDEX", InterruptType.MSI.index())
                .expect("VFIO_PCI_MSIX_IRQ_INDEX", InterruptType.MSIX.index())
                .expect("VFIO_PCI_ERR_IRQ_INDEX", InterruptType.ERR.index())
                .expect("VFIO_PCI_REQ_IRQ_INDEX", InterruptType.REQ.index())
                .check(folder);
    }

    @Test
    void shouldAgreeWithTheHeaderOnTheIommu() throws Exception {
        probe.size("vfio_iommu_type1_info", IommuInfo.SIZE)
                .offset("vfio_iommu_type1_info", "iova_pgsizes", IommuInfo.IOVA_PGSIZES)
                .offset("vfio_iommu_type1_info", "cap_offset", IommuInfo.CAP_OFFSET)
                .expect("VFIO_IOMMU_INFO_PGSIZES", IommuInfo.FLAG_PGSIZES)
                .expect("VFIO_IOMMU_INFO_CAPS", IommuInfo.FLAG_CAPS)
                .expect("VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE", CapIovaRange.ID)
                .offset("vfio_iommu_type1_info_cap_iova_range", "nr_iovas", CapIovaRange.NR_IOVAS)
                .offset("vfio_iommu_type1_info_cap_iova_range", "iova_ranges", CapIovaRange.RANGES)
                .size("vfio_iova_range", CapIovaRange.RANGE_SIZE)
                .offset("vfio_iova_range", "start", CapIovaRange.RANGE_START)
                .offset("vfio_iova_range", "end", CapIovaRange.RANGE_END)
                .expect("VFIO_IOMMU_TYPE1_INFO_DMA_AVAIL", CapDmaAvail.ID)
                .offset("vfio_iommu_type1_info_dma_avail", "avail", CapDmaAvail.AVAIL)
                .size("vfio_iommu_type1_dma_map", DmaMap.SIZE)
                .offset("vfio_iommu_type1_dma_map", "vaddr", DmaMap.VADDR)
                .offset("vfio_iommu_type1_dma_map", "iova", DmaMap.IOVA)
                .offset("vfio_iommu_type1_dma_map", "size", DmaMap.LENGTH)
                .expect("VFIO_DMA_MAP_FLAG_READ", DmaMap.FLAG_READ)
                .expect("VFIO_DMA_MAP_FLAG_WRITE", DmaMap.FLAG_WRITE)
                .size("vfio_iommu_type1_dma_unmap", DmaUnmap.SIZE)
                .offset("vfio_iommu_type1_dma_unmap", "iova", DmaUnmap.IOVA)
                .offset("vfio_iommu_type1_dma_unmap", "size", DmaUnmap.LENGTH)
                .expect("VFIO_DMA_UNMAP_FLAG_ALL", DmaUnmap.FLAG_ALL)
                .check(folder);
    }
}
