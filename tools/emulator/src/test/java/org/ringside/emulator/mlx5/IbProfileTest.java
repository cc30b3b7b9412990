package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.mlx5.DeviceOptions.Profile;
import org.ringside.emulator.transport.Wire;
import org.ringside.mlx5.layout.AccessRegisterIn;
import org.ringside.mlx5.layout.AccessRegisterOut;
import org.ringside.mlx5.layout.AllocXrcdIn;
import org.ringside.mlx5.layout.AllocXrcdOut;
import org.ringside.mlx5.layout.AtomicCaps;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CmdHcaCap2;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.DeallocXrcdIn;
import org.ringside.mlx5.layout.DeallocXrcdOut;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.HcaVportContext;
import org.ringside.mlx5.layout.ModifyHcaVportContextIn;
import org.ringside.mlx5.layout.ModifyHcaVportContextOut;
import org.ringside.mlx5.layout.NodeDescReg;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.Pkey;
import org.ringside.mlx5.layout.PmtuReg;
import org.ringside.mlx5.layout.PtysReg;
import org.ringside.mlx5.layout.PvlcReg;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.QueryHcaVportContextIn;
import org.ringside.mlx5.layout.QueryHcaVportContextOut;
import org.ringside.mlx5.layout.QueryHcaVportGidIn;
import org.ringside.mlx5.layout.QueryHcaVportGidOut;
import org.ringside.mlx5.layout.QueryHcaVportPkeyIn;
import org.ringside.mlx5.layout.QueryHcaVportPkeyOut;
import org.ringside.mlx5.layout.QueryIssiIn;
import org.ringside.mlx5.layout.QueryIssiOut;
import org.ringside.mlx5.layout.QueryVportCounterIn;
import org.ringside.mlx5.layout.QueryVportCounterOut;
import org.ringside.mlx5.layout.Register;
import org.ringside.mlx5.layout.SetDriverVersionIn;
import org.ringside.mlx5.layout.SetDriverVersionOut;
import org.ringside.mlx5.layout.SetHcaCapIn;
import org.ringside.mlx5.layout.SetHcaCapOut;
import org.ringside.mlx5.layout.SetIssiIn;
import org.ringside.mlx5.layout.SetIssiOut;
import org.ringside.mlx5.layout.TrafficCounter;

/** A function on an InfiniBand port, as Linux's mlx5_core and mlx5_ib meet it. */
class IbProfileTest {
    private static final int DATA = AccessRegisterIn.LAYOUT.byteSize();
    private static final int CM_SUPPORTED = 1 << 16;

    private RawDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(infiniBand());
        driver.start();
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static DeviceOptions.Builder infiniBand() {
        return RawDriver.plain().profile(Profile.IB);
    }

    private void reopen(DeviceOptions.Builder options) throws IOException {
        driver.close();
        driver = new RawDriver(options);
    }

    private RawDriver.Request queryCap(int group) {
        return driver.request(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT)
                .opMod(CapabilityGroup.queryCurrent(group));
    }

    private long capability(Field field) {
        RawDriver.Answer answer = queryCap(CapabilityGroup.GENERAL).ok();
        return field.get(answer.out(), QueryHcaCapOut.CAPABILITY.offset());
    }

    private RawDriver.Request context() {
        return driver.request(
                Opcode.QUERY_HCA_VPORT_CONTEXT,
                QueryHcaVportContextIn.LAYOUT,
                QueryHcaVportContextOut.LAYOUT);
    }

    private long contextField(Field field) {
        return context().ok().get(QueryHcaVportContextOut.HCA_VPORT_CONTEXT, field);
    }

    private RawDriver.Request modify(long value, long which) {
        return driver.request(
                        Opcode.MODIFY_HCA_VPORT_CONTEXT,
                        ModifyHcaVportContextIn.LAYOUT,
                        ModifyHcaVportContextOut.LAYOUT)
                .set(
                        ModifyHcaVportContextIn.HCA_VPORT_CONTEXT,
                        HcaVportContext.CAP_MASK1,
                        value & 0xffff_ffffL)
                .set(
                        ModifyHcaVportContextIn.HCA_VPORT_CONTEXT,
                        HcaVportContext.CAP_MASK1_FIELD_SELECT,
                        which);
    }

