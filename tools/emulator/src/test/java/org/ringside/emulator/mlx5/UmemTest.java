package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringside.emulator.mlx5.DeviceOptions.Profile;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.Cqc;
import org.ringside.mlx5.layout.CreateCqIn;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.CreateMkeyIn;
import org.ringside.mlx5.layout.CreateQpIn;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.CreateUmemIn;
import org.ringside.mlx5.layout.CreateUmemOut;
import org.ringside.mlx5.layout.DestroyUmemIn;
import org.ringside.mlx5.layout.DestroyUmemOut;
import org.ringside.mlx5.layout.InitHcaOut;
import org.ringside.mlx5.layout.Mtt;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.QueryPagesStage;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.Umem;
import org.ringside.mlx5.layout.WqeLayout;

/**
 * Memory of CREATE_UMEM, and the queues that lie in it, with the fields that rdma-core's DEVX users
 * fill in.
 */
final class UmemTest {
    private static final StructField UMEM = CreateUmemIn.UMEM;
    private static final StructField CQC = CreateCqIn.CQ_CONTEXT;
    private static final StructField QPC = CreateQpIn.QPC;
    private static final int LIST = UMEM.offset() + Umem.MTT.offset();
    private static final int READ_WRITE = 3;
    private static final int READ = 1;

