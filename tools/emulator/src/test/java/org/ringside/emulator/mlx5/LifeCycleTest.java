package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.EnableHcaIn;
import org.ringside.mlx5.layout.EnableHcaOut;
import org.ringside.mlx5.layout.HealthBuffer;
import org.ringside.mlx5.layout.HealthSyndrome;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.QueryIssiIn;
import org.ringside.mlx5.layout.QueryIssiOut;
import org.ringside.mlx5.layout.SetHcaCapIn;
import org.ringside.mlx5.layout.SetHcaCapOut;
import org.ringside.mlx5.layout.SetIssiIn;
import org.ringside.mlx5.layout.SetIssiOut;
import org.ringside.mlx5.layout.TeardownHcaOut;

class LifeCycleTest {
    private RawDriver driver;

    private void open(DeviceOptions.Builder options) throws IOException {
        driver = new RawDriver(options);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private RawDriver.Request queryCap(int opMod) {
        return driver.request(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT)
                .opMod(opMod);
    }

    @Test
    void shouldShowItsRegistersInBigEndian() throws IOException {
        open(RawDriver.plain());

        assertThat(driver.read(0)).isEqualTo(35 << 16 | 16);
        assertThat(driver.read(4) >>> 16).isEqualTo(5);
        assertThat(driver.read(0x14) & 0xff).isEqualTo(0x56);
        assertThat(InitialSeg.INITIALIZING.extract(driver.read(0x1fc))).isZero();
        assertThat(driver.function.read(0, 4, 8))
                .isEqualTo(Integer.toUnsignedLong(Integer.reverseBytes(driver.read(4))));
        assertThat(driver.function.read(0, 5, 1)).isEqualTo(5);
    }

    @Test
    void shouldKeepLogSizesWhenTheQueueAddressIsReadBack() throws IOException {
        open(RawDriver.plain());
        driver.setQueue();

        assertThat(driver.read(0x10)).isEqualTo((int) (driver.queue >>> 32));
        assertThat(driver.read(0x14)).isEqualTo((int) driver.queue | 0x56);
    }

    @Test
    void shouldGoThroughItsWholeLifeTwice() throws IOException {
        open(RawDriver.plain().bootPages(3).initPages(5));
        for (int i = 0; i < 2; i++) {
            driver.start();
            assertThat(driver.teardown(0).ok().get(TeardownHcaOut.STATE)).isZero();
            assertThat(driver.take(100).ok().get(ManagePagesOut.OUTPUT_NUM_ENTRIES)).isEqualTo(8);
            driver.disable().ok();
        }

        assertThat(driver.function.findings().list()).isEmpty();
    }

    @Test
    void shouldRefuseCommandsBeforeTheirTime() throws IOException {
        open(RawDriver.plain());
        driver.setQueue();

        RawDriver.Answer early =
                driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT).run();
        assertThat(early.status()).isEqualTo(CommandStatus.BAD_SYS_STATE);
        assertThat(early.syndrome()).isEqualTo(Reason.HCA_STATE.syndrome(Opcode.ALLOC_PD));
        assertThat(queryCap(1).run().status()).isEqualTo(CommandStatus.BAD_SYS_STATE);

        driver.request(Opcode.ENABLE_HCA, EnableHcaIn.LAYOUT, EnableHcaOut.LAYOUT).ok();
        queryCap(1).ok();
        driver.initHca().ok();
        assertThat(driver.initHca().run().status()).isEqualTo(CommandStatus.BAD_SYS_STATE);
        assertThat(driver.function.findings().list(Finding.Kind.COMMAND))
                .hasSize(3)
                .first()
                .extracting(Finding::text)
                .asString()
                .contains("ALLOC_PD", "BAD_SYS_STATE", "the function is DISABLED");
    }

    @Test
    void shouldRefuseWhatNoOneKnows() throws IOException {
        open(RawDriver.plain());
        driver.enable();

        RawDriver.Answer answer = driver.request(0x999, CommandIn.LAYOUT, CommandOut.LAYOUT).run();

        assertThat(answer.status()).isEqualTo(CommandStatus.BAD_OP);
        assertThat(answer.syndrome()).isEqualTo(0x01_0999);
    }

    @Test
    void shouldAnswerIssiAndTakeOne() throws IOException {
        open(RawDriver.plain());
        driver.enable();

        RawDriver.Answer issi =
                driver.request(Opcode.QUERY_ISSI, QueryIssiIn.LAYOUT, QueryIssiOut.LAYOUT).ok();
        assertThat(issi.get(QueryIssiOut.SUPPORTED_ISSI_DW0)).isEqualTo(3);
        assertThat(issi.get(QueryIssiOut.CURRENT_ISSI)).isZero();

        RawDriver.Request set =
                driver.request(Opcode.SET_ISSI, SetIssiIn.LAYOUT, SetIssiOut.LAYOUT);
        set.set(SetIssiIn.CURRENT_ISSI, 1).ok();
        assertThat(
                        driver.request(Opcode.QUERY_ISSI, QueryIssiIn.LAYOUT, QueryIssiOut.LAYOUT)
                                .ok()
                                .get(QueryIssiOut.CURRENT_ISSI))
                .isEqualTo(1);
        set.set(SetIssiIn.CURRENT_ISSI, 2);
        assertThat(set.run().status()).isEqualTo(CommandStatus.BAD_PARAM);
    }