    private RawDriver.Request gid(int index, int rows) {
        return driver.request(
                        Opcode.QUERY_HCA_VPORT_GID,
                        QueryHcaVportGidIn.LAYOUT,
                        QueryHcaVportGidOut.LAYOUT)
                .set(QueryHcaVportGidIn.GID_INDEX, index)
                .output(QueryHcaVportGidOut.LAYOUT.byteSize() + 16 * rows);
    }

    private RawDriver.Request pkey(int index, int rows) {
        return driver.request(
                        Opcode.QUERY_HCA_VPORT_PKEY,
                        QueryHcaVportPkeyIn.LAYOUT,
                        QueryHcaVportPkeyOut.LAYOUT)
                .set(QueryHcaVportPkeyIn.PKEY_INDEX, index)
                .output(QueryHcaVportPkeyOut.LAYOUT.byteSize() + 4 * rows);
    }

    private RawDriver.Request read(int register, int bytes) {
        return driver.request(
                        Opcode.ACCESS_REG, AccessRegisterIn.LAYOUT, AccessRegisterOut.LAYOUT, bytes)
                .opMod(1)
                .set(AccessRegisterIn.REGISTER_ID, register)
                .output(DATA + bytes);
    }

    private RawDriver.Request readPort(int register, int bytes) {
        RawDriver.Request request = read(register, bytes);
        PtysReg.LOCAL_PORT.set(request.in, DATA, 1);
        return request;
    }

    private void assertRefused(RawDriver.Request request, int opcode, Reason reason) {
        RawDriver.Answer answer = request.run();
        assertThat(CommandStatus.name(answer.status()))
                .isEqualTo(CommandStatus.name(reason.status()));
        assertThat(answer.syndrome()).isEqualTo(reason.syndrome(opcode));
    }

    @Test
    void shouldBeAnInfiniBandControllerOnTheBus() {
        assertThat(driver.function.identity().device()).isEqualTo(0x1018);
        assertThat(driver.function.identity().classCode()).isEqualTo(0x020700);
    }

    @Test
    void shouldHaveWhatLinuxAsksOfAnInfiniBandPort() {
        assertThat(capability(CmdHcaCap.PORT_TYPE)).isZero();
        assertThat(capability(CmdHcaCap.IB_VIRT)).isOne();
        assertThat(capability(CmdHcaCap.ETH_VIRT)).isZero();
        assertThat(capability(CmdHcaCap.XRC)).isOne();
        assertThat(capability(CmdHcaCap.UD)).isOne();
        assertThat(capability(CmdHcaCap.UC)).isOne();
        assertThat(capability(CmdHcaCap.ROCE)).isZero();
        assertThat(capability(CmdHcaCap.NIC_FLOW_TABLE)).isZero();
        assertThat(capability(CmdHcaCap.UMR_MODIFY_ENTITY_SIZE_DISABLED)).isOne();
        assertRefused(queryCap(CapabilityGroup.ROCE), Opcode.QUERY_HCA_CAP, Reason.UNSUPPORTED);
    }

    @Test
    void shouldShowAnActivePortWithALid() {
        long guid = contextField(HcaVportContext.PORT_GUID);

        assertThat(contextField(HcaVportContext.VPORT_STATE)).isEqualTo(4);
        assertThat(contextField(HcaVportContext.PORT_STATE)).isEqualTo(4);
        assertThat(contextField(HcaVportContext.PORT_PHYSICAL_STATE)).isEqualTo(5);
        assertThat(contextField(HcaVportContext.LID)).isOne();
        assertThat(guid & 0xff_ffff_0000_00L << 16).isNotZero();
        assertThat(contextField(HcaVportContext.NODE_GUID)).isEqualTo(guid);
        assertThat(contextField(HcaVportContext.SYSTEM_IMAGE_GUID)).isEqualTo(guid);
    }

    @Test
    void shouldGiveEachFunctionOnTheWireALidOfItsOwn() throws IOException {
        Wire wire = new Wire();
        RawDriver first = new RawDriver(infiniBand(), wire);
        try (RawDriver second = new RawDriver(infiniBand(), wire)) {
            second.start();
            driver.close();
            driver = second;
            assertThat(contextField(HcaVportContext.LID)).isEqualTo(2);
            second.reset();
            second.start();
            assertThat(contextField(HcaVportContext.LID)).isEqualTo(2);
        } finally {
            first.close();
        }
        driver = new RawDriver(infiniBand(), wire);
        driver.start();
        assertThat(contextField(HcaVportContext.LID)).isOne();
    }

