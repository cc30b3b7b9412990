package org.ringside.emulator.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.mlx5.DeviceOptions.Profile;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.Cqc;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.ModifyCqIn;
import org.ringside.mlx5.layout.ModifyCqOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryCqIn;
import org.ringside.mlx5.layout.QueryCqOut;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.WqeLayout;

/** MODIFY_CQ: another buffer as mlx5_ib asks for one, another EQ. */
final class ModifyCqTest {
    private static final StructField CQC = ModifyCqIn.CQ_CONTEXT;
    private static final int RESIZE = 1;
    private static final int SIZE_AND_PAGES = 7;
    private static final int OI = 4;
    private static final int EQN = 8;
    private static final int OLD = 1 << RawDriver.LOG_CQ;

    private RawDriver driver;
    private int eqn;
    private int cqn;
    private int qpn;
    private int posted;
    private long ring;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain().profile(Profile.IB));
        driver.start();
        driver.uar = driver.allocUar();
        driver.pd = driver.allocPd();
        eqn = (int) driver.createEq(0, 0).ok().get(CreateEqOut.EQ_NUMBER);
        cqn = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
        qpn = (int) driver.createQp(cqn).ok().get(CreateQpOut.QPN);
        driver.toInit(qpn).ok();
        driver.toRtr(qpn, qpn).ok();
        driver.toRts(qpn).ok();
    }

    @AfterEach
    void close() {
        driver.close();
    }

    /** A NOP with completion. */
    private void complete() {
        long sq = driver.qpRing + (16L << RawDriver.LOG_RQ);
        long wqe = sq + (long) (posted & (1 << RawDriver.LOG_SQ) - 1) * WqeLayout.WQEBB;
        long head = (long) posted << 40 | (long) qpn << 8 | 1;
        Bits.big64(driver.host.at(wqe, 16), 0, head);
        Bits.big64(driver.host.at(wqe, 16), 8, (long) WqeLayout.CTRL_CQ_UPDATE << 32);
        posted++;
        Bits.big64(driver.host.at(driver.qpRecord, 8), 0, posted);
        driver.writeLong(driver.uar * 4096L + 0x800, head);
        driver.settle();
    }

    private void consume(int index) {
        driver.host.at(driver.cqRecord + DoorbellRecord.CONSUMER_INDEX + 3, 1).fill((byte) index);
    }

    private RawDriver.Request resize(int logSize) {
        ring = driver.host.allocate(64L << logSize, 4096);
        for (int i = 0; i < 1 << logSize; i++) {
            driver.host.at(ring + 64L * i + 63, 1).fill((byte) 0xf1);
        }
        RawDriver.Request request =
                driver.request(Opcode.MODIFY_CQ, ModifyCqIn.LAYOUT, ModifyCqOut.LAYOUT, 8)
                        .opMod(RESIZE)
                        .set(ModifyCqIn.CQN, cqn)
                        .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, SIZE_AND_PAGES)
                        .set(CQC, Cqc.LOG_CQ_SIZE, logSize);
        ModifyCqIn.PAS.set(request.in, 0, 0, ring);
        return request;
    }

    private int opOwn(long buffer, int slot) {
        return driver.host.at(buffer + 64L * slot + 63, 1).get(JAVA_BYTE, 0) & 0xff;
    }

    private long query(org.ringside.mlx5.layout.Field field) {
        return driver.simple(
                        Opcode.QUERY_CQ, QueryCqIn.LAYOUT, QueryCqOut.LAYOUT, QueryCqIn.CQN, cqn)
                .ok()
                .get(QueryCqOut.CQ_CONTEXT, field);
    }

    private static void refused(RawDriver.Request request, int status) {
        assertThat(CommandStatus.name(request.run().status()))
                .isEqualTo(CommandStatus.name(status));
    }

    @Test
    void shouldTellInTheOldBufferAndGoOnInTheNewOne() {
        complete();
        complete();

        resize(3).ok();
        complete();

        assertThat(opOwn(driver.cqRing, 2)).isEqualTo(CqeOpcode.RESIZE_CQ << 4);
        assertThat(opOwn(ring, 2)).as("for software to copy to").isEqualTo(0xf1);
        assertThat(opOwn(ring, 3)).isEqualTo(CqeOpcode.REQ << 4);
        assertThat(query(Cqc.LOG_CQ_SIZE)).isEqualTo(3);
        assertThat(query(Cqc.PRODUCER_COUNTER)).isEqualTo(4);
    }

    @Test
    void shouldKeepTheOwnerBitOfTheNewSize() {
        for (int i = 1; i <= 9; i++) {
            complete();
            consume(i);
        }
        resize(3).ok();
        complete();
        // CQE 10 of a ring of 8 is in its second lap.
        assertThat(opOwn(ring, 2)).isEqualTo(CqeOpcode.REQ << 4 | 1);
        assertThat(driver.function.findings().list()).isEmpty();
    }

    @Test
    void shouldRefuseABufferThatCannotHoldWhatIsNotConsumed() {
        for (int i = 0; i < 4; i++) {
            complete();
        }
        refused(resize(2), CommandStatus.BAD_SIZE_OUTS_CQES);
        assertThat(query(Cqc.LOG_CQ_SIZE)).isEqualTo(RawDriver.LOG_CQ);
        consume(1);
        resize(2).ok();
    }

    @Test
    void shouldRefuseToResizeAFullCqWhoseLastCqeHasNoRoom() {
        for (int i = 0; i < OLD; i++) {
            complete();
        }
        refused(resize(6), CommandStatus.BAD_SIZE_OUTS_CQES);
    }

    @Test
    void shouldMoveEventsToAnotherEq() {
        int other = (int) driver.createEq(1, 0).ok().get(CreateEqOut.EQ_NUMBER);
        driver.request(Opcode.MODIFY_CQ, ModifyCqIn.LAYOUT, ModifyCqOut.LAYOUT)
                .set(ModifyCqIn.CQN, cqn)
                .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, EQN | OI)
                .set(CQC, Cqc.C_EQN_OR_APU_ELEMENT, other)
                .set(CQC, Cqc.OI, 1)
                .ok();

        assertThat(query(Cqc.C_EQN_OR_APU_ELEMENT)).isEqualTo(other);
        assertThat(query(Cqc.OI)).isEqualTo(1);
        refused(driver.destroyEq(other), CommandStatus.RES_BUSY);
        driver.destroyEq(eqn).ok();
    }

    @Test
    void shouldRefuseWhatItCannotChange() {
        refused(resize(3).opMod(2), CommandStatus.BAD_OP);
        refused(resize(3).set(ModifyCqIn.CQN, 99), CommandStatus.BAD_RES);
        refused(
                resize(3).set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 0x10),
                CommandStatus.BAD_PARAM);
        refused(resize(3).set(CQC, Cqc.CQE_SZ, 2), CommandStatus.BAD_PARAM);
        refused(resize(3).set(CQC, Cqc.LOG_CQ_SIZE, 23), CommandStatus.BAD_PARAM);
        refused(resize(3).set(CQC, Cqc.LOG_CQ_SIZE, 7), CommandStatus.BAD_INP_LEN);
        refused(resize(3).set(ModifyCqIn.CQ_UMEM_ID, 1), CommandStatus.BAD_PARAM);
    }
}
