package org.ringside.vfio.user;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Offsets and sizes against the structures of the specification, laid out field by field. */
class PayloadTest {
    private static StructLayout struct(MemoryLayout... fields) {
        return MemoryLayout.structLayout(fields);
    }

    private static MemoryLayout u16(String name) {
        return JAVA_SHORT.withByteAlignment(1).withName(name);
    }

    private static MemoryLayout u32(String name) {
        return JAVA_INT.withByteAlignment(1).withName(name);
    }

    private static MemoryLayout u64(String name) {
        return JAVA_LONG.withByteAlignment(1).withName(name);
    }

    private static void assertOffsets(StructLayout struct, int... offsets) {
        long[] expected = Arrays.stream(offsets).asLongStream().toArray();
        long[] actual =
                struct.memberLayouts().stream()
                        .mapToLong(
                                field ->
                                        struct.byteOffset(
                                                PathElement.groupElement(
                                                        field.name().orElseThrow())))
                        .toArray();
        assertThat(expected).containsExactly(actual);
    }

    @Test
    void shouldLayOutHeader() {
        StructLayout header =
                struct(u16("id"), u16("command"), u32("size"), u32("flags"), u32("error"));
        assertThat(header.byteSize()).isEqualTo(Header.SIZE);
        assertOffsets(
                header,
                Header.MESSAGE_ID,
                Header.COMMAND,
                Header.MESSAGE_SIZE,
                Header.FLAGS,
                Header.ERROR);
    }

    @Test
    void shouldLayOutVersion() {
        StructLayout version = struct(u16("major"), u16("minor"), JAVA_BYTE.withName("json"));
        assertOffsets(version, Payload.Version.MAJOR, Payload.Version.MINOR, Payload.Version.JSON);
    }

    @Test
    void shouldLayOutDma() {
        StructLayout map =
                struct(u32("argsz"), u32("flags"), u64("offset"), u64("iova"), u64("size"));
        assertThat(map.byteSize()).isEqualTo(Payload.DmaMap.SIZE);
        assertOffsets(
                map,
                Payload.DmaMap.ARGSZ,
                Payload.DmaMap.FLAGS,
                Payload.DmaMap.FILE_OFFSET,
                Payload.DmaMap.IOVA,
                Payload.DmaMap.LENGTH);
        StructLayout unmap = struct(u32("argsz"), u32("flags"), u64("iova"), u64("size"));
        assertThat(unmap.byteSize()).isEqualTo(Payload.DmaUnmap.SIZE);
        assertOffsets(
                unmap,
                Payload.DmaUnmap.ARGSZ,
                Payload.DmaUnmap.FLAGS,
                Payload.DmaUnmap.IOVA,
                Payload.DmaUnmap.LENGTH);
        StructLayout access = struct(u64("address"), u64("count"), JAVA_BYTE.withName("data"));
        assertOffsets(
                access, Payload.DmaAccess.ADDRESS, Payload.DmaAccess.COUNT, Payload.DmaAccess.DATA);
        assertThat(Payload.DmaAccess.SIZE).isEqualTo(16);
    }