    @Test
    void shouldReflectSetCapabilitiesInCurrentOnes() throws IOException {
        open(RawDriver.plain());
        driver.enable();
        RawDriver.Answer current =
                queryCap(CapabilityGroup.queryCurrent(CapabilityGroup.GENERAL)).ok();
        RawDriver.Request set =
                driver.request(Opcode.SET_HCA_CAP, SetHcaCapIn.LAYOUT, SetHcaCapOut.LAYOUT);
        MemorySegment.copy(current.out(), 0x10, set.in, 0x10, 4096);
        long base = SetHcaCapIn.CAPABILITY.offset();
        CmdHcaCap.LOG_MAX_QP.set(set.in, base, 9);
        CmdHcaCap.CMDIF_CHECKSUM.set(set.in, base, 0);
        set.ok();

        RawDriver.Answer after =
                queryCap(CapabilityGroup.queryCurrent(CapabilityGroup.GENERAL)).ok();
        assertThat(CmdHcaCap.LOG_MAX_QP.get(after.out(), 0x10)).isEqualTo(9);
        RawDriver.Answer max = queryCap(CapabilityGroup.queryMaximum(CapabilityGroup.GENERAL)).ok();
        assertThat(CmdHcaCap.LOG_MAX_QP.get(max.out(), 0x10)).isEqualTo(14);

        CmdHcaCap.LOG_MAX_QP.set(set.in, base, 15);
        CmdHcaCap.LOG_MAX_CQ.set(set.in, base, 3);
        assertThat(set.run().status()).isEqualTo(CommandStatus.BAD_PARAM);
        assertThat(driver.function.findings().list().getLast().text())
                .contains(
                        "log_max_qp is 14 at most, not 15",
                        "log_max_cq is 14 and cannot be set to 3");
    }

    @Test
    void shouldRefuseUnknownCapabilityGroupsAndReservedBits() throws IOException {
        open(RawDriver.plain());
        driver.enable();

        assertThat(queryCap(0x7e << 1).run().status()).isEqualTo(CommandStatus.BAD_PARAM);
        RawDriver.Answer current = queryCap(1).ok();
        RawDriver.Request set =
                driver.request(Opcode.SET_HCA_CAP, SetHcaCapIn.LAYOUT, SetHcaCapOut.LAYOUT);
        MemorySegment.copy(current.out(), 0x10, set.in, 0x10, 4096);
        set.in.set(ValueLayout.JAVA_BYTE, 0x10 + 0x800, (byte) 1);
        assertThat(set.run().syndrome())
                .isEqualTo(Reason.RESERVED_BIT.syndrome(Opcode.SET_HCA_CAP));
    }

    @Test
    void shouldStayInPreInitForEverWhenTold() throws IOException {
        open(RawDriver.plain().initMillis(DeviceOptions.NEVER));
        assertThat(InitialSeg.INITIALIZING.extract(driver.read(0x1fc))).isEqualTo(1);
        driver.setQueue();
        driver.ring(0);
        driver.settle();

        assertThat(driver.function.findings().list())
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("while the function initializes");
    }

    @Test
    void shouldCountHealthUntilItIsStopped() throws Exception {
        open(RawDriver.plain());
        int first = driver.read(0x1010);
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (driver.read(0x1010) == first && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(driver.read(0x1010)).isGreaterThan(first);

        driver.function.faults().failFirmware(HealthSyndrome.FW_INTERNAL_ERR);
        int stopped = driver.read(0x1010);
        assertThat(InitialSeg.HEALTH_SYNDROME.extract(stopped)).isEqualTo(1);
        assertThat(HealthBuffer.RFR.extract(driver.read(0x238))).isEqualTo(1);
        assertThat(HealthBuffer.SYND.extract(driver.read(0x23c))).isEqualTo(1);
    }

    @Test
    void shouldReadAllOnesWhenItFellOffTheBus() throws IOException {
        open(RawDriver.plain());
        driver.function.faults().remove(true);

        assertThat(driver.read(0)).isEqualTo(-1);
        assertThat(driver.function.read(0, 0, 8)).isEqualTo(-1);
        assertThat(driver.function.read(0, 0x11000, 2)).isEqualTo(0xffff);
    }

    @Test
    void shouldStopAtOnceInFastTeardown() throws IOException {
        open(RawDriver.plain().bootPages(2));
        driver.start();
        driver.allocPd();

        assertThat(driver.teardown(2).ok().get(TeardownHcaOut.STATE)).isZero();
        driver.write(0x14, (int) driver.queue | 1 << 8);

        assertThat(driver.read(0x14) >>> 8 & 7).isEqualTo(1);
        assertThat(driver.function.findings().list()).isEmpty();
        driver.start();
    }
}
