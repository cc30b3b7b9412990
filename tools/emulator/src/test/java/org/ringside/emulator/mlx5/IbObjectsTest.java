package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.mlx5.DeviceOptions.Profile;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.AllocXrcdIn;
import org.ringside.mlx5.layout.AllocXrcdOut;
import org.ringside.mlx5.layout.ArmRqIn;
import org.ringside.mlx5.layout.ArmRqOut;
import org.ringside.mlx5.layout.ArmXrcSrqIn;
import org.ringside.mlx5.layout.ArmXrcSrqOut;
import org.ringside.mlx5.layout.AttachToMcgIn;
import org.ringside.mlx5.layout.AttachToMcgOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.CreateQpIn;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.CreateRmpIn;
import org.ringside.mlx5.layout.CreateRmpOut;
import org.ringside.mlx5.layout.CreateSrqIn;
import org.ringside.mlx5.layout.CreateSrqOut;
import org.ringside.mlx5.layout.CreateXrcSrqIn;
import org.ringside.mlx5.layout.CreateXrcSrqOut;
import org.ringside.mlx5.layout.DeallocXrcdIn;
import org.ringside.mlx5.layout.DeallocXrcdOut;
import org.ringside.mlx5.layout.DestroyRmpIn;
import org.ringside.mlx5.layout.DestroyRmpOut;
import org.ringside.mlx5.layout.DestroySrqIn;
import org.ringside.mlx5.layout.DestroySrqOut;
import org.ringside.mlx5.layout.DestroyXrcSrqIn;
import org.ringside.mlx5.layout.DestroyXrcSrqOut;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.Init2rtrQpIn;
import org.ringside.mlx5.layout.MadIfcIn;
import org.ringside.mlx5.layout.MadIfcOut;
import org.ringside.mlx5.layout.ModifyRmpIn;
import org.ringside.mlx5.layout.ModifyRmpOut;
import org.ringside.mlx5.layout.Mtu;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.OptParam;
import org.ringside.mlx5.layout.QpEvents;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.QueryQpIn;
import org.ringside.mlx5.layout.QueryQpOut;
import org.ringside.mlx5.layout.QueryRmpIn;
import org.ringside.mlx5.layout.QueryRmpOut;
import org.ringside.mlx5.layout.QuerySrqIn;
import org.ringside.mlx5.layout.QuerySrqOut;
import org.ringside.mlx5.layout.QueryXrcSrqIn;
import org.ringside.mlx5.layout.QueryXrcSrqOut;
import org.ringside.mlx5.layout.RmpBitmask;
import org.ringside.mlx5.layout.Rmpc;
import org.ringside.mlx5.layout.Rst2initQpIn;
import org.ringside.mlx5.layout.ServiceType;
import org.ringside.mlx5.layout.Srqc;
import org.ringside.mlx5.layout.StructField;
import org.ringside.mlx5.layout.Wq;
import org.ringside.mlx5.layout.XrcSrqc;