    @Test
    void shouldFormItsFirstGidFromTheSubnetPrefixAndItsGuid() {
        long guid = contextField(HcaVportContext.PORT_GUID);

        RawDriver.Answer one = gid(0, 1).ok();
        assertThat(one.get(QueryHcaVportGidOut.GIDS_NUM)).isEqualTo(8);
        assertThat(Bits.big64(one.out(), 16)).isEqualTo(0xfe80_0000_0000_0000L);
        assertThat(Bits.big64(one.out(), 24)).isEqualTo(guid);
        RawDriver.Answer all = gid(0xffff, 8).ok();
        assertThat(Bits.big64(all.out(), 24)).isEqualTo(guid);
        for (int at = 32; at < 16 + 8 * 16; at += 8) {
            assertThat(Bits.big64(all.out(), at)).isZero();
        }
        assertThat(Bits.big64(gid(7, 1).ok().out(), 16)).isZero();
    }

    @Test
    void shouldRefuseRowsThatGidTableDoesNotHave() {
        assertRefused(gid(8, 1), Opcode.QUERY_HCA_VPORT_GID, Reason.BAD_INDEX);
        assertRefused(gid(0, 2), Opcode.QUERY_HCA_VPORT_GID, Reason.OUTPUT_LENGTH);
        assertRefused(gid(0xffff, 7), Opcode.QUERY_HCA_VPORT_GID, Reason.OUTPUT_LENGTH);
        assertRefused(
                gid(0, 1).set(QueryHcaVportGidIn.OTHER_VPORT, 1),
                Opcode.QUERY_HCA_VPORT_GID,
                Reason.UNSUPPORTED);
        assertRefused(
                gid(0, 1).set(QueryHcaVportGidIn.PORT_NUM, 2),
                Opcode.QUERY_HCA_VPORT_GID,
                Reason.BAD_INDEX);
    }

    @Test
    void shouldHaveTheDefaultPkeyInItsFirstRow() {
        RawDriver.Answer all = pkey(0xffff, 128).ok();

        assertThat(Pkey.PKEY.get(all.out(), QueryHcaVportPkeyOut.PKEY.offset(0))).isEqualTo(0xffff);
        assertThat(Pkey.PKEY.get(all.out(), QueryHcaVportPkeyOut.PKEY.offset(127))).isZero();
        assertThat(Pkey.PKEY.get(pkey(0, 1).ok().out(), 16)).isEqualTo(0xffff);
        assertRefused(pkey(128, 1), Opcode.QUERY_HCA_VPORT_PKEY, Reason.BAD_INDEX);
        assertRefused(pkey(0xffff, 1), Opcode.QUERY_HCA_VPORT_PKEY, Reason.OUTPUT_LENGTH);
    }

    @Test
    void shouldLetTheHostSayWhatRunsOnIt() {
        long before = contextField(HcaVportContext.CAP_MASK1);
        modify(-1, CM_SUPPORTED).ok();

        assertThat(contextField(HcaVportContext.CAP_MASK1)).isEqualTo(before | CM_SUPPORTED);
        modify(~CM_SUPPORTED, CM_SUPPORTED).ok();
        assertThat(contextField(HcaVportContext.CAP_MASK1)).isEqualTo(before);
    }

    @Test
    void shouldRefuseToChangeWhatIsNotTheHosts() {
        int opcode = Opcode.MODIFY_HCA_VPORT_CONTEXT;
        assertRefused(modify(-1, 1 << 11), opcode, Reason.OUT_OF_RANGE);
        assertRefused(
                modify(0, 0)
                        .set(
                                ModifyHcaVportContextIn.HCA_VPORT_CONTEXT,
                                HcaVportContext.FIELD_SELECT,
                                1),
                opcode,
                Reason.NOT_FOR_THIS_FUNCTION);
        assertRefused(
                modify(0, 0).set(ModifyHcaVportContextIn.OTHER_VPORT, 1),
                opcode,
                Reason.UNSUPPORTED);
    }

