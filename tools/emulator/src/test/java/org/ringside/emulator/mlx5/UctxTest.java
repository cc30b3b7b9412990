package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.mlx5.DeviceOptions.Profile;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.AllocUarIn;
import org.ringside.mlx5.layout.AllocUarOut;
import org.ringside.mlx5.layout.AllocXrcdIn;
import org.ringside.mlx5.layout.AllocXrcdOut;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CreateCqOut;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.CreateQpOut;
import org.ringside.mlx5.layout.CreateUctxIn;
import org.ringside.mlx5.layout.CreateUctxOut;
import org.ringside.mlx5.layout.DeallocXrcdIn;
import org.ringside.mlx5.layout.DeallocXrcdOut;
import org.ringside.mlx5.layout.DestroyUctxIn;
import org.ringside.mlx5.layout.DestroyUctxOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryIssiIn;
import org.ringside.mlx5.layout.QueryIssiOut;
import org.ringside.mlx5.layout.Uctx;

/** User contexts: who may name what. */
final class UctxTest {
    private RawDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver =
                new RawDriver(
                        RawDriver.plain()
                                .profile(Profile.IBPF)
                                .set("cap.log_max_uctx", "2")
                                .set("cap.uctx_cap", "0x5"));
        driver.start();
        driver.uar = driver.allocUar();
        driver.pd = driver.allocPd();
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private RawDriver.Request createUctx(int capabilities) {
        return driver.request(Opcode.CREATE_UCTX, CreateUctxIn.LAYOUT, CreateUctxOut.LAYOUT)
                .set(CreateUctxIn.UCTX, Uctx.CAP, capabilities);
    }

    private int uid() {
        return (int) createUctx(0).ok().get(CreateUctxOut.UID);
    }

    private RawDriver.Request destroyUctx(int uid) {
        return driver.request(Opcode.DESTROY_UCTX, DestroyUctxIn.LAYOUT, DestroyUctxOut.LAYOUT)
                .set(DestroyUctxIn.UID, uid);
    }

