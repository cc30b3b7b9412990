package org.ringside.vfio.backend;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.ringside.vfio.PciCapability;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.VfioException;

/**
 * Configuration space over a region. Walks believe nothing that the device says: each has an end.
 */
public final class PciConfigSpace implements PciConfig {
    private static final int STATUS_CAPABILITIES = 1 << 4;
    private static final int CAPABILITY_POINTER = 0x34;
    private static final int FIRST_CAPABILITY = 0x40;
    private static final int FIRST_EXTENDED = 0x100;

    /** As many entries of 4 bytes as there is room for from 0x40 to 0x100. */
    private static final int MAX_CAPABILITIES = 48;

    /** As many entries of 8 bytes as there is room for from 0x100 to 0x1000. */
    private static final int MAX_EXTENDED = 480;

    private static final int ALL_ONES = 0xffff;

    private final RegionAccess access;
    private final int size;
    private final DeviceState state;

    /** Space of 256 or 4096 bytes. */
    public PciConfigSpace(RegionAccess access, long size, DeviceState state) {
        this.access = access;
        this.size = Math.toIntExact(size);
        this.state = state;
    }

    private int read(int offset, int width) throws VfioException {
        check(offset, width);
        return (int) access.read(offset, width);
    }

    private void write(int offset, int width, int value) throws VfioException {
        check(offset, width);
        access.write(offset, width, Integer.toUnsignedLong(value));
    }

    private void check(int offset, int width) {
        state.checkOpen();
        Objects.checkFromIndexSize(offset, width, size);
        if ((offset & width - 1) != 0) {
            throw new IllegalArgumentException(
                    "misaligned access of %d bytes at 0x%x".formatted(width, offset));
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int read8(int offset) throws VfioException {
        return read(offset, Byte.BYTES) & 0xff;
    }

    @Override
    public int read16(int offset) throws VfioException {
        return read(offset, Short.BYTES) & 0xffff;
    }

    @Override
    public int read32(int offset) throws VfioException {
        return read(offset, Integer.BYTES);
    }

    @Override
    public void write8(int offset, int value) throws VfioException {
        write(offset, Byte.BYTES, value);
    }

    @Override
    public void write16(int offset, int value) throws VfioException {
        write(offset, Short.BYTES, value);
    }

    @Override
    public void write32(int offset, int value) throws VfioException {
        write(offset, Integer.BYTES, value);
    }

    @Override
    public List<PciCapability> capabilities() throws VfioException {
        List<PciCapability> found = new ArrayList<>();
        int status = read16(STATUS);
        if (status == ALL_ONES || (status & STATUS_CAPABILITIES) == 0) {
            return found;
        }
        Set<Integer> seen = new HashSet<>();
        // The two low bits of each pointer are reserved and have to be masked (PCI 3.0, 6.7).
        int at = read8(CAPABILITY_POINTER) & 0xfc;
        while (at >= FIRST_CAPABILITY && seen.add(at) && found.size() < MAX_CAPABILITIES) {
            int header = read16(at);
            if (header == ALL_ONES) {
                break;
            }
            found.add(new PciCapability(header & 0xff, 0, at, false));
            at = header >>> 8 & 0xfc;
        }
        return found;
    }

    @Override
    public List<PciCapability> extendedCapabilities() throws VfioException {
        List<PciCapability> found = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        int at = FIRST_EXTENDED;
        while (at >= FIRST_EXTENDED
                && at <= size - Integer.BYTES
                && seen.add(at)
                && found.size() < MAX_EXTENDED) {
            int header = read32(at);
            if (header == 0 || header == -1) {
                break;
            }
            found.add(new PciCapability(header & 0xffff, header >>> 16 & 0xf, at, true));
            at = header >>> 20 & 0xffc;
        }
        return found;
    }

    @Override
    public int findCapability(int id) throws VfioException {
        for (PciCapability capability : capabilities()) {
            if (capability.id() == id) {
                return capability.offset();
            }
        }
        return -1;
    }

    @Override
    public void enableMemoryAndBusMaster() throws VfioException {
        int wanted = COMMAND_MEMORY | COMMAND_BUS_MASTER;
        int before = read16(COMMAND);
        if (before == ALL_ONES) {
            throw new VfioException(
                    0,
                    state.name()
                            + ": configuration space reads as all ones: the device is gone or"
                            + " powered off. See whether lspci still lists it; if not, echo 1 >"
                            + " /sys/bus/pci/rescan");
        }
        write16(COMMAND, before | wanted);
        int after = read16(COMMAND);
        if ((after & wanted) != wanted) {
            throw new VfioException(
                    0,
                    ("%s: the command register reads 0x%04x after 0x%04x was written: memory decode"
                                    + " is %s, bus master is %s. The device or the host refuses;"
                                    + " see whether it is in D3 (power state in its power"
                                    + " management capability) and what dmesg says")
                            .formatted(
                                    state.name(),
                                    after,
                                    before | wanted,
                                    (after & COMMAND_MEMORY) != 0 ? "on" : "off",
                                    (after & COMMAND_BUS_MASTER) != 0 ? "on" : "off"));
        }
    }

    @Override
    public void disableBusMaster() throws VfioException {
        int command = read16(COMMAND);
        if (command != ALL_ONES) {
            write16(COMMAND, command & ~COMMAND_BUS_MASTER);
        }
    }
}
