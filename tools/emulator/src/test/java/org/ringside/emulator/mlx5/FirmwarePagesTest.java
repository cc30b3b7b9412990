package org.ringside.emulator.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.CreateEqOut;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.ManagePagesIn;
import org.ringside.mlx5.layout.ManagePagesOp;
import org.ringside.mlx5.layout.ManagePagesOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.PagesReqEvent;
import org.ringside.mlx5.layout.QueryHcaCapIn;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.QueryPagesStage;

class FirmwarePagesTest {
    private RawDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new RawDriver(RawDriver.plain().bootPages(4).initPages(6).pageRequestEvery(1));
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void shouldWorkOnlyWithItsPages() {
        driver.enable();
        RawDriver.Request query =
                driver.request(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT)
                        .opMod(1);
        assertThat(driver.queryPages(QueryPagesStage.BOOT)).isEqualTo(4);
        assertThat(query.run().syndrome())
                .isEqualTo(Reason.PAGES_MISSING.syndrome(Opcode.QUERY_HCA_CAP));

        driver.give(driver.newPages(3)).ok();
        assertThat(driver.queryPages(QueryPagesStage.BOOT)).isEqualTo(1);
        driver.give(driver.newPages(1)).ok();
        query.ok();
        assertThat(driver.initHca().run().status()).isEqualTo(CommandStatus.BAD_SYS_STATE);

        assertThat(driver.queryPages(QueryPagesStage.INIT)).isEqualTo(6);
        driver.give(driver.newPages(6)).ok();
        driver.initHca().ok();
        assertThat(driver.queryPages(QueryPagesStage.REGULAR)).isZero();
    }

    @Test
    void shouldRefuseBadPagesAndTakeNoneOfThem() {
        driver.enable();
        long[] good = driver.newPages(2);

        assertThat(driver.give(good[0], 0).run().syndrome())
                .isEqualTo(Reason.BAD_ADDRESS.syndrome(Opcode.MANAGE_PAGES));
        assertThat(driver.give(good[0], good[1] + 512).run().status())
                .isEqualTo(CommandStatus.BAD_PARAM);
        assertThat(driver.give(good[0], good[0]).run().status()).isEqualTo(CommandStatus.BAD_PARAM);
        assertThat(driver.give(TestHost.end()).run().syndrome())
                .isEqualTo(Reason.NOT_MAPPED.syndrome(Opcode.MANAGE_PAGES));
        assertThat(driver.queryPages(QueryPagesStage.BOOT)).isEqualTo(4);

        driver.give(good).ok();
        assertThat(driver.give(good[1]).run().status()).isEqualTo(CommandStatus.BAD_PARAM);
        assertThat(driver.function.findings().list().getLast().text())
                .contains("was given twice", "manage_pages_in");
    }

    @Test
    void shouldRefuseListsOfAnotherLength() {
        driver.enable();

        assertThat(
                        driver.give(driver.newPages(2))
                                .set(ManagePagesIn.INPUT_NUM_ENTRIES, 3)
                                .run()
                                .status())
                .isEqualTo(CommandStatus.BAD_INP_LEN);
        assertThat(driver.take(3).output(ManagePagesOut.PAS.byteSizeWith(2)).run().status())
                .isEqualTo(CommandStatus.BAD_OUTP_LEN);
        assertThat(driver.give(driver.newPages(1)).opMod(3).run().status())
                .isEqualTo(CommandStatus.BAD_OP);
        assertThat(driver.take(1).set(ManagePagesIn.FUNCTION_ID, 2).run().status())
                .isEqualTo(CommandStatus.BAD_PARAM);
    }

