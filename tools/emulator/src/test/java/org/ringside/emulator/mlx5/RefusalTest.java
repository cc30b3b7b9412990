package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringside.mlx5.layout.AccessRegisterIn;
import org.ringside.mlx5.layout.AccessRegisterOut;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.Cqc;
import org.ringside.mlx5.layout.CreateCqIn;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.CreateMkeyIn;
import org.ringside.mlx5.layout.CreateMkeyOut;
import org.ringside.mlx5.layout.CreateQpIn;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.DestroyMkeyIn;
import org.ringside.mlx5.layout.DestroyMkeyOut;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Init2rtrQpIn;
import org.ringside.mlx5.layout.MacAddressLayout;
import org.ringside.mlx5.layout.Mkc;
import org.ringside.mlx5.layout.ModifyNicVportContextIn;
import org.ringside.mlx5.layout.ModifyNicVportContextOut;
import org.ringside.mlx5.layout.ModifyNicVportFieldSelect;
import org.ringside.mlx5.layout.Mtu;
import org.ringside.mlx5.layout.NicVportContext;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.OptParam;
import org.ringside.mlx5.layout.PaosReg;
import org.ringside.mlx5.layout.QpState;
import org.ringside.mlx5.layout.Qpc;
import org.ringside.mlx5.layout.QueryCqIn;
import org.ringside.mlx5.layout.QueryCqOut;
import org.ringside.mlx5.layout.QueryMkeyIn;
import org.ringside.mlx5.layout.QueryMkeyOut;
import org.ringside.mlx5.layout.QueryNicVportContextIn;
import org.ringside.mlx5.layout.QueryNicVportContextOut;
import org.ringside.mlx5.layout.QueryQpIn;
import org.ringside.mlx5.layout.QueryQpOut;
import org.ringside.mlx5.layout.QueryRoceAddressIn;
import org.ringside.mlx5.layout.QueryRoceAddressOut;
import org.ringside.mlx5.layout.QueryVportStateIn;
import org.ringside.mlx5.layout.QueryVportStateOut;
import org.ringside.mlx5.layout.Register;
import org.ringside.mlx5.layout.RoceAddrLayout;
import org.ringside.mlx5.layout.Rst2initQpIn;
import org.ringside.mlx5.layout.ServiceType;
import org.ringside.mlx5.layout.SetRoceAddressIn;
import org.ringside.mlx5.layout.SetRoceAddressOut;