    @Test
    void shouldLayOutInformation() {
        StructLayout device =
                struct(u32("argsz"), u32("flags"), u32("num_regions"), u32("num_irqs"));
        assertThat(device.byteSize()).isEqualTo(Payload.DeviceInfo.SIZE);
        assertOffsets(
                device,
                Payload.DeviceInfo.ARGSZ,
                Payload.DeviceInfo.FLAGS,
                Payload.DeviceInfo.NUM_REGIONS,
                Payload.DeviceInfo.NUM_IRQS);
        StructLayout region =
                struct(
                        u32("argsz"),
                        u32("flags"),
                        u32("index"),
                        u32("cap_offset"),
                        u64("size"),
                        u64("offset"));
        assertThat(region.byteSize()).isEqualTo(Payload.RegionInfo.SIZE);
        assertOffsets(
                region,
                Payload.RegionInfo.ARGSZ,
                Payload.RegionInfo.FLAGS,
                Payload.RegionInfo.INDEX,
                Payload.RegionInfo.CAP_OFFSET,
                Payload.RegionInfo.LENGTH,
                Payload.RegionInfo.FILE_OFFSET);
        StructLayout sparse =
                struct(
                        u16("id"),
                        u16("version"),
                        u32("next"),
                        u32("nr_areas"),
                        u32("reserved"),
                        u64("offset"),
                        u64("size"));
        assertOffsets(
                sparse,
                Payload.RegionCapability.ID,
                Payload.RegionCapability.VERSION,
                Payload.RegionCapability.NEXT,
                Payload.SparseMmap.NUM_AREAS,
                Payload.SparseMmap.NUM_AREAS + 4,
                Payload.SparseMmap.AREAS + Payload.SparseMmap.AREA_OFFSET,
                Payload.SparseMmap.AREAS + Payload.SparseMmap.AREA_LENGTH);
        assertThat(sparse.byteSize())
                .isEqualTo(Payload.SparseMmap.AREAS + Payload.SparseMmap.AREA_SIZE);
        StructLayout irq = struct(u32("argsz"), u32("flags"), u32("index"), u32("count"));
        assertThat(irq.byteSize()).isEqualTo(Payload.IrqInfo.SIZE);
        assertOffsets(
                irq,
                Payload.IrqInfo.ARGSZ,
                Payload.IrqInfo.FLAGS,
                Payload.IrqInfo.INDEX,
                Payload.IrqInfo.COUNT);
    }

    @Test
    void shouldLayOutInterruptsAndRegionAccess() {
        StructLayout set =
                struct(
                        u32("argsz"),
                        u32("flags"),
                        u32("index"),
                        u32("start"),
                        u32("count"),
                        JAVA_BYTE.withName("data"));
        assertOffsets(
                set,
                Payload.IrqSet.ARGSZ,
                Payload.IrqSet.FLAGS,
                Payload.IrqSet.INDEX,
                Payload.IrqSet.START,
                Payload.IrqSet.COUNT,
                Payload.IrqSet.DATA);
        assertThat(Payload.IrqSet.SIZE).isEqualTo(20);
        StructLayout access =
                struct(u64("offset"), u32("region"), u32("count"), JAVA_BYTE.withName("data"));
        assertOffsets(
                access,
                Payload.RegionAccess.OFFSET,
                Payload.RegionAccess.REGION,
                Payload.RegionAccess.COUNT,
                Payload.RegionAccess.DATA);
        StructLayout multi =
                struct(u64("count"), u64("offset"), u32("region"), u32("length"), u64("data"));
        assertOffsets(
                multi,
                Payload.WriteMulti.COUNT,
                Payload.WriteMulti.ITEMS + Payload.WriteMulti.ITEM_OFFSET,
                Payload.WriteMulti.ITEMS + Payload.WriteMulti.ITEM_REGION,
                Payload.WriteMulti.ITEMS + Payload.WriteMulti.ITEM_LENGTH,
                Payload.WriteMulti.ITEMS + Payload.WriteMulti.ITEM_DATA);
        assertThat(multi.byteSize())
                .isEqualTo(Payload.WriteMulti.ITEMS + Payload.WriteMulti.ITEM_SIZE);
    }

    @Test
    void shouldNumberCommands() {
        assertThat(Command.of(1)).isEqualTo(Command.VERSION);
        assertThat(Command.of(13)).isEqualTo(Command.DEVICE_RESET);
        assertThat(Command.of(14)).isNull();
        assertThat(Command.of(18)).isEqualTo(Command.MIG_DATA_WRITE);
        assertThat(Command.of(19)).isNull();
        assertThat(Command.of(-1)).isNull();
        for (Command command : Command.values()) {
            assertThat(Command.of(command.number())).isSameAs(command);
        }
        assertThat(Command.nameOf(15)).isEqualTo("REGION_WRITE_MULTI");
        assertThat(Command.nameOf(14)).isEqualTo("command 14");
    }
}
