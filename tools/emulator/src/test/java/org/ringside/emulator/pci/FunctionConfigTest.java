package org.ringside.emulator.pci;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.MsixSpec;
import org.ringside.emulator.device.PciIdentity;

class FunctionConfigTest {
    private final List<String> effects = new ArrayList<>();
    private final FunctionConfig config =
            new FunctionConfig(
                    new PciIdentity(0x15b3, 0x1018, 0, 0x020000, 0x15b3, 0x0001),
                    List.of(
                            new BarSpec(0, 1L << 25, true, true, null),
                            new BarSpec(2, 1L << 12, false, false, null)),
                    new MsixSpec(32, 0, 0x2000, 0, 0x3000),
                    new FunctionConfig.Effects() {
                        @Override
                        public void busMaster(boolean enabled) {
                            effects.add("bus master " + enabled);
                        }

                        @Override
                        public void functionLevelReset() {
                            effects.add("FLR");
                        }
                    });

    private long read(int offset, int width) {
        byte[] bytes = new byte[8];
        config.read(offset, MemorySegment.ofArray(bytes), 0, width);
        return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    private void write(int offset, int width, long value) {
        byte[] bytes = new byte[8];
        MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
        config.write(offset, MemorySegment.ofArray(bytes), 0, width);
    }

    @ParameterizedTest
    @CsvSource({
        "0x00, 2, 0x15b3",
        "0x02, 2, 0x1018",
        "0x04, 2, 0",
        "0x06, 2, 0x10",
        "0x08, 4, 0x02000000",
        "0x0e, 1, 0",
        "0x10, 4, 0xc",
        "0x14, 4, 0",
        "0x18, 4, 0",
        "0x2c, 4, 0x000115b3",
        "0x30, 4, 0",
        "0x34, 1, 0x60",
        "0x3d, 1, 0",
        "0x60, 2, 0x9c10", // PCI Express, then MSI-X
        "0x62, 2, 2",
        "0x64, 4, 0x10008022", // FLR
        "0x72, 2, 0x1103", // 8 GT/s, 16 lanes
        "0x9c, 2, 0x4011", // MSI-X, then power management
        "0x9e, 2, 31",
        "0xa0, 4, 0x2000",
        "0xa4, 4, 0x3000",
        "0x40, 2, 0x0001", // the end of the list
        "0x42, 2, 3",
        "0x44, 2, 8",
        "0x100, 4, 0"
    })
    void shouldHoldAfterReset(String offset, int width, String value) {
        assertThat(read(Integer.decode(offset), width)).isEqualTo(Long.decode(value));
    }

    @ParameterizedTest
    @CsvSource({
        "0x00, 4, 0x101815b3", // read-only
        "0x04, 2, 0x0546", // memory, bus master, parity, SERR, INTx disable
        "0x06, 2, 0x10",
        "0x08, 4, 0x02000000",
        "0x0c, 1, 0xff",
        "0x10, 8, 0xfffffffffe00000c", // 32 MiB
        "0x18, 4, 0xfffff000",
        "0x1c, 4, 0",
        "0x30, 4, 0",
        "0x3c, 1, 0xff",
        "0x3d, 1, 0",
        "0x68, 2, 0x7fff", // FLR reads 0
        "0x9e, 2, 0xc01f",
        "0x44, 2, 0x000b",
        "0x100, 8, 0"
    })
    void shouldTakeOnlyWritableBits(String offset, int width, String value) {
        write(Integer.decode(offset), width, -1);
        assertThat(read(Integer.decode(offset), width))
                .isEqualTo(Long.parseUnsignedLong(value.replace("0x", ""), 16));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 7, 64, 1000, 4096})
    void shouldReadAnyLength(int length) {
        byte[] bytes = new byte[4096];
        config.read(0, MemorySegment.ofArray(bytes), 0, length);
        assertThat(bytes[0]).isEqualTo((byte) 0xb3);
        for (int i = length; i < bytes.length; i++) {
            assertThat(bytes[i]).isZero();
        }
    }

    @Test
    void shouldTellChangesOfBusMaster() {
        write(4, 2, 2);
        assertThat(effects).isEmpty();
        assertThat(config.decodesMemory()).isTrue();
        assertThat(config.isBusMaster()).isFalse();
        write(4, 2, 6);
        write(4, 2, 6);
        assertThat(config.isBusMaster()).isTrue();
        write(4, 1, 2);
        assertThat(effects).containsExactly("bus master true", "bus master false");
    }

    @Test
    void shouldSleepInD3() {
        write(4, 2, 6);
        write(0x44, 2, 3);
        assertThat(config.isBusMaster()).isFalse();
        assertThat(config.decodesMemory()).isFalse();
        assertThat(read(4, 2)).isEqualTo(6);
        write(0x44, 2, 0);
        assertThat(config.isBusMaster()).isTrue();
        assertThat(effects)
                .containsExactly("bus master true", "bus master false", "bus master true");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldDiscardPowerStatesThatItHasNot(int state) {
        write(0x44, 2, 3);
        write(0x44, 2, state);
        assertThat(read(0x44, 2) & 3).isEqualTo(3);
    }

    @Test
    void shouldAskForFunctionLevelResetOnce() {
        write(0x68, 2, 0x8000 | read(0x68, 2));
        assertThat(effects).containsExactly("FLR");
        write(0x68, 2, read(0x68, 2));
        assertThat(effects).containsExactly("FLR");
    }

    @Test
    void shouldAskForResetWhenAWideWriteHoldsTheBit() {
        write(0x69, 1, 0x80);
        assertThat(effects).containsExactly("FLR");
        write(0x68, 4, 0x8000);
        assertThat(effects).containsExactly("FLR", "FLR");
    }

    @Test
    void shouldForgetAllAtReset() {
        write(4, 2, 6);
        write(0x10, 8, 0x1234_0000_0000L);
        write(0x9e, 2, 0x8000);
        write(0x44, 2, 3);
        config.reset();
        assertThat(read(4, 2)).isZero();
        assertThat(read(0x10, 8)).isEqualTo(0xc);
        assertThat(read(0x9e, 2)).isEqualTo(31);
        assertThat(read(0x44, 2)).isEqualTo(8);
    }

    @Test
    void shouldClearStatusByOnes() {
        ConfigSpace space = new ConfigSpace(256);
        space.define(6, 2, 0x10, 0, 0xf900);
        space.set(6, 2, 0x2910);
        MemorySegment bits = MemorySegment.ofArray(new byte[] {0, 0x20});
        space.write(6, bits, 0, 2);
        assertThat(space.get(6, 2)).isEqualTo(0x0910);
    }
}