    @Test
    void shouldNotHaveAnInfiniBandVportOnEthernet() throws IOException {
        reopen(RawDriver.plain());
        driver.start();

        assertRefused(context(), Opcode.QUERY_HCA_VPORT_CONTEXT, Reason.NOT_FOR_THIS_FUNCTION);
        assertRefused(gid(0, 1), Opcode.QUERY_HCA_VPORT_GID, Reason.NOT_FOR_THIS_FUNCTION);
        assertRefused(readPort(Register.PVLC, 16), Opcode.ACCESS_REG, Reason.UNSUPPORTED);
    }

    @Test
    void shouldRunFourLanesOfEdr() {
        RawDriver.Answer ptys = readPort(Register.PTYS, 64).ok();

        assertThat(PtysReg.PROTO_MASK.get(ptys.out(), DATA)).isOne();
        assertThat(PtysReg.IB_LINK_WIDTH_OPER.get(ptys.out(), DATA)).isEqualTo(1 << 2);
        assertThat(PtysReg.IB_PROTO_OPER.get(ptys.out(), DATA)).isEqualTo(1 << 5);
        assertThat(PtysReg.ETH_PROTO_OPER.get(ptys.out(), DATA)).isZero();
        RawDriver.Answer pmtu = readPort(Register.PMTU, 16).ok();
        assertThat(PmtuReg.MAX_MTU.get(pmtu.out(), DATA)).isEqualTo(4096);
        assertThat(PmtuReg.OPER_MTU.get(pmtu.out(), DATA)).isEqualTo(4096);
        RawDriver.Answer pvlc = readPort(Register.PVLC, 16).ok();
        assertThat(PvlcReg.VL_HW_CAP.get(pvlc.out(), DATA)).isEqualTo(8);
        assertThat(PvlcReg.VL_OPERATIONAL.get(pvlc.out(), DATA)).isEqualTo(8);
        assertRefused(read(Register.PVLC, 16), Opcode.ACCESS_REG, Reason.BAD_INDEX);
    }

    @Test
    void shouldDescribeItsNode() {
        RawDriver.Answer answer = read(Register.NODE_DESC, 64).ok();

        byte[] text = NodeDescReg.DESC.getBytes(answer.out(), DATA);
        assertThat(new String(text, StandardCharsets.UTF_8).replace("\0", ""))
                .isEqualTo("emulated ConnectX-5 test");
        assertRefused(
                read(Register.NODE_DESC, 64).opMod(0),
                Opcode.ACCESS_REG,
                Reason.NOT_FOR_THIS_FUNCTION);
    }

    @Test
    void shouldSpeakNoHigherInterfaceStepThanItIsTold() throws IOException {
        reopen(infiniBand().issi(0));
        driver.enable();

        RawDriver.Answer answer =
                driver.request(Opcode.QUERY_ISSI, QueryIssiIn.LAYOUT, QueryIssiOut.LAYOUT).ok();
        assertThat(answer.get(QueryIssiOut.SUPPORTED_ISSI_DW0)).isOne();
        assertRefused(
                driver.request(Opcode.SET_ISSI, SetIssiIn.LAYOUT, SetIssiOut.LAYOUT)
                        .set(SetIssiIn.CURRENT_ISSI, 1),
                Opcode.SET_ISSI,
                Reason.OUT_OF_RANGE);
    }

    private RawDriver.Request driverVersion(String text) {
        RawDriver.Request request =
                driver.request(
                        Opcode.SET_DRIVER_VERSION,
                        SetDriverVersionIn.LAYOUT,
                        SetDriverVersionOut.LAYOUT);
        byte[] bytes = new byte[64];
        System.arraycopy(text.getBytes(StandardCharsets.UTF_8), 0, bytes, 0, text.length());
        SetDriverVersionIn.DRIVER_VERSION.setBytes(request.in, 0, bytes);
        return request;
    }

    @Test
    void shouldRememberWhoDrivesIt() throws IOException {
        driverVersion("Linux,mlx5_core,6.12").ok();
        assertThat(driver.function.driverVersion()).isEqualTo("Linux,mlx5_core,6.12");

        driver.reset();
        assertThat(driver.function.driverVersion()).isEmpty();
        reopen(infiniBand().set("cap.driver_version", "0"));
        driver.start();
        assertRefused(driverVersion("x"), Opcode.SET_DRIVER_VERSION, Reason.UNKNOWN_OPCODE);
    }

