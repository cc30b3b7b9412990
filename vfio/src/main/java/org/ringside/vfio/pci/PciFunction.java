package org.ringside.vfio.pci;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ringside.vfio.DmaSpace.IovaRange;

/**
 * A function as sysfs shows it.
 *
 * @param address where it is
 * @param vendor vendor id
 * @param device device id
 * @param classCode base class, sub-class and interface, 24 bits
 * @param driver kernel driver that has it, if any
 * @param iommuGroup number of its IOMMU group; empty when there is no IOMMU
 * @param numaNode node that it is next to, -1 when the platform does not say
 * @param resetMethods ways to reset it, in the order in which the kernel tries them, such as {@code
 *     flr} and {@code bus}
 */
public record PciFunction(
        PciAddress address,
        int vendor,
        int device,
        int classCode,
        Optional<String> driver,
        OptionalInt iommuGroup,
        int numaNode,
        List<String> resetMethods) {
    public PciFunction {
        resetMethods = List.copyOf(resetMethods);
    }

    /** Whether it is a bridge: those stay with their driver, and do not count against a group. */
    public boolean isBridge() {
        return classCode >>> 16 == 0x06;
    }

    /**
     * A window that the IOMMU group cannot use, or has to map one to one.
     *
     * @param range the window
     * @param type {@code reserved}, {@code msi}, {@code direct} or {@code direct-relaxable}
     */
    public record ReservedRegion(IovaRange range, String type) {}
}
