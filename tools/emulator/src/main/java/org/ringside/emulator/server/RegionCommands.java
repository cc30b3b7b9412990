package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.EmulatedFunction;
import org.ringside.emulator.pci.FunctionConfig;
import org.ringside.emulator.pci.MsixTable;
import org.ringside.vfio.Region;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.RegionAccess;
import org.ringside.vfio.user.Payload.WriteMulti;

/**
 * REGION_READ, REGION_WRITE and REGION_WRITE_MULTI. Any offset and length within a region will do:
 * what the model gets to see is naturally aligned, in pieces of 8, 4, 2 or 1 bytes.
 *
 * <p>A function that does not decode memory (the command register says so, or it sleeps) answers as
 * nobody on a bus: reads are all ones, writes vanish.
 */
final class RegionCommands {
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;

    private final BusFunction bus;

    RegionCommands(BusFunction bus) {
        this.bus = bus;
    }

    /** Bytes of a region; 0 when there is none. */
    static long size(BusFunction bus, int index) {
        if (index == Region.CONFIG) {
            return FunctionConfig.SIZE;
        }
        BarSpec bar = bus.bar(index);
        return bar == null ? 0 : bar.size();
    }

    void read(Message request, Message reply) throws RequestException {
        Session.exactPayload(request, RegionAccess.SIZE);
        long offset = request.getLong(RegionAccess.OFFSET);
        int region = request.getInt(RegionAccess.REGION);
        int count = request.getInt(RegionAccess.COUNT);
        check(region, offset, count);
        reply.reply(request.command(), request.id(), RegionAccess.SIZE + count);
        reply.putLong(RegionAccess.OFFSET, offset);
        reply.putInt(RegionAccess.REGION, region).putInt(RegionAccess.COUNT, count);
        read(region, offset, reply.memory(), Message.at(RegionAccess.DATA), count);
    }

    void write(Message request, Message reply) throws RequestException {
        Session.minPayload(request, RegionAccess.SIZE);
        long offset = request.getLong(RegionAccess.OFFSET);
        int region = request.getInt(RegionAccess.REGION);
        int count = request.getInt(RegionAccess.COUNT);
        if (request.payloadSize() - RegionAccess.SIZE != count) {
            throw RequestException.invalid(
                    "the message has %d bytes of data, its count says %s"
                            .formatted(
                                    request.payloadSize() - RegionAccess.SIZE,
                                    Integer.toUnsignedString(count)));
        }
        check(region, offset, count);
        write(region, offset, request.memory(), Message.at(RegionAccess.DATA), count);
        reply.reply(request.command(), request.id(), RegionAccess.SIZE);
        reply.putLong(RegionAccess.OFFSET, offset);
        reply.putInt(RegionAccess.REGION, region).putInt(RegionAccess.COUNT, count);
    }

    /** Checks all before it does the first. */
    void writeMulti(Message request, Message reply) throws RequestException {
        Session.minPayload(request, WriteMulti.ITEMS);
        long count = request.getLong(WriteMulti.COUNT);
        long room = ((long) request.payloadSize() - WriteMulti.ITEMS) / WriteMulti.ITEM_SIZE;
        if (count < 0 || count > room) {
            throw RequestException.invalid(
                    "the message has room for %d writes, its count says %s"
                            .formatted(room, Long.toUnsignedString(count)));
        }
        for (int i = 0; i < count; i++) {
            long item = WriteMulti.ITEMS + (long) i * WriteMulti.ITEM_SIZE;
            int length = request.getInt(item + WriteMulti.ITEM_LENGTH);
            if (length < 0 || length > Long.BYTES) {
                throw RequestException.invalid("write %d has more than 8 bytes".formatted(i));
            }
            check(
                    request.getInt(item + WriteMulti.ITEM_REGION),
                    request.getLong(item + WriteMulti.ITEM_OFFSET),
                    length);
        }
        for (int i = 0; i < count; i++) {
            long item = WriteMulti.ITEMS + (long) i * WriteMulti.ITEM_SIZE;
            write(
                    request.getInt(item + WriteMulti.ITEM_REGION),
                    request.getLong(item + WriteMulti.ITEM_OFFSET),
                    request.memory(),
                    Message.at(item + WriteMulti.ITEM_DATA),
                    request.getInt(item + WriteMulti.ITEM_LENGTH));
        }
        reply.reply(request.command(), request.id(), Long.BYTES).putLong(WriteMulti.COUNT, count);
    }

    private void check(int region, long offset, int count) throws RequestException {
        long size = size(bus, Session.index(region, Session.REGIONS, "region"));
        if (size == 0) {
            throw RequestException.invalid("there is no region " + region);
        }
        if (count < 0 || count > Session.MAX_DATA) {
            throw RequestException.invalid(
                    "%s bytes are more than the %d of one message"
                            .formatted(Integer.toUnsignedString(count), Session.MAX_DATA));
        }
        if (offset < 0 || offset > size - count) {
            throw RequestException.invalid(
                    "%d bytes at 0x%x are not within the 0x%x bytes of region %d"
                            .formatted(count, offset, size, region));
        }
    }

    private void read(int region, long offset, MemorySegment into, long at, int count) {
        if (region == Region.CONFIG) {
            bus.config().read((int) offset, into, at, count);
            return;
        }
        EmulatedFunction function = bus.function();
        @Nullable MsixTable msix = bus.msixTable();
        boolean decodes = bus.config().decodesMemory();
        for (int done = 0; done < count; ) {
            int width = width(offset + done, count - done);
            if (!decodes) {
                put(into, at + done, width, -1);
            } else if (msix != null && msix.holds(region, offset + done, width)) {
                msix.read(region, offset + done, into, at + done, width);
            } else {
                put(into, at + done, width, function.read(region, offset + done, width));
            }
            done += width;
        }
    }

    private void write(int region, long offset, MemorySegment from, long at, int count) {
        if (region == Region.CONFIG) {
            bus.config().write((int) offset, from, at, count);
            return;
        }
        EmulatedFunction function = bus.function();
        @Nullable MsixTable msix = bus.msixTable();
        for (int done = 0; done < count && bus.config().decodesMemory(); ) {
            int width = width(offset + done, count - done);
            if (msix != null && msix.holds(region, offset + done, width)) {
                msix.write(region, offset + done, from, at + done, width);
            } else {
                function.write(region, offset + done, width, get(from, at + done, width));
            }
            done += width;
        }
    }

    /** The widest aligned access that fits. */
    private static int width(long offset, int left) {
        int width = Long.BYTES;
        while (width > left || (offset & (width - 1)) != 0) {
            width >>= 1;
        }
        return width;
    }

    private static void put(MemorySegment into, long at, int width, long value) {
        switch (width) {
            case 1 -> into.set(ValueLayout.JAVA_BYTE, at, (byte) value);
            case 2 -> into.set(U16, at, (short) value);
            case 4 -> into.set(U32, at, (int) value);
            default -> into.set(U64, at, value);
        }
    }

    private static long get(MemorySegment from, long at, int width) {
        return switch (width) {
            case 1 -> from.get(ValueLayout.JAVA_BYTE, at) & 0xffL;
            case 2 -> from.get(U16, at) & 0xffffL;
            case 4 -> from.get(U32, at) & 0xffff_ffffL;
            default -> from.get(U64, at);
        };
    }
}