    @Test
    void shouldShowCapabilitiesAsTheyWereOverridden() throws IOException {
        reopen(
                infiniBand()
                        .set("cap.log_max_qp", "10")
                        .set("cap.bf", "0")
                        .set("cap.num_ports", "2")
                        .set("cap.general_2.sw_vhca_id", "7"));
        driver.start();

        assertThat(capability(CmdHcaCap.LOG_MAX_QP)).isEqualTo(10);
        assertThat(capability(CmdHcaCap.BF)).isZero();
        assertThat(capability(CmdHcaCap.NUM_PORTS)).isEqualTo(2);
        assertThat(capability(CmdHcaCap.LOG_MAX_CQ)).isEqualTo(14);
        assertThat(
                        CmdHcaCap2.SW_VHCA_ID.get(
                                queryCap(CapabilityGroup.GENERAL_2).ok().out(),
                                QueryHcaCapOut.CAPABILITY.offset()))
                .isEqualTo(7);
    }

    /** Linux sets one atomic capability and leaves the rest of the group zero. */
    @Test
    void shouldTakeAGroupWithoutWhatCannotBeSet() throws IOException {
        reopen(infiniBand());
        driver.enable();
        RawDriver.Request set =
                driver.request(Opcode.SET_HCA_CAP, SetHcaCapIn.LAYOUT, SetHcaCapOut.LAYOUT)
                        .opMod(CapabilityGroup.set(CapabilityGroup.ATOMIC));
        long at = SetHcaCapIn.CAPABILITY.offset();
        AtomicCaps.ATOMIC_REQ_8B_ENDIANNESS_MODE.set(set.in, at, 1);
        set.ok();

        RawDriver.Answer now = queryCap(CapabilityGroup.ATOMIC).ok();
        long base = QueryHcaCapOut.CAPABILITY.offset();
        assertThat(AtomicCaps.ATOMIC_REQ_8B_ENDIANNESS_MODE.get(now.out(), base)).isOne();
        assertThat(AtomicCaps.ATOMIC_SIZE_QP.get(now.out(), base)).isEqualTo(8);
        AtomicCaps.ATOMIC_SIZE_QP.set(set.in, at, 16);
        assertRefused(set, Opcode.SET_HCA_CAP, Reason.OUT_OF_RANGE);
    }

    @Test
    void shouldNumberXrcDomains() {
        RawDriver.Request alloc =
                driver.request(Opcode.ALLOC_XRCD, AllocXrcdIn.LAYOUT, AllocXrcdOut.LAYOUT);
        long first = alloc.ok().get(AllocXrcdOut.XRCD);
        assertThat(alloc.ok().get(AllocXrcdOut.XRCD)).isEqualTo(first + 1);
        RawDriver.Request dealloc =
                driver.simple(
                        Opcode.DEALLOC_XRCD,
                        DeallocXrcdIn.LAYOUT,
                        DeallocXrcdOut.LAYOUT,
                        DeallocXrcdIn.XRCD,
                        first);
        dealloc.ok();
        assertRefused(dealloc, Opcode.DEALLOC_XRCD, Reason.NO_SUCH_OBJECT);
    }

    @Test
    void shouldTellTheTrafficOfItsPortOnly() {
        RawDriver.Answer none = counters().ok();
        assertThat(none.get(QueryVportCounterOut.TRANSMITTED_IB_UNICAST, TrafficCounter.OCTETS))
                .isZero();
        assertThat(counters().set(QueryVportCounterIn.PORT_NUM, 1).ok().status()).isZero();
        assertThat(counters().set(QueryVportCounterIn.PORT_NUM, 2).run().status())
                .isEqualTo(Reason.BAD_INDEX.status());
        assertThat(counters().set(QueryVportCounterIn.OTHER_VPORT, 1).run().status())
                .isNotEqualTo(CommandStatus.OK);
    }

    private RawDriver.Request counters() {
        return driver.request(
                Opcode.QUERY_VPORT_COUNTER,
                QueryVportCounterIn.LAYOUT,
                QueryVportCounterOut.LAYOUT);
    }
}