/** Each line: a command that is right but for one thing, and why it is refused. */
class RefusalTest {
    private RawDriver driver;
    private int eqn;
    private int cqn;
    private int qpn;
    private long page;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain());
        driver.start();
        driver.uar = driver.allocUar();
        driver.pd = driver.allocPd();
        eqn = (int) driver.createEq(0, 0).ok().get(CreateEqOut.EQ_NUMBER);
        cqn = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
        qpn = (int) driver.createQp(cqn).ok().get(CreateQpOut.QPN);
        page = driver.host.allocate(4096, 4096);
        driver.mkey = (int) driver.createMkey(page).ok().get(CreateMkeyOut.MKEY_INDEX);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static Arguments line(
            String what, Reason reason, Function<RefusalTest, RawDriver.Request> request) {
        return arguments(what, reason, request);
    }

    private static RawDriver.Request cq(RefusalTest t, Field field, long value) {
        return t.driver.createCq(t.eqn).set(CreateCqIn.CQ_CONTEXT, field, value);
    }

    private static RawDriver.Request mkey(RefusalTest t, Field field, long value) {
        return t.driver.createMkey(t.page).set(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY, field, value);
    }

    private static RawDriver.Request qp(RefusalTest t, Field field, long value) {
        return t.driver.createQp(t.cqn).set(CreateQpIn.QPC, field, value);
    }

    private static RawDriver.Request rtr(RefusalTest t, Field field, long value) {
        t.driver.toInit(t.qpn).ok();
        return t.driver.toRtr(t.qpn, t.qpn).set(Init2rtrQpIn.QPC, field, value);
    }

    /** To RTR over the wire, all right but for the given field. */
    private static RawDriver.Request wire(RefusalTest t, Field field, long value) {
        t.driver.toInit(t.qpn).ok();
        t.enableRoce(1).ok();
        t.setAddress(3, 2).ok();
        RawDriver.Request request = t.driver.toRtr(t.qpn, 0x77);
        RawDriver.path(request, Ads.FL, 0);
        RawDriver.path(request, Ads.SRC_ADDR_INDEX, 3);
        RawDriver.path(request, Ads.HOP_LIMIT, 64);
        RawDriver.path(request, Ads.RMAC_31_0, 0x1234);
        Ads.RGID_RIP.set(
                request.in, Init2rtrQpIn.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset(), 15, 9);
        RawDriver.path(request, field, value);
        return request;
    }

    private RawDriver.Request enableRoce(int on) {
        return driver.request(
                        Opcode.MODIFY_NIC_VPORT_CONTEXT,
                        ModifyNicVportContextIn.LAYOUT,
                        ModifyNicVportContextOut.LAYOUT)
                .set(ModifyNicVportContextIn.FIELD_SELECT, ModifyNicVportFieldSelect.ROCE_EN, 1)
                .set(ModifyNicVportContextIn.NIC_VPORT_CONTEXT, NicVportContext.ROCE_EN, on);
    }

    private RawDriver.Request setAddress(int index, int version) {
        RawDriver.Request request =
                driver.request(
                                Opcode.SET_ROCE_ADDRESS,
                                SetRoceAddressIn.LAYOUT,
                                SetRoceAddressOut.LAYOUT)
                        .set(SetRoceAddressIn.ROCE_ADDRESS_INDEX, index)
                        .set(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.ROCE_VERSION, version)
                        .set(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.ROCE_L3_TYPE, 1)
                        .set(SetRoceAddressIn.ROCE_ADDRESS, RoceAddrLayout.SOURCE_MAC_31_0, 0x5678);
        long base = SetRoceAddressIn.ROCE_ADDRESS.offset();
        RoceAddrLayout.SOURCE_L3_ADDRESS.set(request.in, base, 0, 0xfe);
        RoceAddrLayout.SOURCE_L3_ADDRESS.set(request.in, base, 15, 7);
        return request;
    }

    private RawDriver.Request register(int id, int opMod, int bytes) {
        return driver.request(
                        Opcode.ACCESS_REG, AccessRegisterIn.LAYOUT, AccessRegisterOut.LAYOUT, bytes)
                .opMod(opMod)
                .set(AccessRegisterIn.REGISTER_ID, id)
                .output(16 + bytes);
    }

    static Stream<Arguments> objects() {
        return Stream.of(
                line(
                        "PD with a reserved bit",
                        Reason.RESERVED_BIT,
                        t -> t.simplePd(r -> r.in.set(ValueLayout.JAVA_BYTE, 15, (byte) 1))),
                line("PD with op_mod", Reason.UNKNOWN_OP_MOD, t -> t.simplePd(r -> r.opMod(1))),
                line(
                        "PD of a user context that is not there",
                        Reason.NO_SUCH_OBJECT,
                        t -> t.simplePd(r -> r.set(CommandIn.UID, 5))),
                line(
                        "PD with short output",
                        Reason.OUTPUT_LENGTH,
                        t -> t.simplePd(r -> r.output(12))),
                line(
                        "PD with long output",
                        Reason.OUTPUT_LENGTH,
                        t -> t.simplePd(r -> r.output(20))),
                line("PD that is in use", Reason.IN_USE, t -> t.driver.deallocPd(t.driver.pd)),
                line("PD that is not there", Reason.NO_SUCH_OBJECT, t -> t.driver.deallocPd(77)),
                line("UAR in use", Reason.IN_USE, t -> t.driver.deallocUar(t.driver.uar)),
                line("UAR that is no UAR", Reason.NO_SUCH_OBJECT, t -> t.driver.deallocUar(1)),
                line("EQ in use", Reason.IN_USE, t -> t.driver.destroyEq(t.eqn)),
                line("CQ in use", Reason.IN_USE, t -> t.driver.destroyCq(t.cqn)),
                line("CQ not there", Reason.NO_SUCH_OBJECT, t -> t.driver.destroyCq(t.cqn + 1)),
                line("QP not there", Reason.NO_SUCH_OBJECT, t -> t.driver.destroyQp(1)),
                line(
                        "MKEY named by its key",
                        Reason.NO_SUCH_OBJECT,
                        t -> t.destroyMkey(t.driver.mkey << 8 | 0x5a)));
    }

    static Stream<Arguments> completionQueues() {
        return Stream.of(
                line("too large", Reason.OUT_OF_RANGE, t -> cq(t, Cqc.LOG_CQ_SIZE, 23)),
                line("no such EQ", Reason.NO_SUCH_OBJECT, t -> cq(t, Cqc.C_EQN_OR_APU_ELEMENT, 44)),
                line("no such UAR", Reason.NO_SUCH_OBJECT, t -> cq(t, Cqc.UAR_PAGE, 44)),
                line("CQE size 2", Reason.OUT_OF_RANGE, t -> cq(t, Cqc.CQE_SZ, 2)),
                line("compressed", Reason.UNSUPPORTED, t -> cq(t, Cqc.CQE_COMP_EN, 1)),
                line("with a state", Reason.UNSUPPORTED, t -> cq(t, Cqc.ST, 9)),
                line(
                        "128-byte CQEs in half a ring",
                        Reason.INPUT_LENGTH,
                        t -> cq(t, Cqc.LOG_CQ_SIZE, 7)),
                line("record at 0", Reason.BAD_ADDRESS, t -> cq(t, Cqc.DBR_ADDR, 0)),
                line(
                        "record off by 4",
                        Reason.BAD_ADDRESS,
                        t -> cq(t, Cqc.DBR_ADDR, TestHost.BASE + 4)),
                line(
                        "record not mapped",
                        Reason.NOT_MAPPED,
                        t -> cq(t, Cqc.DBR_ADDR, TestHost.end())),
                line("pages of 2^40 bytes", Reason.OUT_OF_RANGE, t -> cq(t, Cqc.LOG_PAGE_SIZE, 28)),
                line("ring at an odd page", Reason.BAD_ADDRESS, t -> cq(t, Cqc.LOG_PAGE_SIZE, 10)));
    }

    static Stream<Arguments> keys() {
        return Stream.of(
                line("no such PD", Reason.NO_SUCH_OBJECT, t -> mkey(t, Mkc.PD, 99)),
                line("KLM", Reason.UNSUPPORTED, t -> mkey(t, Mkc.ACCESS_MODE_1_0, 2)),
                line("free", Reason.UNSUPPORTED, t -> mkey(t, Mkc.FREE, 1)),
                line("remote write only", Reason.OUT_OF_RANGE, t -> mkey(t, Mkc.LW, 0)),
                line("pages of 2 KiB", Reason.OUT_OF_RANGE, t -> mkey(t, Mkc.LOG_PAGE_SIZE, 11)),
                line("pages too large", Reason.BAD_ADDRESS, t -> mkey(t, Mkc.LOG_PAGE_SIZE, 31)),
                line("octwords too few", Reason.OUT_OF_RANGE, t -> mkey(t, Mkc.LEN, 3 * 4096)),
                line(
                        "octword count of the list wrong",
                        Reason.OUT_OF_RANGE,
                        t ->
                                t.driver
                                        .createMkey(t.page)
                                        .set(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE, 2)),
                line("wraps around", Reason.OUT_OF_RANGE, t -> mkey(t, Mkc.START_ADDR, -4095)),
                line("endless", Reason.OUT_OF_RANGE, t -> mkey(t, Mkc.LEN, -1)),
                line("length64 with pages", Reason.UNSUPPORTED, t -> mkey(t, Mkc.LENGTH64, 1)),
                line(
                        "physical with pages",
                        Reason.UNSUPPORTED,
                        t -> mkey(t, Mkc.ACCESS_MODE_1_0, 0)));
    }

    static Stream<Arguments> queuePairs() {
        return Stream.of(
                line("UD", Reason.UNSUPPORTED, t -> qp(t, Qpc.ST, ServiceType.UD)),
                line("not in RESET", Reason.UNSUPPORTED, t -> qp(t, Qpc.STATE, QpState.RTS)),
                line("no such PD", Reason.NO_SUCH_OBJECT, t -> qp(t, Qpc.PD, 99)),
                line("no such CQ", Reason.NO_SUCH_OBJECT, t -> qp(t, Qpc.CQN_RCV, 99)),
                line("no such SRQ", Reason.NO_SUCH_OBJECT, t -> qp(t, Qpc.RQ_TYPE, 1)),
                line("real-time stamps", Reason.UNSUPPORTED, t -> qp(t, Qpc.TS_FORMAT, 2)),
                line("scatter to CQE", Reason.UNSUPPORTED, t -> qp(t, Qpc.CS_RES, 0x11)),
                line("more SQ than pages", Reason.INPUT_LENGTH, t -> qp(t, Qpc.LOG_SQ_SIZE, 9)),
                line(
                        "a wish for a number",
                        Reason.UNSUPPORTED,
                        t -> t.driver.createQp(t.cqn).set(CreateQpIn.INPUT_QPN, 5)));
    }

    static Stream<Arguments> transitions() {
        return Stream.of(
                line("RTR from RESET", Reason.QP_STATE, t -> t.driver.toRtr(t.qpn, t.qpn)),
                line("RTS from RESET", Reason.QP_STATE, t -> t.driver.toRts(t.qpn)),
                line("INIT of no QP", Reason.NO_SUCH_OBJECT, t -> t.driver.toInit(9)),
                line(
                        "INIT with a strange option",
                        Reason.OUT_OF_RANGE,
                        t ->
                                t.driver
                                        .toInit(t.qpn)
                                        .set(Rst2initQpIn.OPT_PARAM_MASK, OptParam.Q_KEY)),
                line(
                        "INIT with no such counter",
                        Reason.NO_SUCH_OBJECT,
                        t -> t.driver.toInit(t.qpn).set(Rst2initQpIn.QPC, Qpc.COUNTER_SET_ID, 5)),
                line(
                        "INIT with P_Key 1",
                        Reason.BAD_INDEX,
                        t -> {
                            RawDriver.Request request = t.driver.toInit(t.qpn);
                            RawDriver.path(request, Ads.PKEY_INDEX, 1);
                            return request;
                        }),
                line("MTU 0", Reason.OUT_OF_RANGE, t -> rtr(t, Qpc.MTU, 0)),
                line("MTU 6", Reason.OUT_OF_RANGE, t -> rtr(t, Qpc.MTU, 6)),
                line("message of 2 GiB", Reason.OUT_OF_RANGE, t -> rtr(t, Qpc.LOG_MSG_MAX, 31)),
                line("32 READs", Reason.OUT_OF_RANGE, t -> rtr(t, Qpc.LOG_RRA_MAX, 5)),
                line("no peer", Reason.OUT_OF_RANGE, t -> rtr(t, Qpc.REMOTE_QPN, 0)),
                line("empty GID row", Reason.OUT_OF_RANGE, t -> wire(t, Ads.SRC_ADDR_INDEX, 4)),
                line("no MAC", Reason.OUT_OF_RANGE, t -> wire(t, Ads.RMAC_31_0, 0)),
                line("hop limit 0", Reason.OUT_OF_RANGE, t -> wire(t, Ads.HOP_LIMIT, 0)),
                line("a port of its own", Reason.OUT_OF_RANGE, t -> wire(t, Ads.UDP_SPORT, 0xc000)),
                line(
                        "RoCE off",
                        Reason.ROCE_OFF,
                        t -> {
                            RawDriver.Request request = wire(t, Ads.STAT_RATE, 0);
                            t.enableRoce(0).ok();
                            return request;
                        }));
    }

    static Stream<Arguments> ports() {
        return Stream.of(
                line("address without RoCE", Reason.ROCE_OFF, t -> t.setAddress(0, 2)),
                line(
                        "address of RoCE v1",
                        Reason.UNSUPPORTED,
                        t -> {
                            t.enableRoce(1).ok();
                            return t.setAddress(0, 0);
                        }),
                line("row 128", Reason.BAD_INDEX, t -> t.setAddress(128, 2)),
                line(
                        "IPv6 as IPv4",
                        Reason.OUT_OF_RANGE,
                        t -> {
                            t.enableRoce(1).ok();
                            return t.setAddress(0, 2)
                                    .set(
                                            SetRoceAddressIn.ROCE_ADDRESS,
                                            RoceAddrLayout.ROCE_L3_TYPE,
                                            0);
                        }),
                line("register that is none", Reason.UNSUPPORTED, t -> t.register(0x1234, 1, 16)),
                line(
                        "VF sets PAOS",
                        Reason.NOT_FOR_THIS_FUNCTION,
                        t -> t.register(Register.PAOS, 0, 16)),
                line(
                        "VF and host endianness",
                        Reason.NOT_FOR_THIS_FUNCTION,
                        t -> t.register(Register.HOST_ENDIANNESS, 1, 16)),
                line(
                        "PAOS of 20 bytes",
                        Reason.INPUT_LENGTH,
                        t -> t.register(Register.PAOS, 1, 20)),
                line("PAOS of port 0", Reason.BAD_INDEX, t -> t.register(Register.PAOS, 1, 16)),
                line(
                        "vport of another",
                        Reason.UNSUPPORTED,
                        t -> t.enableRoce(1).set(ModifyNicVportContextIn.OTHER_VPORT, 1)),
                line(
                        "MTU 60",
                        Reason.OUT_OF_RANGE,
                        t ->
                                t.enableRoce(1)
                                        .set(
                                                ModifyNicVportContextIn.FIELD_SELECT,
                                                ModifyNicVportFieldSelect.MTU,
                                                1)
                                        .set(
                                                ModifyNicVportContextIn.NIC_VPORT_CONTEXT,
                                                NicVportContext.MTU,
                                                60)));
    }

    private RawDriver.Request simplePd(Consumer<RawDriver.Request> change) {
        RawDriver.Request request =
                driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT);
        change.accept(request);
        return request;
    }

    private RawDriver.Request destroyMkey(int index) {
        return driver.simple(
                Opcode.DESTROY_MKEY,
                DestroyMkeyIn.LAYOUT,
                DestroyMkeyOut.LAYOUT,
                DestroyMkeyIn.MKEY_INDEX,
                index);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"objects", "completionQueues", "keys", "queuePairs", "transitions", "ports"})
    void shouldRefuse(
            String what, Reason reason, Function<RefusalTest, RawDriver.Request> request) {
        RawDriver.Request bad = request.apply(this);
        int opcode = (int) CommandIn.OPCODE.get(bad.in, 0);
        RawDriver.Answer answer = bad.run();

        assertThat(CommandStatus.name(answer.status()))
                .as("%s", driver.function.findings().list())
                .isEqualTo(CommandStatus.name(reason.status()));
        assertThat(Integer.toHexString(answer.syndrome()))
                .as("%s", driver.function.findings().list())
                .isEqualTo(Integer.toHexString(reason.syndrome(opcode)));
        assertThat(driver.function.findings().list())
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .startsWith(Opcode.name(opcode))
                .contains(CommandStatus.name(reason.status()));
    }

    @Test
    void shouldTakeWireTransitionThatIsRight() {
        wire(this, Ads.STAT_RATE, 0).ok();
        driver.toRts(qpn).ok();

        RawDriver.Answer context =
                driver.simple(
                                Opcode.QUERY_QP,
                                QueryQpIn.LAYOUT,
                                QueryQpOut.LAYOUT,
                                QueryQpIn.QPN,
                                qpn)
                        .ok();
        assertThat(context.get(QueryQpOut.QPC, Qpc.STATE)).isEqualTo(QpState.RTS);
        assertThat(context.get(QueryQpOut.QPC, Qpc.MTU)).isEqualTo(Mtu.MTU_1024);
        assertThat(context.get(QueryQpOut.QPC, Qpc.REMOTE_QPN)).isEqualTo(0x77);
        assertThat(context.get(QueryQpOut.QPC, Qpc.RETRY_COUNT)).isEqualTo(7);
        assertThat(
                        Ads.HOP_LIMIT.get(
                                context.out(),
                                QueryQpOut.QPC.offset() + Qpc.PRIMARY_ADDRESS_PATH.offset()))
                .isEqualTo(64);
    }

    @Test
    void shouldDestroyAllInOrderAndThenHaveNothingLeft() {
        driver.destroyQp(qpn).ok();
        driver.destroyCq(cqn).ok();
        destroyMkey(driver.mkey).ok();
        driver.deallocPd(driver.pd).ok();
        driver.destroyEq(eqn).ok();
        driver.deallocUar(driver.uar).ok();
        driver.teardown(0).ok();
        driver.disable().ok();

        assertThat(driver.function.findings().list()).isEmpty();
    }

    @Test
    void shouldNoteWhatIsLeftAtTeardown() {
        driver.teardown(0).ok();

        assertThat(driver.function.findings().list(Finding.Kind.LEAK))
                .singleElement()
                .extracting(Finding::text)
                .isEqualTo("function stopped with 1 QP, 1 CQ, 1 MKEY, 1 PD, 1 UAR, 1 EQ");
    }

    @Test
    void shouldNotGiveANumberAgainSoon() {
        driver.destroyQp(qpn).ok();

        assertThat(driver.createQp(cqn).ok().get(CreateQpOut.QPN)).isEqualTo(qpn + 1);
    }

    @Test
    void shouldShowContextsAsTheyWereMade() {
        RawDriver.Answer key =
                driver.simple(
                                Opcode.QUERY_MKEY,
                                QueryMkeyIn.LAYOUT,
                                QueryMkeyOut.LAYOUT,
                                QueryMkeyIn.MKEY_INDEX,
                                driver.mkey)
                        .ok();
        assertThat(key.get(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY, Mkc.START_ADDR)).isEqualTo(page);
        assertThat(key.get(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY, Mkc.MKEY_7_0)).isEqualTo(0x5a);
        RawDriver.Answer cq =
                driver.simple(
                                Opcode.QUERY_CQ,
                                QueryCqIn.LAYOUT,
                                QueryCqOut.LAYOUT,
                                QueryCqIn.CQN,
                                cqn)
                        .output(QueryCqOut.PAS.byteSizeWith(1))
                        .ok();
        assertThat(cq.get(QueryCqOut.CQ_CONTEXT, Cqc.LOG_CQ_SIZE)).isEqualTo(RawDriver.LOG_CQ);
        assertThat(QueryCqOut.PAS.get(cq.out(), 0, 0)).isEqualTo(driver.cqRing);
    }

    @Test
    void shouldShowItsPort() {
        RawDriver.Request paos = register(Register.PAOS, 1, 16);
        PaosReg.LOCAL_PORT.set(paos.in, 16, 1);
        RawDriver.Answer answer = paos.ok();
        assertThat(PaosReg.OPER_STATUS.get(answer.out(), 16)).isEqualTo(1);
        RawDriver.Answer state =
                driver.request(
                                Opcode.QUERY_VPORT_STATE,
                                QueryVportStateIn.LAYOUT,
                                QueryVportStateOut.LAYOUT)
                        .ok();
        assertThat(state.get(QueryVportStateOut.STATE)).isEqualTo(1);
        RawDriver.Answer vport =
                driver.request(
                                Opcode.QUERY_NIC_VPORT_CONTEXT,
                                QueryNicVportContextIn.LAYOUT,
                                QueryNicVportContextOut.LAYOUT)
                        .ok();
        assertThat(vport.get(QueryNicVportContextOut.NIC_VPORT_CONTEXT, NicVportContext.MTU))
                .isEqualTo(1500);
        int mac =
                QueryNicVportContextOut.NIC_VPORT_CONTEXT.offset()
                        + NicVportContext.PERMANENT_ADDRESS.offset();
        assertThat(MacAddressLayout.MAC_ADDR_47_32.get(vport.out(), mac) >>> 8).isEqualTo(2);
    }

    @Test
    void shouldKeepRoceAddresses() {
        enableRoce(1).ok();
        setAddress(5, 2).ok();
        RawDriver.Request query =
                driver.request(
                                Opcode.QUERY_ROCE_ADDRESS,
                                QueryRoceAddressIn.LAYOUT,
                                QueryRoceAddressOut.LAYOUT)
                        .set(QueryRoceAddressIn.ROCE_ADDRESS_INDEX, 5);
        RawDriver.Answer row = query.ok();

        assertThat(row.get(QueryRoceAddressOut.ROCE_ADDRESS, RoceAddrLayout.ROCE_VERSION))
                .isEqualTo(2);
        assertThat(
                        RoceAddrLayout.SOURCE_L3_ADDRESS.get(
                                row.out(), QueryRoceAddressOut.ROCE_ADDRESS.offset(), 15))
                .isEqualTo(7);
        assertThat(
                        query.set(QueryRoceAddressIn.ROCE_ADDRESS_INDEX, 6)
                                .ok()
                                .get(QueryRoceAddressOut.ROCE_ADDRESS, RoceAddrLayout.ROCE_VERSION))
                .isZero();
    }
}
