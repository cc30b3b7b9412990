package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringside.emulator.mlx5.DeviceOptions.Doorbells;
import org.ringside.linux.SystemCalls;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.CreateMkeyOut;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Qp2rstIn;
import org.ringside.mlx5.layout.Qp2rstOut;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.QueryQpIn;
import org.ringside.mlx5.layout.QueryQpOut;
import org.ringside.mlx5.layout.Uar;
import org.ringside.mlx5.layout.WqeOpcode;

/** Doorbells in both ways, with a QP that sends to itself. */
class DoorbellTest {
    private static final ValueLayout.OfInt BE32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong BE64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int REQUESTER = 0;
    private static final int RESPONDER_SEND = 2;

    private RawDriver driver;
    private final Arena arena = Arena.ofShared();
    private MemorySegment bar = MemorySegment.NULL;
    private int eqn;
    private int cqn;
    private int qpn;
    private long page;
    private int key;

    private void open(Doorbells doorbells) throws IOException {
        driver = new RawDriver(RawDriver.plain().doorbells(doorbells));
        driver.start();
        driver.uar = driver.allocUar();
        eqn = (int) driver.createEq(1, 0).ok().get(CreateEqOut.EQ_NUMBER);
        driver.pd = driver.allocPd();
        driver.uar = driver.allocUar();
        cqn = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
        page = driver.host.allocate(4096, 4096);
        key = (int) driver.createMkey(page).ok().get(CreateMkeyOut.MKEY_INDEX) << 8 | 0x5a;
        qpn = (int) driver.createQp(cqn).ok().get(CreateQpOut.QPN);
        if (doorbells == Doorbells.MAPPED) {
            var shared = driver.function.bars().getFirst().shared();
            assertThat(shared).isNotNull();
            bar = SystemCalls.host().mmap(arena, UarSpace.BAR_SIZE, 3, 1, shared.fd(), 0);
        }
    }

    @AfterEach
    void close() {
        arena.close();
        driver.close();
    }

    private void connect() {
        driver.toInit(qpn).ok();
        driver.toRtr(qpn, qpn).ok();
        driver.toRts(qpn).ok();
    }

    /** Writes WQE {@code index}: SEND of 8 bytes at the start of the page, with a CQE. */
    private long post(int index) {
        MemorySegment wqe =
                driver.host.at(driver.qpRing + (16 << RawDriver.LOG_RQ) + 64L * (index & 15), 64);
        wqe.fill((byte) 0);
        wqe.set(BE32, 0, index << 8 | WqeOpcode.SEND);
        wqe.set(BE32, 4, qpn << 8 | 2);
        wqe.set(BE32, 8, 0x08);
        wqe.set(BE32, 16, 8);
        wqe.set(BE32, 20, key);
        wqe.set(BE64, 24, page);
        driver.host.at(driver.qpRecord + DoorbellRecord.SEND, 4).set(BE32, 0, index + 1);
        return wqe.get(BE64, 0);
    }

    /** Posts receive WQE {@code index}: 8 bytes at 2048 of the page. */
    private void receive(int index) {
        MemorySegment wqe = driver.host.at(driver.qpRing + 16L * (index & 15), 16);
        wqe.set(BE32, 0, 8);
        wqe.set(BE32, 4, key);
        wqe.set(BE64, 8, page + 2048);
        driver.host.at(driver.qpRecord + DoorbellRecord.RECEIVE, 4).set(BE32, 0, index + 1);
    }

    private void ring(long value) {
        store(Uar.SEND_DOORBELL, value);
    }

    private void store(int offset, long value) {
        long at = driver.uar * 4096L + offset;
        if (bar.byteSize() > 0) {
            bar.set(BE64, at, value);
        } else {
            driver.writeLong(at, value);
        }
        driver.settle();
    }

    private int cqeOpcode(int index) {
        return driver.host.at(driver.cqRing + 64L * index + 63, 1).get(ValueLayout.JAVA_BYTE, 0)
                        >> 4
                & 0xf;
    }

    private void armCq(int sn) {
        int word = DoorbellRecord.armWord(sn, DoorbellRecord.ARM_NEXT, 0);
        driver.host.at(driver.cqRecord + DoorbellRecord.ARM, 4).set(BE32, 0, word);
        store(Uar.CQ_ARM, (long) word << 32 | cqn);
    }