    private int pdOf(int uid) {
        return (int)
                driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT)
                        .set(CommandIn.UID, uid)
                        .ok()
                        .get(AllocPdOut.PD);
    }

    private void refused(RawDriver.Request request, Reason why, String text) {
        RawDriver.Answer answer = request.run();
        assertThat(answer.status()).isEqualTo(why.status());
        assertThat(driver.function.findings().list().toString()).contains(text);
    }

    @Test
    void shouldKeepObjectsToTheirContext() {
        int one = uid();
        int other = uid();
        int pd = pdOf(one);
        refused(
                driver.deallocPd(pd).set(CommandIn.UID, other),
                Reason.NOT_OWNER,
                "PD 0x%x belongs to uid 0x%x".formatted(pd, one));
        refused(
                driver.deallocPd(driver.pd).set(CommandIn.UID, one),
                Reason.NOT_OWNER,
                "PD 0x%x belongs to the driver".formatted(driver.pd));
        var _ = driver.deallocPd(pd).set(CommandIn.UID, one).ok();
    }

    @Test
    void shouldLetTheDriverNameAll() {
        int pd = pdOf(uid());
        var _ = driver.deallocPd(pd).ok();
    }

    @Test
    void shouldLetAContextNameWhatAllShare() {
        int own = (int) driver.createEq(0, 0).ok().get(CreateEqOut.EQ_NUMBER);
        int eqn =
                (int)
                        driver.createEq(0, 0)
                                .set(CommandIn.UID, Caller.SHARED)
                                .ok()
                                .get(CreateEqOut.EQ_NUMBER);
        int driverCq = (int) driver.createCq(eqn).ok().get(CreateCqOut.CQN);
        int uid = uid();
        int driverUar = driver.uar;
        refused(
                driver.createCq(eqn).set(CommandIn.UID, uid),
                Reason.NOT_OWNER,
                "UAR 0x%x belongs to the driver".formatted(driverUar));
        driver.uar = allocUar(uid);
        refused(
                driver.createCq(own).set(CommandIn.UID, uid),
                Reason.NOT_OWNER,
                "EQ 0x%x belongs to the driver".formatted(own));
        int cqn = (int) driver.createCq(eqn).set(CommandIn.UID, uid).ok().get(CreateCqOut.CQN);
        driver.pd = pdOf(uid);
        refused(
                driver.createQp(driverCq).set(CommandIn.UID, uid),
                Reason.NOT_OWNER,
                "CQ 0x%x belongs to the driver".formatted(driverCq));
        int qpn = (int) driver.createQp(cqn).set(CommandIn.UID, uid).ok().get(CreateQpOut.QPN);
        refused(
                driver.toInit(qpn).set(CommandIn.UID, uid()),
                Reason.NOT_OWNER,
                "QP 0x%x belongs to uid 0x%x".formatted(qpn, uid));
        var _ = driver.toInit(qpn).set(CommandIn.UID, uid).ok();
    }

    @Test
    void shouldLetNoContextDestroyWhatAllShare() {
        int xrcd =
                (int)
                        driver.request(Opcode.ALLOC_XRCD, AllocXrcdIn.LAYOUT, AllocXrcdOut.LAYOUT)
                                .ok()
                                .get(AllocXrcdOut.XRCD);
        refused(
                driver.simple(
                                Opcode.DEALLOC_XRCD,
                                DeallocXrcdIn.LAYOUT,
                                DeallocXrcdOut.LAYOUT,
                                DeallocXrcdIn.XRCD,
                                xrcd)
                        .set(CommandIn.UID, uid()),
                Reason.NOT_OWNER,
                "XRC domain 0x%x belongs to the driver".formatted(xrcd));
    }

    private int allocUar(int uid) {
        return (int)
                driver.request(Opcode.ALLOC_UAR, AllocUarIn.LAYOUT, AllocUarOut.LAYOUT)
                        .set(CommandIn.UID, uid)
                        .ok()
                        .get(AllocUarOut.UAR);
    }

    @Test
    void shouldTakeAUidInACommandThatHasNoFieldForIt() {
        RawDriver.Request query =
                driver.request(Opcode.QUERY_ISSI, QueryIssiIn.LAYOUT, QueryIssiOut.LAYOUT)
                        .set(CommandIn.UID, uid());
        var _ = query.ok();
        refused(
                query.set(CommandIn.UID, 0x7777),
                Reason.NO_SUCH_OBJECT,
                "there is no user context 0x7777");
    }

    @Test
    void shouldGoWhenItsObjectsHaveGone() {
        int uid = uid();
        int pd = pdOf(uid);
        refused(
                destroyUctx(uid),
                Reason.IN_USE,
                "user context 0x%x is used by 1 others".formatted(uid));
        var _ = driver.deallocPd(pd).ok();
        var _ = destroyUctx(uid).ok();
        refused(
                driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT)
                        .set(CommandIn.UID, uid),
                Reason.NO_SUCH_OBJECT,
                "there is no user context 0x%x".formatted(uid));
    }

    @Test
    void shouldGiveNoMoreThanTheFunctionHas() {
        refused(
                createUctx(2),
                Reason.UNSUPPORTED,
                "uctx.cap 0x2, of which the function's uctx_cap has 0x5");
        var _ = createUctx(5).ok();
        var _ = createUctx(4).ok();
        var _ = createUctx(0).ok();
        refused(createUctx(0), Reason.NONE_LEFT, "all 3 user contexts are in use");
    }

    @Test
    void shouldHaveNoneByDefault() throws IOException {
        driver.close();
        driver = new RawDriver(RawDriver.plain().profile(Profile.IB));
        driver.start();
        refused(createUctx(0), Reason.UNSUPPORTED, "log_max_uctx is 0");
    }
}
