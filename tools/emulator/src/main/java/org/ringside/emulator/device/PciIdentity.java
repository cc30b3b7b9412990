package org.ringside.emulator.device;

/**
 * Who a function says it is, in the header of its configuration space (PCI Local Bus 3.0, 6.2.1 and
 * 6.2.4).
 *
 * @param vendor vendor id, 16 bits
 * @param device device id, 16 bits
 * @param revision revision id, 8 bits
 * @param classCode base class, subclass and interface, 24 bits
 * @param subsystemVendor 16 bits
 * @param subsystem 16 bits
 */
public record PciIdentity(
        int vendor, int device, int revision, int classCode, int subsystemVendor, int subsystem) {
    public PciIdentity {
        check("vendor", vendor, 0xffff);
        check("device", device, 0xffff);
        check("revision", revision, 0xff);
        check("class code", classCode, 0xffffff);
        check("subsystem vendor", subsystemVendor, 0xffff);
        check("subsystem", subsystem, 0xffff);
    }

    private static void check(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(
                    "%s 0x%x is not within 0..0x%x".formatted(name, value, max));
        }
    }

    @Override
    public String toString() {
        return "%04x:%04x rev %02x class %06x subsystem %04x:%04x"
                .formatted(vendor, device, revision, classCode, subsystemVendor, subsystem);
    }
}
