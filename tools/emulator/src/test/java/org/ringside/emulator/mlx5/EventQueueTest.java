package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.mlx5.layout.AccessRegisterIn;
import org.ringside.mlx5.layout.AccessRegisterOut;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.CreateEqIn;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.Eqc;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.PaosReg;
import org.ringside.mlx5.layout.PortChange;
import org.ringside.mlx5.layout.QueryEqIn;
import org.ringside.mlx5.layout.QueryEqOut;
import org.ringside.mlx5.layout.Register;

class EventQueueTest {
    private static final int SIZE = 1 << RawDriver.LOG_EQ;

    private RawDriver driver;
    private int eqn;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain());
        driver.start();
        driver.uar = driver.allocUar();
        eqn = (int) driver.createEq(2, 1L << EventType.CMD).ok().get(CreateEqOut.EQ_NUMBER);
        driver.allocPd(); // EQE 0; CREATE_EQ itself has none
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private RawDriver.Answer query(int number) {
        return driver.request(Opcode.QUERY_EQ, QueryEqIn.LAYOUT, QueryEqOut.LAYOUT)
                .set(QueryEqIn.EQ_NUMBER, number)
                .ok();
    }

    @Test
    void shouldTellOfEachCommandWithItsSlot() {
        assertThat(Eqe.EVENT_TYPE.get(driver.eqe(0), 0)).isEqualTo(EventType.CMD);
        driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT).slot(5).ok();

        assertThat(Eqe.EVENT_TYPE.get(driver.eqe(1), 0)).isEqualTo(EventType.CMD);
        assertThat(Eqe.EVENT_DATA.get(driver.eqe(1), 0, 3)).isEqualTo(1 << 5);
        assertThat(Eqe.OWNER.get(driver.eqe(1), 0)).isZero();
        assertThat(Eqe.OWNER.get(driver.eqe(2), 0)).isEqualTo(1);
    }

    @Test
    void shouldInterruptOncePerArming() {
        assertThat(driver.host.interrupts()).isEmpty();
        driver.allocPd();
        driver.allocPd();
        assertThat(driver.host.interrupts()).as("not armed").isEmpty();

        driver.eqDoorbell(driver.uar, eqn, 3, true);
        assertThat(driver.host.interrupts()).as("all consumed").isEmpty();
        driver.allocPd();
        driver.allocPd();
        assertThat(driver.host.interrupts()).containsExactly(2);
    }

    @Test
    void shouldInterruptAtOnceWhenEqesCameBeforeTheArming() {
        driver.eqDoorbell(driver.uar, eqn, 0, true);

        assertThat(driver.host.interrupts()).containsExactly(2);
        driver.eqDoorbell(driver.uar, eqn, 1, false);
        driver.allocPd();
        assertThat(driver.host.interrupts()).as("consumed without arming").hasSize(1);
    }

    @Test
    void shouldTurnTheOwnerBitWithEachLap() {
        for (int i = 1; i < 2 * SIZE; i++) {
            driver.eqDoorbell(driver.uar, eqn, i, false);
            driver.allocPd();
        }

        assertThat(Eqe.OWNER.get(driver.eqe(SIZE - 1), 0)).isEqualTo(1);
        assertThat(Eqe.OWNER.get(driver.eqe(0), 0)).isEqualTo(1);
        driver.eqDoorbell(driver.uar, eqn, 2 * SIZE, false);
        driver.allocPd();
        assertThat(Eqe.OWNER.get(driver.eqe(0), 0)).isZero();
        assertThat(query(eqn).get(QueryEqOut.EQ_CONTEXT_ENTRY, Eqc.CONSUMER_COUNTER))
                .isEqualTo(2L * SIZE);
        assertThat(driver.function.findings().list()).isEmpty();
    }

    @Test
    void shouldFailWhenItRunsOver() {
        for (int i = 0; i < SIZE; i++) {
            driver.allocPd();
        }

        assertThat(driver.function.findings().list(Finding.Kind.EVENT_QUEUE))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("has no room for event type 0xa");
        assertThat(query(eqn).get(QueryEqOut.EQ_CONTEXT_ENTRY, Eqc.STATUS)).isEqualTo(0xa);
    }

    @Test
    void shouldIgnoreDoorbellsThatMakeNoSense() {
        driver.eqDoorbell(driver.uar, eqn, 2, true);
        driver.eqDoorbell(driver.uar, 9, 0, true);
        int other = driver.allocUar();
        driver.eqDoorbell(other, eqn, 1, true);

        assertThat(driver.host.interrupts()).isEmpty();
        assertThat(driver.function.findings().list(Finding.Kind.DOORBELL))
                .extracting(Finding::text)
                .satisfiesExactly(
                        text -> assertThat(text).contains("consumer index 2 is not between 0 and"),
                        text -> assertThat(text).contains("for EQ 0x9"),
                        text -> assertThat(text).contains("which does not ring there"));
    }

    @Test
    void shouldNoteARingThatIsNotPrepared() {
        RawDriver.Request request = driver.createEq(0, 0);
        Eqe.OWNER.set(driver.eqe(3), 0, 0);
        request.ok();

        assertThat(driver.function.findings().list(Finding.Kind.EVENT_QUEUE))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("EQE 3 of 16 does not start with owner bit 1");
    }

    /** A driver polls for the command that makes its first command EQ. */
    @Test
    void shouldNotTellAnEqOfTheCommandThatMadeIt() throws IOException {
        driver.close();
        driver = new RawDriver(RawDriver.plain());
        driver.start();
        driver.uar = driver.allocUar();
        driver.createEq(1, 1L << EventType.CMD).ok();
        assertThat(Eqe.OWNER.get(driver.eqe(0), 0)).isOne();

        driver.allocPd();
        assertThat(Eqe.OWNER.get(driver.eqe(0), 0)).isZero();
        assertThat(Eqe.EVENT_TYPE.get(driver.eqe(0), 0)).isEqualTo(EventType.CMD);
    }

    @Test
    void shouldTellThatThePortComesUp() throws IOException {
        driver.close();
        driver = new RawDriver(RawDriver.plain().profile(DeviceOptions.Profile.PF));
        driver.start();
        driver.uar = driver.allocUar();
        driver.createEq(1, 1L << EventType.PORT_CHANGE).ok();
        RawDriver.Request paos =
                driver.request(
                                Opcode.ACCESS_REG,
                                AccessRegisterIn.LAYOUT,
                                AccessRegisterOut.LAYOUT,
                                16)
                        .set(AccessRegisterIn.REGISTER_ID, Register.PAOS)
                        .output(32);
        PaosReg.LOCAL_PORT.set(paos.in, 16, 1);
        PaosReg.ADMIN_STATUS.set(paos.in, 16, 1);
        PaosReg.ASE.set(paos.in, 16, 1);
        paos.ok();

        assertThat(Eqe.EVENT_TYPE.get(driver.eqe(0), 0)).isEqualTo(EventType.PORT_CHANGE);
        assertThat(Eqe.EVENT_SUB_TYPE.get(driver.eqe(0), 0)).isEqualTo(PortChange.ACTIVE);
        assertThat(Eqe.EVENT_DATA.get(driver.eqe(0), 0, 8)).isEqualTo(0x10);
    }

    @Test
    void shouldRefuseWhatItCannotBe() {
        RawDriver.Request vector = driver.createEq(32, 0);
        assertThat(vector.run().status()).isEqualTo(CommandStatus.IX_ERR);
        RawDriver.Request uar =
                driver.createEq(0, 0).set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.UAR_PAGE, 99);
        assertThat(uar.run().status()).isEqualTo(CommandStatus.BAD_RES);
        RawDriver.Request size =
                driver.createEq(0, 0).set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.LOG_EQ_SIZE, 30);
        assertThat(size.run().status()).isEqualTo(CommandStatus.BAD_PARAM);
        RawDriver.Request list =
                driver.createEq(0, 0).set(CreateEqIn.EQ_CONTEXT_ENTRY, Eqc.LOG_EQ_SIZE, 7);
        assertThat(list.run().status()).isEqualTo(CommandStatus.BAD_INP_LEN);
        RawDriver.Request page = driver.createEq(0, 0);
        CreateEqIn.PAS.set(page.in, 0, 0, TestHost.end());
        assertThat(page.run().syndrome()).isEqualTo(Reason.NOT_MAPPED.syndrome(Opcode.CREATE_EQ));
        assertThat(driver.deallocUar(driver.uar).run().status()).isEqualTo(CommandStatus.RES_BUSY);
    }

    @Test
    void shouldFreeItsUarWhenItIsDestroyed() {
        driver.destroyEq(eqn).ok();
        driver.deallocUar(driver.uar).ok();
        assertThat(driver.destroyEq(eqn).run().status()).isEqualTo(CommandStatus.BAD_RES);
    }
}