    private String lastFinding() {
        return driver.function.findings().list(Finding.Kind.DOORBELL).getLast().text();
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendWhatADoorbellTellsOf(Doorbells doorbells) throws IOException {
        open(doorbells);
        connect();
        driver.host.at(page, 8).set(BE64, 0, 0x1122334455667788L);
        receive(0);
        armCq(1);
        driver.eqDoorbell(UarSpace.FIRST, eqn, 0, true);
        ring(post(0));

        assertThat(driver.host.at(page + 2048, 8).get(BE64, 0)).isEqualTo(0x1122334455667788L);
        assertThat(new int[] {cqeOpcode(0), cqeOpcode(1)})
                .containsExactlyInAnyOrder(REQUESTER, RESPONDER_SEND);
        assertThat(Eqe.EVENT_TYPE.get(driver.eqe(0), 0)).isEqualTo(EventType.COMP);
        assertThat(driver.eqe(0).get(BE32, 32 + 24)).isEqualTo(cqn);
        assertThat(driver.host.interrupts()).containsExactly(1);
        assertThat(driver.function.findings().list()).isEmpty();
    }

    /** A store to a shared page is seen by nobody until the device looks. */
    @Test
    void shouldTakeDoorbellsThatWereStoredBeforeACommandWasRung() throws IOException {
        open(Doorbells.MAPPED);
        connect();
        long value = post(0);
        bar.set(BE64, driver.uar * 4096L + Uar.SEND_DOORBELL, value);
        driver.simple(Opcode.QP_2RST, Qp2rstIn.LAYOUT, Qp2rstOut.LAYOUT, Qp2rstIn.QPN, qpn).ok();
        driver.settle();

        assertThat(driver.function.findings().list()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shouldSeeTheSameDoorbellAgainAfterALap(Doorbells doorbells) throws IOException {
        open(doorbells);
        connect();
        for (int i = 0; i < 40; i++) {
            receive(i);
            driver.host.at(driver.cqRecord, 4).set(BE32, 0, 2 * i);
            ring(post(i));
        }

        assertThat(
                        driver.simple(
                                        Opcode.QUERY_QP,
                                        QueryQpIn.LAYOUT,
                                        QueryQpOut.LAYOUT,
                                        QueryQpIn.QPN,
                                        qpn)
                                .ok()
                                .get(QueryQpOut.QPC, Qpc.HW_SQ_WQEBB_COUNTER))
                .isEqualTo(40);
        assertThat(driver.function.findings().list()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoteAStaleDoorbell(Doorbells doorbells) throws IOException {
        open(doorbells);
        connect();
        receive(0);
        long value = post(0);
        driver.host.at(driver.qpRecord + DoorbellRecord.SEND, 4).set(BE32, 0, 0);
        ring(value);

        assertThat(lastFinding())
                .contains(
                        "stale send doorbell: shows WQE 0 (SEND), but the doorbell record says 0");
        assertThat(cqeOpcode(0)).isEqualTo(0xf);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoteADoorbellInAnotherPage(Doorbells doorbells) throws IOException {
        open(doorbells);
        connect();
        long value = post(0);
        driver.uar = driver.allocUar();
        ring(value);

        assertThat(lastFinding()).contains("for QP 0x%x, which does not ring there".formatted(qpn));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoteADoorbellForACqThatIsNotThere(Doorbells doorbells) throws IOException {
        open(doorbells);
        store(Uar.CQ_ARM, cqn + 1);

        assertThat(lastFinding()).contains("for CQ 0x%x".formatted(cqn + 1));
    }

    @Test
    void shouldNoteTornDoorbells() throws IOException {
        open(Doorbells.TRAPPED);
        connect();
        long value = post(0);
        long at = driver.uar * 4096L + Uar.SEND_DOORBELL;
        driver.write(at, (int) (value >>> 32));
        driver.write(at + 4, (int) value);
        driver.write(driver.uar * 4096L + Uar.CQ_ARM, 0);
        driver.settle();

        assertThat(driver.function.findings().list(Finding.Kind.DOORBELL))
                .extracting(Finding::text)
                .satisfiesExactly(
                        text -> assertThat(text).contains("torn send doorbell", "at 0x800"),
                        text -> assertThat(text).contains("torn send doorbell", "at 0x804"),
                        text -> assertThat(text).contains("torn CQ doorbell"));
        assertThat(cqeOpcode(0)).isEqualTo(0xf);
    }

    @Test
    void shouldNoteATornDoorbellInSharedMemory() throws IOException {
        open(Doorbells.MAPPED);
        connect();
        bar.set(BE32, driver.uar * 4096L + Uar.SEND_DOORBELL, 0x0a);
        driver.settle();

        assertThat(lastFinding()).contains("torn send doorbell");
    }

    @Test
    void shouldNoteStoresToPagesThatAreNotAllocated() throws IOException {
        open(Doorbells.TRAPPED);
        driver.writeLong(99 * 4096L + Uar.SEND_DOORBELL, 1);

        assertThat(lastFinding()).contains("UAR 0x63 at 0x800, which is not allocated");
    }

    @Test
    void shouldNoteASendDoorbellBeforeRts() throws IOException {
        open(Doorbells.TRAPPED);
        driver.toInit(qpn).ok();
        ring(post(0));

        assertThat(driver.function.findings().list(Finding.Kind.DATA_PATH))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("send doorbell in INIT");
    }

    @Test
    void shouldFindADoorbellThatALaterOneHid() throws IOException {
        open(Doorbells.MAPPED);
        connect();
        int first = qpn;
        long firstRing = driver.qpRing;
        long firstRecord = driver.qpRecord;
        long firstCq = driver.cqRing;
        receive(0);
        long hidden = post(0);
        cqn = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
        qpn = (int) driver.createQp(cqn).ok().get(CreateQpOut.QPN);
        connect();
        receive(0);
        bar.set(BE64, driver.uar * 4096L + Uar.SEND_DOORBELL, hidden);
        ring(post(0));

        assertThat(first).isNotEqualTo(qpn);
        assertThat(firstRing).isNotEqualTo(driver.qpRing);
        assertThat(firstRecord).isNotEqualTo(driver.qpRecord);
        assertThat(cqeOpcode(0)).as("the second QP's").isNotEqualTo(0xf);
        driver.cqRing = firstCq;
        assertThat(cqeOpcode(0)).as("the first QP's").isNotEqualTo(0xf);
        assertThat(driver.function.findings().list()).isEmpty();
    }
}