/** Shared receive queues, QPs of all services and MADs, with the fields that mlx5_ib fills in. */
final class IbObjectsTest {
    private static final StructField SRQC = CreateSrqIn.SRQ_CONTEXT_ENTRY;
    private static final StructField XRC = CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY;
    private static final int RMP_WQ = CreateRmpIn.CTX.offset() + Rmpc.WQ.offset();
    private static final ValueLayout.OfInt BE32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort BE16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private RawDriver driver;
    private int cqn;
    private int xrcd;
    private long srqRing;
    private long srqRecord;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain().profile(Profile.IB));
        driver.start();
        driver.uar = driver.allocUar();
        driver.pd = driver.allocPd();
        long events = 1L << EventType.SRQ_RQ_LIMIT;
        int eqn = (int) driver.createEq(0, events).ok().get(EQ_NUMBER);
        cqn = (int) driver.createCq(eqn).ok().get(CQN);
        xrcd =
                (int)
                        driver.request(Opcode.ALLOC_XRCD, AllocXrcdIn.LAYOUT, AllocXrcdOut.LAYOUT)
                                .ok()
                                .get(AllocXrcdOut.XRCD);
        srqRing = driver.host.allocate(4096, 4096);
        srqRecord = driver.host.allocate(8, 64);
    }

    private static final org.ringside.mlx5.layout.Field EQ_NUMBER =
            org.ringside.mlx5.layout.CreateEqOut.EQ_NUMBER;
    private static final org.ringside.mlx5.layout.Field CQN =
            org.ringside.mlx5.layout.CreateCqOut.CQN;

    @AfterEach
    void close() {
        driver.close();
    }

    private RawDriver.Request createSrq() {
        RawDriver.Request request =
                driver.request(Opcode.CREATE_SRQ, CreateSrqIn.LAYOUT, CreateSrqOut.LAYOUT, 8)
                        .set(SRQC, Srqc.LOG_SRQ_SIZE, 1)
                        .set(SRQC, Srqc.LOG_RQ_STRIDE, 1)
                        .set(SRQC, Srqc.PD, driver.pd)
                        .set(SRQC, Srqc.XRCD, xrcd)
                        .set(SRQC, Srqc.CQN, cqn)
                        .set(SRQC, Srqc.DBR_ADDR, srqRecord);
        CreateSrqIn.PAS.set(request.in, 0, 0, srqRing);
        return request;
    }

    private RawDriver.Request createXrcSrq() {
        RawDriver.Request request =
                driver.request(
                                Opcode.CREATE_XRC_SRQ,
                                CreateXrcSrqIn.LAYOUT,
                                CreateXrcSrqOut.LAYOUT,
                                8)
                        .set(XRC, XrcSrqc.LOG_XRC_SRQ_SIZE, 1)
                        .set(XRC, XrcSrqc.LOG_RQ_STRIDE, 1)
                        .set(XRC, XrcSrqc.PD, driver.pd)
                        .set(XRC, XrcSrqc.XRCD, xrcd)
                        .set(XRC, XrcSrqc.CQN, cqn)
                        .set(XRC, XrcSrqc.USER_INDEX, 5)
                        .set(XRC, XrcSrqc.DB_RECORD_ADDR_H, srqRecord >>> 32)
                        .set(XRC, XrcSrqc.DB_RECORD_ADDR_L, (srqRecord & 0xffff_ffffL) >>> 2);
        CreateXrcSrqIn.PAS.set(request.in, 0, 0, srqRing);
        return request;
    }

    private RawDriver.Request createRmp() {
        RawDriver.Request request =
                driver.request(Opcode.CREATE_RMP, CreateRmpIn.LAYOUT, CreateRmpOut.LAYOUT, 8)
                        .set(CreateRmpIn.CTX, Rmpc.STATE, 1);
        Wq.PD.set(request.in, RMP_WQ, driver.pd);
        Wq.LOG_WQ_STRIDE.set(request.in, RMP_WQ, 5);
        Wq.LOG_WQ_SZ.set(request.in, RMP_WQ, 1);
        Wq.DBR_ADDR.set(request.in, RMP_WQ, srqRecord);
        CreateRmpIn.PAS.set(request.in, 0, 0, srqRing);
        return request;
    }

    private RawDriver.Request modifyRmp(int rmpn, int limit) {
        RawDriver.Request request =
                driver.request(Opcode.MODIFY_RMP, ModifyRmpIn.LAYOUT, ModifyRmpOut.LAYOUT)
                        .set(ModifyRmpIn.RMP_STATE, 1)
                        .set(ModifyRmpIn.RMPN, rmpn)
                        .set(ModifyRmpIn.BITMASK, RmpBitmask.LWM, 1)
                        .set(ModifyRmpIn.CTX, Rmpc.STATE, 1);
        Wq.LWM.set(request.in, ModifyRmpIn.CTX.offset() + Rmpc.WQ.offset(), limit);
        return request;
    }

    private static void refused(RawDriver.Request request, int status) {
        assertThat(CommandStatus.name(request.run().status()))
                .isEqualTo(CommandStatus.name(status));
    }

    @Test
    void shouldMakeAnSrqAsUnderIssi0() {
        int srqn = (int) createSrq().ok().get(CreateSrqOut.SRQN);

        RawDriver.Answer answer =
                driver.request(Opcode.QUERY_SRQ, QuerySrqIn.LAYOUT, QuerySrqOut.LAYOUT)
                        .set(QuerySrqIn.SRQN, srqn)
                        .ok();
        assertThat(answer.get(QuerySrqOut.SRQ_CONTEXT_ENTRY, Srqc.LOG_SRQ_SIZE)).isEqualTo(1);
        assertThat(answer.get(QuerySrqOut.SRQ_CONTEXT_ENTRY, Srqc.XRCD)).isEqualTo(xrcd);
        assertThat(answer.get(QuerySrqOut.SRQ_CONTEXT_ENTRY, Srqc.DBR_ADDR)).isEqualTo(srqRecord);
        refused(driver.deallocPd(driver.pd), CommandStatus.RES_BUSY);
        refused(driver.destroyCq(cqn), CommandStatus.RES_BUSY);
        refused(
                driver.simple(
                        Opcode.DEALLOC_XRCD,
                        DeallocXrcdIn.LAYOUT,
                        DeallocXrcdOut.LAYOUT,
                        DeallocXrcdIn.XRCD,
                        xrcd),
                CommandStatus.RES_BUSY);

        driver.simple(
                        Opcode.DESTROY_SRQ,
                        DestroySrqIn.LAYOUT,
                        DestroySrqOut.LAYOUT,
                        DestroySrqIn.SRQN,
                        srqn)
                .ok();
        driver.destroyCq(cqn).ok();
        driver.simple(
                        Opcode.DEALLOC_XRCD,
                        DeallocXrcdIn.LAYOUT,
                        DeallocXrcdOut.LAYOUT,
                        DeallocXrcdIn.XRCD,
                        xrcd)
                .ok();
    }

    @Test
    void shouldTellOfTheLimitOfAnSrq() {
        int srqn = (int) createSrq().ok().get(CreateSrqOut.SRQN);

        driver.request(Opcode.ARM_RQ, ArmRqIn.LAYOUT, ArmRqOut.LAYOUT)
                .opMod(1)
                .set(ArmRqIn.SRQ_NUMBER, srqn)
                .set(ArmRqIn.LWM, 1)
                .ok();

        MemorySegment eqe = driver.eqe(0);
        assertThat(Eqe.EVENT_TYPE.get(eqe, 0)).isEqualTo(EventType.SRQ_RQ_LIMIT);
        assertThat(QpEvents.QPN_RQN_SQN.get(eqe, Eqe.EVENT_DATA.offset())).isEqualTo(srqn);
        refused(
                driver.request(Opcode.ARM_RQ, ArmRqIn.LAYOUT, ArmRqOut.LAYOUT)
                        .set(ArmRqIn.SRQ_NUMBER, srqn),
                CommandStatus.BAD_OP);
    }

    @Test
    void shouldMakeAnXrcSrqAndAnRmpAsUnderIssi1() {
        int xrc = (int) createXrcSrq().ok().get(CreateXrcSrqOut.XRC_SRQN);
        int rmp = (int) createRmp().ok().get(CreateRmpOut.RMPN);
        assertThat(rmp).as("they share their numbers").isNotEqualTo(xrc);
        driver.host.at(srqRecord, 4).set(BE32, 0, 2);

        driver.request(Opcode.ARM_XRC_SRQ, ArmXrcSrqIn.LAYOUT, ArmXrcSrqOut.LAYOUT)
                .opMod(1)
                .set(ArmXrcSrqIn.XRC_SRQN, xrc)
                .set(ArmXrcSrqIn.LWM, 2)
                .ok();
        modifyRmp(rmp, 1).ok();

        assertThat(
                        driver.request(
                                        Opcode.QUERY_XRC_SRQ,
                                        QueryXrcSrqIn.LAYOUT,
                                        QueryXrcSrqOut.LAYOUT)
                                .set(QueryXrcSrqIn.XRC_SRQN, xrc)
                                .ok()
                                .get(QueryXrcSrqOut.XRC_SRQ_CONTEXT_ENTRY, XrcSrqc.LWM))
                .isEqualTo(2);
        RawDriver.Answer answer =
                driver.request(Opcode.QUERY_RMP, QueryRmpIn.LAYOUT, QueryRmpOut.LAYOUT)
                        .set(QueryRmpIn.RMPN, rmp)
                        .ok();
        int wq = QueryRmpOut.RMP_CONTEXT.offset() + Rmpc.WQ.offset();
        assertThat(Wq.LWM.get(answer.out(), wq)).isEqualTo(1);
        assertThat(Wq.LOG_WQ_STRIDE.get(answer.out(), wq)).isEqualTo(5);
        assertThat(answer.get(QueryRmpOut.RMP_CONTEXT, Rmpc.STATE)).isEqualTo(1);

        refused(
                driver.simple(
                        Opcode.DESTROY_RMP,
                        DestroyRmpIn.LAYOUT,
                        DestroyRmpOut.LAYOUT,
                        DestroyRmpIn.RMPN,
                        xrc),
                CommandStatus.BAD_RES);
        driver.simple(
                        Opcode.DESTROY_RMP,
                        DestroyRmpIn.LAYOUT,
                        DestroyRmpOut.LAYOUT,
                        DestroyRmpIn.RMPN,
                        rmp)
                .ok();
        driver.simple(
                        Opcode.DESTROY_XRC_SRQ,
                        DestroyXrcSrqIn.LAYOUT,
                        DestroyXrcSrqOut.LAYOUT,
                        DestroyXrcSrqIn.XRC_SRQN,
                        xrc)
                .ok();
        driver.deallocPd(driver.pd).ok();
    }

    @Test
    void shouldRefuseSharedQueuesThatCannotBe() {
        refused(createSrq().set(SRQC, Srqc.PD, 99), CommandStatus.BAD_RES);
        refused(createSrq().set(SRQC, Srqc.XRCD, 99), CommandStatus.BAD_RES);
        refused(createSrq().set(SRQC, Srqc.LOG_RQ_STRIDE, 0), CommandStatus.BAD_PARAM);
        refused(createSrq().set(SRQC, Srqc.WQ_SIGNATURE, 1), CommandStatus.BAD_PARAM);
        refused(createSrq().set(SRQC, Srqc.LOG_SRQ_SIZE, 12), CommandStatus.BAD_INP_LEN);
        refused(createXrcSrq().set(XRC, XrcSrqc.XRCD, 0), CommandStatus.BAD_RES);
        refused(createXrcSrq().set(XRC, XrcSrqc.CQN, 99), CommandStatus.BAD_RES);
        refused(createRmp().set(CreateRmpIn.CTX, Rmpc.STATE, 0), CommandStatus.BAD_PARAM);
        RawDriver.Request narrow = createRmp();
        Wq.LOG_WQ_STRIDE.set(narrow.in, RMP_WQ, 4);
        refused(narrow, CommandStatus.BAD_PARAM);
        refused(modifyRmp(77, 1), CommandStatus.BAD_RES);
    }

    private int make(int service) {
        return (int)
                driver.createQp(cqn).set(CreateQpIn.QPC, Qpc.ST, service).ok().get(CreateQpOut.QPN);
    }

    private long query(int qpn, org.ringside.mlx5.layout.Field field) {
        return driver.request(Opcode.QUERY_QP, QueryQpIn.LAYOUT, QueryQpOut.LAYOUT)
                .set(QueryQpIn.QPN, qpn)
                .ok()
                .get(QueryQpOut.QPC, field);
    }

    @Test
    void shouldBringADatagramQpUpWithoutPeer() {
        int qpn = make(ServiceType.UD);

        driver.toInit(qpn)
                .set(Rst2initQpIn.QPC, Qpc.RRE, 0)
                .set(Rst2initQpIn.QPC, Qpc.RWE, 0)
                .set(Rst2initQpIn.QPC, Qpc.Q_KEY, 0x1111_1111)
                .ok();
        driver.toRtr(qpn, 0)
                .set(Init2rtrQpIn.QPC, Qpc.MTU, Mtu.MTU_4096)
                .set(Init2rtrQpIn.QPC, Qpc.LOG_MSG_MAX, 12)
                .ok();
        driver.toRts(qpn).ok();

        assertThat(query(qpn, Qpc.Q_KEY)).isEqualTo(0x1111_1111);
        assertThat(query(qpn, Qpc.MTU)).isEqualTo(Mtu.MTU_4096);
        assertThat(query(qpn, Qpc.STATE)).isEqualTo(3);
    }

    @Test
    void shouldHaveOneQp0AndOneQp1() {
        int qp0 = make(ServiceType.QP0);
        make(ServiceType.QP1);
        refused(
                driver.createQp(cqn).set(CreateQpIn.QPC, Qpc.ST, ServiceType.QP1),
                CommandStatus.LIM_ERR);

        driver.destroyQp(qp0).ok();
        make(ServiceType.QP0);
    }

    @Test
    void shouldMakeAnXrcTargetOfNothingButASharedQueue() {
        int srqn = (int) createSrq().ok().get(CreateSrqOut.SRQN);

        int qpn =
                (int)
                        driver.request(Opcode.CREATE_QP, CreateQpIn.LAYOUT, CreateQpOut.LAYOUT)
                                .set(CreateQpIn.QPC, Qpc.ST, ServiceType.XRC)
                                .set(CreateQpIn.QPC, Qpc.PM_STATE, 3)
                                .set(CreateQpIn.QPC, Qpc.PD, driver.pd)
                                .set(CreateQpIn.QPC, Qpc.RQ_TYPE, 1)
                                .set(CreateQpIn.QPC, Qpc.NO_SQ, 1)
                                .set(CreateQpIn.QPC, Qpc.CQN_SND, cqn)
                                .set(CreateQpIn.QPC, Qpc.CQN_RCV, cqn)
                                .set(CreateQpIn.QPC, Qpc.SRQN_RMPN_XRQN, srqn)
                                .set(CreateQpIn.QPC, Qpc.XRCD, xrcd)
                                .ok()
                                .get(CreateQpOut.QPN);

        refused(
                driver.simple(
                        Opcode.DESTROY_SRQ,
                        DestroySrqIn.LAYOUT,
                        DestroySrqOut.LAYOUT,
                        DestroySrqIn.SRQN,
                        srqn),
                CommandStatus.RES_BUSY);
        driver.destroyQp(qpn).ok();
        driver.simple(
                        Opcode.DESTROY_SRQ,
                        DestroySrqIn.LAYOUT,
                        DestroySrqOut.LAYOUT,
                        DestroySrqIn.SRQN,
                        srqn)
                .ok();
    }

    @Test
    void shouldFollowALidAndTakeRightsWithoutMask() {
        int qpn = make(ServiceType.RC);
        driver.toInit(qpn).ok();
        assertThat(query(qpn, Qpc.RRE)).as("required at RST2INIT").isEqualTo(1);

        RawDriver.Request nowhere = driver.toRtr(qpn, qpn);
        RawDriver.path(nowhere, Ads.FL, 0);
        refused(nowhere, CommandStatus.BAD_PARAM);

        RawDriver.Request there = driver.toRtr(qpn, qpn);
        RawDriver.path(there, Ads.FL, 0);
        RawDriver.path(there, Ads.RLID, 1);
        there.ok();
    }

    @Test
    void shouldTakeOnlyTheOptionalFieldsOfTheService() {
        int qpn = make(ServiceType.UC);
        driver.toInit(qpn).ok();

        refused(
                driver.toRtr(qpn, qpn).set(Init2rtrQpIn.OPT_PARAM_MASK, OptParam.RAE),
                CommandStatus.BAD_PARAM);
        refused(
                driver.toRtr(qpn, qpn).set(Init2rtrQpIn.OPT_PARAM_MASK, OptParam.Q_KEY),
                CommandStatus.BAD_PARAM);
        driver.toRtr(qpn, qpn).set(Init2rtrQpIn.OPT_PARAM_MASK, OptParam.RWE).ok();
    }

    @Test
    void shouldAttachOnlyDatagramQpsToGroups() {
        RawDriver.Request rc =
                driver.request(Opcode.ATTACH_TO_MCG, AttachToMcgIn.LAYOUT, AttachToMcgOut.LAYOUT)
                        .set(AttachToMcgIn.QPN, make(ServiceType.RC));
        refused(rc, CommandStatus.BAD_RES_STATE);
        driver.request(Opcode.ATTACH_TO_MCG, AttachToMcgIn.LAYOUT, AttachToMcgOut.LAYOUT)
                .set(AttachToMcgIn.QPN, make(ServiceType.UD))
                .ok();
    }

    private MemorySegment mad(int attribute, int modifier, int method) {
        RawDriver.Request request =
                driver.request(Opcode.MAD_IFC, MadIfcIn.LAYOUT, MadIfcOut.LAYOUT)
                        .opMod(3)
                        .set(MadIfcIn.PORT, 1);
        MemorySegment mad = request.in.asSlice(MadIfcIn.MAD.offset(), 256);
        mad.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        mad.set(ValueLayout.JAVA_BYTE, 1, (byte) Smp.CLASS_LID_ROUTED);
        mad.set(ValueLayout.JAVA_BYTE, 2, (byte) 1);
        mad.set(ValueLayout.JAVA_BYTE, 3, (byte) method);
        mad.set(BE16, 16, (short) attribute);
        mad.set(BE32, 20, modifier);
        return request.ok().out().asSlice(MadIfcOut.RESPONSE_MAD_PACKET.offset(), 256);
    }

    @Test
    void shouldAnswerMadsThatAskForThePort() {
        MemorySegment port = mad(Smp.PORT_INFO, 1, Smp.GET);
        assertThat(port.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) Smp.GET_RESPONSE);
        assertThat(port.get(BE16, 4)).as("status").isZero();
        assertThat(port.get(BE16, 64 + 16)).as("LID").isEqualTo((short) 1);
        assertThat(port.get(ValueLayout.JAVA_BYTE, 64 + 32) & 0xf).as("active").isEqualTo(4);
        assertThat(port.get(ValueLayout.JAVA_BYTE, 64 + 36) >>> 4).as("MTU 4096").isEqualTo(5);

        MemorySegment node = mad(Smp.NODE_INFO, 0, Smp.GET);
        assertThat(node.get(ValueLayout.JAVA_BYTE, 64 + 2))
                .as("a channel adapter")
                .isEqualTo((byte) 1);
        assertThat(node.get(BE32, 64 + 36)).as("port, vendor").isEqualTo(0x0100_15b3);
        assertThat(mad(Smp.PKEY_TABLE, 0, Smp.GET).get(BE16, 64)).isEqualTo((short) 0xffff);
        assertThat(mad(Smp.GUID_INFO, 0, Smp.GET).get(BE32, 64)).isNotZero();
        assertThat(mad(Smp.NODE_DESCRIPTION, 0, Smp.GET).get(BE32, 64)).isEqualTo(0x74657374);
    }

    @Test
    void shouldSayWhatItDoesNotAnswer() {
        assertThat(mad(0x20, 0, Smp.GET).get(BE16, 4)).isEqualTo((short) Smp.STATUS_BAD_ATTRIBUTE);
        assertThat(mad(Smp.PORT_INFO, 1, 2).get(BE16, 4)).isEqualTo((short) Smp.STATUS_BAD_METHOD);
    }
}