    private RawDriver driver;
    private int eqn;
    private long memory;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain().profile(Profile.IBPF));
        driver.start();
        driver.uar = driver.allocUar();
        driver.pd = driver.allocPd();
        eqn = (int) driver.createEq(0, 0).ok().get(CreateEqOut.EQ_NUMBER);
        memory = driver.host.allocate(8192, 8192);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private RawDriver.Request createUmem(long page, int rights) {
        RawDriver.Request request =
                driver.request(
                                Opcode.CREATE_UMEM,
                                CreateUmemIn.LAYOUT,
                                CreateUmemOut.LAYOUT,
                                Mtt.LAYOUT.byteSize())
                        .set(UMEM, Umem.LOG_PAGE_SIZE, 1)
                        .set(UMEM, Umem.NUM_OF_MTT, 1);
        Bits.big64(request.in, LIST, page | rights);
        return request;
    }

    private int umem() {
        return (int) createUmem(memory, READ_WRITE).ok().get(CreateUmemOut.UMEM_ID);
    }

    /** As rdma-core's VFIO driver sends it: with the length of CREATE_UMEM. */
    private RawDriver.Request destroyUmem(int id) {
        int more = CreateUmemIn.LAYOUT.byteSize() - DestroyUmemIn.LAYOUT.byteSize();
        return driver.request(
                        Opcode.DESTROY_UMEM, DestroyUmemIn.LAYOUT, DestroyUmemOut.LAYOUT, more)
                .set(DestroyUmemIn.UMEM_ID, id);
    }

    /** A CQ at 0x400 of an umem, its record at 0x1000. */
    private RawDriver.Request createCq(int umem) {
        RawDriver.Request request =
                driver.request(Opcode.CREATE_CQ, CreateCqIn.LAYOUT, CreateCqOut.LAYOUT)
                        .set(CQC, Cqc.LOG_CQ_SIZE, RawDriver.LOG_CQ)
                        .set(CQC, Cqc.UAR_PAGE, driver.uar)
                        .set(CQC, Cqc.C_EQN_OR_APU_ELEMENT, eqn)
                        .set(CQC, Cqc.DBR_UMEM_VALID, 1)
                        .set(CQC, Cqc.DBR_UMEM_ID, umem)
                        .set(CQC, Cqc.DBR_ADDR, 0x1000)
                        .set(CreateCqIn.CQ_UMEM_VALID, 1)
                        .set(CreateCqIn.CQ_UMEM_ID, umem)
                        .set(CreateCqIn.CQ_UMEM_OFFSET, 0x400);
        for (int i = 0; i < 1 << RawDriver.LOG_CQ; i++) {
            driver.host.at(memory + 0x400 + 64L * i + 63, 1).fill((byte) 0xf1);
        }
        return request;
    }

    private RawDriver.Request createQp(int cqn, int umem) {
        return driver.request(Opcode.CREATE_QP, CreateQpIn.LAYOUT, CreateQpOut.LAYOUT)
                .set(QPC, Qpc.PM_STATE, 3)
                .set(QPC, Qpc.PD, driver.pd)
                .set(QPC, Qpc.LOG_RQ_SIZE, RawDriver.LOG_RQ)
                .set(QPC, Qpc.LOG_SQ_SIZE, RawDriver.LOG_SQ)
                .set(QPC, Qpc.UAR_PAGE, driver.uar)
                .set(QPC, Qpc.CQN_SND, cqn)
                .set(QPC, Qpc.CQN_RCV, cqn)
                .set(QPC, Qpc.DBR_UMEM_VALID, 1)
                .set(QPC, Qpc.DBR_UMEM_ID, umem)
                .set(QPC, Qpc.DBR_ADDR, 0x1ff8)
                .set(CreateQpIn.WQ_UMEM_VALID, 1)
                .set(CreateQpIn.WQ_UMEM_ID, umem);
    }

    private static void refused(RawDriver.Request request, int status) {
        assertThat(CommandStatus.name(request.run().status()))
                .isEqualTo(CommandStatus.name(status));
    }

    @Test
    void shouldKeepAnUmemAsLongAsAQueueLiesInIt() {
        int umem = umem();
        int cqn = (int) createCq(umem).ok().get(CreateCqOut.CQN);
        int qpn = (int) createQp(cqn, umem).ok().get(CreateQpOut.QPN);

        refused(destroyUmem(umem), CommandStatus.RES_BUSY);
        driver.destroyQp(qpn).ok();
        refused(destroyUmem(umem), CommandStatus.RES_BUSY);
        driver.destroyCq(cqn).ok();
        destroyUmem(umem).ok();
        refused(destroyUmem(umem), CommandStatus.BAD_RES);
        assertThat(driver.function.findings().list())
                .allMatch(finding -> finding.kind() == Finding.Kind.COMMAND);
    }

    @Test
    void shouldWriteCompletionsWhereTheUmemHasTheRing() {
        int umem = umem();
        int cqn = (int) createCq(umem).ok().get(CreateCqOut.CQN);
        int qpn = (int) driver.createQp(cqn).ok().get(CreateQpOut.QPN);
        driver.toInit(qpn).ok();
        driver.toRtr(qpn, qpn).ok();
        driver.toRts(qpn).ok();

        // A NOP of one segment that asks for a completion, in the first block behind the receives.
        long wqe = driver.qpRing + (16L << RawDriver.LOG_RQ);
        long head = (long) qpn << 8 | 1;
        Bits.big64(driver.host.at(wqe, 8), 0, head);
        driver.host.at(wqe + WqeLayout.CTRL_FM_CE_SE, 1).fill((byte) WqeLayout.CTRL_CQ_UPDATE);
        Bits.big64(driver.host.at(driver.qpRecord, 8), 0, 1);
        driver.writeLong(driver.uar * 4096L + 0x800, head);
        driver.settle();

        assertThat(driver.host.at(memory + 0x400 + 63, 1).get(ValueLayout.JAVA_BYTE, 0))
                .as("opcode REQ, owner 0")
                .isZero();
    }

    @Test
    void shouldMakeAKeyWhosePagesCarryRights() {
        RawDriver.Request request = driver.createMkey(memory).set(CreateMkeyIn.PG_ACCESS, 1);
        CreateMkeyIn.KLM_PAS_MTT.set(request.in, 0, 1, memory | READ_WRITE);
        request.ok();

        CreateMkeyIn.KLM_PAS_MTT.set(request.in, 0, 1, memory | READ);
        refused(request, CommandStatus.BAD_PARAM);
        request.set(CreateMkeyIn.PG_ACCESS, 0);
        CreateMkeyIn.KLM_PAS_MTT.set(request.in, 0, 1, memory | READ_WRITE);
        refused(request, CommandStatus.BAD_PARAM);
    }

    private static Arguments line(
            String what, int status, UnaryOperator<RawDriver.Request> change) {
        return Arguments.of(what, status, change);
    }

    static Stream<Arguments> wrongUmems() {
        return Stream.of(
                line(
                        "page size",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(UMEM, Umem.LOG_PAGE_SIZE, 20)),
                line("offset", CommandStatus.BAD_PARAM, r -> r.set(UMEM, Umem.PAGE_OFFSET, 8192)),
                line("no page", CommandStatus.BAD_PARAM, r -> r.set(UMEM, Umem.NUM_OF_MTT, 0)),
                line("two pages", CommandStatus.BAD_INP_LEN, r -> r.set(UMEM, Umem.NUM_OF_MTT, 2)),
                line("too many", CommandStatus.BAD_PARAM, r -> r.set(UMEM, Umem.NUM_OF_MTT, -1)),
                line("ATS", CommandStatus.BAD_PARAM, r -> r.set(UMEM, Umem.ATS, 1)),
                line("op_mod", CommandStatus.BAD_OP, r -> r.opMod(1)),
                line("unreadable page", CommandStatus.BAD_PARAM, r -> rights(r, 2)),
                line("reserved bit of a page", CommandStatus.BAD_PARAM, r -> rights(r, 7)),
                line("unaligned page", CommandStatus.BAD_PARAM, r -> rights(r, 0x1003)),
                line("output", CommandStatus.BAD_OUTP_LEN, r -> r.output(8)));
    }

    private static RawDriver.Request rights(RawDriver.Request request, int low) {
        Bits.big64(request.in, LIST, Bits.big64(request.in, LIST) & -8192 | low);
        return request;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongUmems")
    void shouldRefuseAnUmem(String what, int status, UnaryOperator<RawDriver.Request> change) {
        refused(change.apply(createUmem(memory, READ_WRITE)), status);
    }

    static Stream<Arguments> wrongCqs() {
        return Stream.of(
                line("no such umem", CommandStatus.BAD_RES, r -> r.set(CreateCqIn.CQ_UMEM_ID, 99)),
                line(
                        "no such umem for the record",
                        CommandStatus.BAD_RES,
                        r -> r.set(CQC, Cqc.DBR_UMEM_ID, 99)),
                line(
                        "id without valid",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CreateCqIn.CQ_UMEM_VALID, 0)),
                line(
                        "record's id without valid",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CQC, Cqc.DBR_UMEM_VALID, 0)),
                line(
                        "behind the end",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CreateCqIn.CQ_UMEM_OFFSET, 0x1c40)),
                line(
                        "negative",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CreateCqIn.CQ_UMEM_OFFSET, -64)),
                line(
                        "unaligned",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CreateCqIn.CQ_UMEM_OFFSET, 0x420)),
                line(
                        "record behind the end",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CQC, Cqc.DBR_ADDR, 0x2000)),
                line(
                        "record unaligned",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CQC, Cqc.DBR_ADDR, 0x1004)),
                line(
                        "page offset too",
                        CommandStatus.BAD_PARAM,
                        r -> r.set(CQC, Cqc.PAGE_OFFSET, 1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongCqs")
    void shouldRefuseACq(String what, int status, UnaryOperator<RawDriver.Request> change) {
        int umem = umem();
        refused(change.apply(createCq(umem)), status);
        destroyUmem(umem).ok();
    }

    @Test
    void shouldRefuseACqInMemoryThatTheDeviceMayOnlyRead() {
        int umem = (int) createUmem(memory, READ).ok().get(CreateUmemOut.UMEM_ID);
        refused(createCq(umem), CommandStatus.BAD_PARAM);
        int cqn = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
        createQp(cqn, umem).ok();
    }

    @Test
    void shouldRefuseAQueueInAPartThatIsNotMapped() {
        int umem = (int) createUmem(TestHost.end(), READ_WRITE).ok().get(CreateUmemOut.UMEM_ID);
        refused(createCq(umem), CommandStatus.BAD_PARAM);
    }

    @Test
    void shouldRefuseAQpBehindTheEndOfItsUmem() {
        int umem = umem();
        int cqn = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
        refused(
                createQp(cqn, umem).set(CreateQpIn.WQ_UMEM_OFFSET, 0x1f00),
                CommandStatus.BAD_PARAM);
        refused(createQp(cqn, umem).set(QPC, Qpc.LOG_SQ_SIZE, 8), CommandStatus.BAD_PARAM);
        refused(createQp(cqn, umem).set(CreateQpIn.WQ_UMEM_ID, 77), CommandStatus.BAD_RES);
        refused(createQp(cqn, umem).set(CreateQpIn.WQ_UMEM_VALID, 0), CommandStatus.BAD_PARAM);
        createQp(cqn, umem).ok();
    }

    /** rdma-core's tests have a shorter table of capabilities, its VFIO driver one of INIT_HCA. */
    @Test
    void shouldAnswerDriversWithShorterTables() {
        RawDriver.Request query =
                driver.request(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT);
        RawDriver.Answer all = query.opMod(1).ok();
        RawDriver.Answer cut = query.opMod(1).output(0x810).ok();
        assertThat(cut.out().byteSize()).isEqualTo(0x810);
        assertThat(all.out().asSlice(0, 0x810).mismatch(cut.out())).isEqualTo(-1);
        refused(query.output(0x1014), CommandStatus.BAD_OUTP_LEN);

        driver.reset();
        driver.enable();
        assertThat(driver.queryPages(QueryPagesStage.INIT)).isZero();
        driver.request(Opcode.INIT_HCA, CommandIn.LAYOUT, InitHcaOut.LAYOUT, 8).ok();
        driver.allocPd();
    }

    @Test
    void shouldTakeALongerDestroyOnlyWhenTheRestIsZero() {
        int umem = umem();
        RawDriver.Request request = destroyUmem(umem);
        request.in.set(ValueLayout.JAVA_BYTE, 0x2f, (byte) 1);
        refused(request, CommandStatus.BAD_PARAM);
        destroyUmem(umem).ok();
    }
}
