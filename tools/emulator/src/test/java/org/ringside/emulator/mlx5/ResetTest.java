package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringside.emulator.device.ResetCause;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.HealthSyndrome;
import org.ringside.mlx5.layout.Opcode;

/** A reset from any state leaves a function that starts as after power-on, without another DMA. */
class ResetTest {
    private RawDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain().bootPages(2).initPages(2));
    }

    @AfterEach
    void close() {
        driver.close();
    }

    /** How far the driver had come. */
    enum Progress {
        NOTHING,
        QUEUE,
        ENABLED,
        INITIALIZED,
        OBJECTS,
        CONNECTED
    }

    private void advance(Progress to) {
        if (to.compareTo(Progress.QUEUE) >= 0) {
            driver.setQueue();
        }
        if (to == Progress.ENABLED) {
            driver.enable();
        }
        if (to.compareTo(Progress.INITIALIZED) >= 0) {
            driver.start();
        }
        if (to.compareTo(Progress.OBJECTS) >= 0) {
            driver.uar = driver.allocUar();
            driver.pd = driver.allocPd();
            int eqn = (int) driver.createEq(0, 1L << EventType.CMD).ok().get(CreateEqOut.EQ_NUMBER);
            int cqn = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
            int qpn = (int) driver.createQp(cqn).ok().get(CreateQpOut.QPN);
            if (to == Progress.CONNECTED) {
                driver.toInit(qpn).ok();
                driver.toRtr(qpn, qpn).ok();
                driver.toRts(qpn).ok();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldStartAgainFromAnyState(Progress progress) {
        for (ResetCause cause : ResetCause.values()) {
            advance(progress);
            long dma = driver.host.dmaCount();
            driver.function.reset(cause);
            driver.settle();

            assertThat(driver.host.dmaCount()).isEqualTo(dma);
            assertThat(driver.read(0x14)).as("the queue address is forgotten").isEqualTo(0x56);
        }
        advance(Progress.CONNECTED);
        assertThat(driver.function.findings().list()).isEmpty();
    }

    @Test
    void shouldDropACommandInFlight() {
        driver.start();
        driver.function.faults().hold(Opcode.ALLOC_PD);
        RawDriver.Pending pending =
                driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT).start();
        driver.settle();
        driver.reset();
        driver.function.faults().release();
        driver.settle();

        assertThat(pending.isAnswered()).isFalse();
        driver.start();
    }

    @Test
    void shouldForgetObjectsWithoutANote() {
        advance(Progress.OBJECTS);
        driver.reset();
        driver.start();
        assertThat(driver.allocPd()).isEqualTo(1);
        assertThat(driver.function.findings().list()).isEmpty();
    }

    @Test
    void shouldIgnoreAFirmwareThatIsDeadUntilItIsRevived() {
        driver.start();
        driver.function.faults().failFirmware(HealthSyndrome.FW_INTERNAL_ERR);
        RawDriver.Pending pending =
                driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT).start();
        driver.settle();
        assertThat(pending.isAnswered()).isFalse();

        driver.function.faults().failFirmware(0);
        driver.reset();
        driver.start();
    }
}