    @Test
    void shouldGiveBackTheVeryPagesItWasGiven() {
        driver.enable();
        long[] pages = driver.newPages(10);
        driver.give(pages).ok();
        driver.initHca().ok();
        assertThat(driver.take(5).ok().get(ManagePagesOut.OUTPUT_NUM_ENTRIES))
                .as("while they are in use")
                .isZero();
        driver.teardown(0).ok();

        Set<Long> back = new HashSet<>();
        for (int count = 6; count > 0; ) {
            RawDriver.Answer answer = driver.take(6).ok();
            count = (int) answer.get(ManagePagesOut.OUTPUT_NUM_ENTRIES);
            for (int i = 0; i < count; i++) {
                back.add(ManagePagesOut.PAS.get(answer.out(), 0, i));
            }
        }
        driver.disable().ok();

        Set<Long> given = new HashSet<>();
        for (long page : pages) {
            given.add(page);
        }
        assertThat(back).isEqualTo(given);
        assertThat(driver.function.findings().list()).isEmpty();
    }

    @Test
    void shouldFindOutWhoWritesToItsPages() {
        driver.enable();
        long[] pages = driver.newPages(2);
        driver.give(pages).ok();
        driver.host.at(pages[1], 4096).fill((byte) 0);
        driver.take(2).ok();

        assertThat(driver.function.findings().list(Finding.Kind.PAGES))
                .extracting(Finding::text)
                .hasSize(2)
                .allMatch(text -> text.contains("0x%x was overwritten".formatted(pages[1])));
    }

    @Test
    void shouldNoteADisableWithPagesOut() {
        driver.enable();
        driver.give(driver.newPages(3)).ok();
        driver.disable().ok();

        assertThat(driver.function.findings().list(Finding.Kind.PAGES))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .contains("still holds 3 pages");
    }

    private int startWithPageEvents() {
        driver.start();
        driver.uar = driver.allocUar();
        int eqn =
                (int)
                        driver.createEq(0, 1L << EventType.PAGE_REQUEST)
                                .ok()
                                .get(CreateEqOut.EQ_NUMBER);
        driver.eqDoorbell(driver.uar, eqn, 0, true);
        return eqn;
    }

    private RawDriver.Request allocPd() {
        return driver.request(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT);
    }

    @Test
    void shouldAskForPagesInTheMiddleOfACommand() {
        startWithPageEvents();
        RawDriver.Pending pending = allocPd().start();
        driver.settle();

        assertThat(pending.isAnswered()).isFalse();
        assertThat(Eqe.EVENT_TYPE.get(driver.eqe(0), 0)).isEqualTo(EventType.PAGE_REQUEST);
        assertThat(Eqe.OWNER.get(driver.eqe(0), 0)).isZero();
        assertThat(PagesReqEvent.NUM_PAGES.get(driver.eqe(0), Eqe.EVENT_DATA.offset()))
                .isEqualTo(FirmwarePages.REQUEST);
        assertThat(driver.host.interrupts()).containsExactly(0);
        assertThat(driver.queryPagesOn(31)).isEqualTo(FirmwarePages.REQUEST);

        driver.give(driver.newPages(3)).slot(31).ok();
        assertThat(pending.isAnswered()).isFalse();
        driver.give(driver.newPages(1)).slot(31).ok();
        assertThat(pending.answer().status()).isZero();
    }

    @Test
    void shouldFailTheCommandWhenTheDriverHasNoPages() {
        startWithPageEvents();
        RawDriver.Pending pending = allocPd().start();
        driver.settle();
        driver.request(Opcode.MANAGE_PAGES, ManagePagesIn.LAYOUT, ManagePagesOut.LAYOUT)
                .opMod(ManagePagesOp.CANNOT_GIVE)
                .slot(31)
                .ok();

        assertThat(pending.answer().status()).isEqualTo(CommandStatus.LIM_ERR);
        assertThat(pending.answer().syndrome())
                .isEqualTo(Reason.NO_PAGES.syndrome(Opcode.ALLOC_PD));
    }

    @Test
    void shouldForgetACommandThatWaitsForPagesWhenItIsReset() {
        startWithPageEvents();
        RawDriver.Pending pending = allocPd().start();
        driver.settle();
        long dma = driver.host.dmaCount();
        driver.reset();
        driver.settle();

        assertThat(pending.isAnswered()).isFalse();
        assertThat(driver.host.dmaCount()).isEqualTo(dma);
        driver.start();
    }
}
