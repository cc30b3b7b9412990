package org.ringside.emulator.server;

import java.util.List;
import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.BarSpec.SharedPages;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.DeviceInfo;
import org.ringside.vfio.user.Payload.IrqInfo;
import org.ringside.vfio.user.Payload.RegionCapability;
import org.ringside.vfio.user.Payload.RegionInfo;
import org.ringside.vfio.user.Payload.RegionIoFds;
import org.ringside.vfio.user.Payload.SparseMmap;

/**
 * What the client wants to know: DEVICE_GET_INFO, GET_REGION_INFO, GET_REGION_IO_FDS, GET_IRQ_INFO.
 */
final class InfoCommands {
    private final BusFunction bus;

    InfoCommands(BusFunction bus) {
        this.bus = bus;
    }

    void device(Message request, Message reply) throws RequestException {
        Session.argsz(request, DeviceInfo.SIZE);
        reply.reply(request.command(), request.id(), DeviceInfo.SIZE)
                .putInt(DeviceInfo.ARGSZ, DeviceInfo.SIZE)
                .putInt(DeviceInfo.FLAGS, DeviceInfo.RESET | DeviceInfo.PCI)
                .putInt(DeviceInfo.NUM_REGIONS, Session.REGIONS)
                .putInt(DeviceInfo.NUM_IRQS, InterruptType.values().length);
    }

    /**
     * Capabilities, the mmap flag and the descriptor come only when the whole reply fits the room
     * that the client has; else the short one says how much it takes.
     */
    void region(Message request, Message reply) throws RequestException {
        long room = Session.argsz(request, RegionInfo.SIZE);
        int index = Session.index(request.getInt(RegionInfo.INDEX), Session.REGIONS, "region");
        long size = RegionCommands.size(bus, index);
        BarSpec bar = bus.bar(index);
        SharedPages shared = bar == null ? null : bar.shared();
        List<Region.Area> areas = shared == null ? List.of() : shared.areas();
        boolean sparse = areas.size() > 1 || (areas.size() == 1 && areas.get(0).size() != size);
        int capability = sparse ? SparseMmap.AREAS + areas.size() * SparseMmap.AREA_SIZE : 0;
        int needed = RegionInfo.SIZE + capability;
        boolean fits = room >= needed;
        int flags = size == 0 ? 0 : RegionInfo.READ | RegionInfo.WRITE;
        if (fits && !areas.isEmpty()) {
            flags |= RegionInfo.MMAP | (sparse ? RegionInfo.CAPS : 0);
        }
        reply.reply(request.command(), request.id(), fits ? needed : RegionInfo.SIZE)
                .putInt(RegionInfo.ARGSZ, needed)
                .putInt(RegionInfo.FLAGS, flags)
                .putInt(RegionInfo.INDEX, index)
                .putLong(RegionInfo.LENGTH, size);
        if (fits && sparse) {
            reply.putInt(RegionInfo.CAP_OFFSET, RegionInfo.SIZE);
            putSparse(reply, areas);
        }
        if (fits && shared != null && !areas.isEmpty()) {
            reply.withFds(shared.fd());
        }
    }

    private static void putSparse(Message reply, List<Region.Area> areas) {
        long at = RegionInfo.SIZE;
        reply.putShort(at + RegionCapability.ID, RegionCapability.ID_SPARSE_MMAP)
                .putShort(at + RegionCapability.VERSION, 1)
                .putInt(at + SparseMmap.NUM_AREAS, areas.size());
        long area = at + SparseMmap.AREAS;
        for (Region.Area each : areas) {
            reply.putLong(area + SparseMmap.AREA_OFFSET, each.offset())
                    .putLong(area + SparseMmap.AREA_LENGTH, each.size());
            area += SparseMmap.AREA_SIZE;
        }
    }

    /** There are none: doorbells are shared memory, or messages. */
    void regionIoFds(Message request, Message reply) throws RequestException {
        Session.argsz(request, RegionIoFds.SIZE);
        int index = Session.index(request.getInt(RegionIoFds.INDEX), Session.REGIONS, "region");
        reply.reply(request.command(), request.id(), RegionIoFds.SIZE)
                .putInt(RegionIoFds.ARGSZ, RegionIoFds.SIZE)
                .putInt(RegionIoFds.INDEX, index);
    }

    void irq(Message request, Message reply) throws RequestException {
        Session.argsz(request, IrqInfo.SIZE);
        int kinds = InterruptType.values().length;
        int index = Session.index(request.getInt(IrqInfo.INDEX), kinds, "interrupt");
        int count = bus.irqs(index).count();
        reply.reply(request.command(), request.id(), IrqInfo.SIZE)
                .putInt(IrqInfo.ARGSZ, IrqInfo.SIZE)
                .putInt(IrqInfo.FLAGS, count == 0 ? 0 : IrqInfo.EVENTFD)
                .putInt(IrqInfo.INDEX, index)
                .putInt(IrqInfo.COUNT, count);
    }
}
