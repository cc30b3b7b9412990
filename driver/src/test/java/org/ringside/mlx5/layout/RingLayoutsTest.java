package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** CQEs, EQEs, doorbell records and UAR pages: offsets against fields, and what the log shows. */
final class RingLayoutsTest {
    private static MemorySegment entry() {
        return MemorySegment.ofArray(new byte[64]);
    }

    private static long bit(int byteOffset) {
        return byteOffset * 8L;
    }

    @Test
    void shouldHaveOffsetsOfCqeWhereItsFieldsAre() {
        assertThat(bit(Cqe64.SRQN_UIDX_OFFSET) + 8).isEqualTo(Cqe64.SRQN_UIDX.bitOffset());
        assertThat(bit(Cqe64.IMM_INVAL_PKEY_OFFSET)).isEqualTo(Cqe64.IMM_INVAL_PKEY.bitOffset());
        assertThat(bit(Cqe64.BYTE_CNT_OFFSET)).isEqualTo(Cqe64.BYTE_CNT.bitOffset());
        assertThat(bit(Cqe64.TIMESTAMP_OFFSET)).isEqualTo(Cqe64.TIMESTAMP.bitOffset());
        assertThat(bit(Cqe64.SOP_DROP_QPN_OFFSET)).isEqualTo(Cqe64.SEND_WQE_OPCODE.bitOffset());
        assertThat(bit(Cqe64.WQE_COUNTER_OFFSET)).isEqualTo(Cqe64.WQE_COUNTER.bitOffset());
        assertThat(bit(Cqe64.SIGNATURE_OFFSET)).isEqualTo(Cqe64.SIGNATURE.bitOffset());
        assertThat(bit(Cqe64.OP_OWN_OFFSET)).isEqualTo(Cqe64.OPCODE.bitOffset());
        long syndrome = ErrCqe.ERROR_SYNDROME.bitOffset();
        assertThat(bit(Cqe64.VENDOR_SYNDROME_OFFSET))
                .isEqualTo(syndrome + CqeErrorSyndrome.VENDOR_ERROR_SYNDROME.bitOffset());
        assertThat(bit(Cqe64.SYNDROME_OFFSET))
                .isEqualTo(syndrome + CqeErrorSyndrome.SYNDROME.bitOffset());
        assertThat(Cqe64.INITIAL_OP_OWN).isEqualTo(0xf1);
    }

    @Test
    void shouldHaveOffsetsOfEqeWhereItsFieldsAre() {
        assertThat(bit(Eqe.TYPE_OFFSET)).isEqualTo(Eqe.EVENT_TYPE.bitOffset());
        assertThat(bit(Eqe.SUB_TYPE_OFFSET)).isEqualTo(Eqe.EVENT_SUB_TYPE.bitOffset());
        assertThat(Eqe.DATA_OFFSET).isEqualTo(Eqe.EVENT_DATA.offset()).isEqualTo(32);
        assertThat(bit(Eqe.SIGNATURE_OFFSET)).isEqualTo(Eqe.SIGNATURE.bitOffset());
        assertThat(bit(Eqe.OWNER_OFFSET) + 7).isEqualTo(Eqe.OWNER.bitOffset());
        long data = bit(Eqe.DATA_OFFSET);
        assertThat(bit(Eqe.COMP_CQN_OFFSET) + 8).isEqualTo(data + CompEvent.CQ_NUMBER.bitOffset());
        assertThat(bit(Eqe.CMD_VECTOR_OFFSET))
                .isEqualTo(data + CmdInterCompEvent.COMMAND_COMPLETION_VECTOR.bitOffset());
        assertThat(bit(Eqe.PAGE_FUNCTION_OFFSET))
                .isEqualTo(data + PagesReqEvent.FUNCTION_ID.bitOffset());
        assertThat(bit(Eqe.PAGE_COUNT_OFFSET))
                .isEqualTo(data + PagesReqEvent.NUM_PAGES.bitOffset());
        assertThat(bit(Eqe.CQ_ERROR_CQN_OFFSET) + 8).isEqualTo(data + CqError.CQN.bitOffset());
        assertThat(bit(Eqe.QP_NUMBER_OFFSET) + 8)
                .isEqualTo(data + QpEvents.QPN_RQN_SQN.bitOffset());
    }

    @Test
    void shouldDescribeGoodCqe() {
        MemorySegment cqe = entry();
        Cqe64.BYTE_CNT.set(cqe, 0, 64);
        Cqe64.QPN.set(cqe, 0, 0x15);
        Cqe64.SEND_WQE_OPCODE.set(cqe, 0, WqeOpcode.RDMA_READ);
        Cqe64.WQE_COUNTER.set(cqe, 0, 7);
        cqe.set(JAVA_BYTE, Cqe64.OP_OWN_OFFSET, (byte) 0x01);

        assertThat(Cqe64.describe(cqe, 0))
                .isEqualTo(
                        "CQE REQ cqe64{byte_cnt=0x40 send_wqe_opcode=RDMA_READ(0x10) qpn=0x15"
                                + " wqe_counter=7 owner=1}");
    }

    @Test
    void shouldDescribeErrorCqeWithItsSyndrome() {
        MemorySegment cqe = entry();
        cqe.set(JAVA_BYTE, 54, (byte) 0x88);
        cqe.set(JAVA_BYTE, 55, (byte) CqeSyndrome.REMOTE_ACCESS_ERR);
        cqe.set(Field.BE32, 56, WqeOpcode.RDMA_WRITE << 24 | 0x15);
        cqe.set(JAVA_BYTE, 63, (byte) 0xd0);

        assertThat(Cqe64.describe(cqe, 0))
                .isEqualTo(
                        "CQE REQ_ERR err_cqe{error_syndrome={vendor_error_syndrome=0x88"
                                + " syndrome=REMOTE_ACCESS_ERR(0x13)}"
                                + " send_wqe_opcode=RDMA_WRITE(8) qpn=0x15 opcode=REQ_ERR(0xd)}");
    }

    @Test
    void shouldDescribeEventsByType() {
        MemorySegment eqe = entry();
        eqe.set(JAVA_BYTE, 1, (byte) EventType.PAGE_REQUEST);
        eqe.set(Field.BE32, 0x20, 3);
        eqe.set(Field.BE32, 0x24, -20);
        assertThat(Eqe.describe(eqe, 0))
                .isEqualTo(
                        "EQE PAGE_REQUEST(0xb) sub_type=0 owner=0"
                                + " pages_req_event{function_id=3 num_pages=-20(0xffffffec)}");

        eqe.fill((byte) 0);
        eqe.set(JAVA_BYTE, 1, (byte) EventType.PORT_CHANGE);
        eqe.set(JAVA_BYTE, 3, (byte) PortChange.ACTIVE);
        eqe.set(JAVA_BYTE, 0x28, (byte) 0x10);
        eqe.set(JAVA_BYTE, 0x3f, (byte) 1);
        assertThat(Eqe.describe(eqe, 0))
                .isEqualTo(
                        "EQE PORT_CHANGE(0x9) sub_type=ACTIVE owner=1"
                                + " port_state_change_event{port_num=1}");

        eqe.fill((byte) 0);
        eqe.set(JAVA_BYTE, 1, (byte) EventType.WQ_ACCESS_ERROR);
        eqe.set(Field.BE32, 0x38, 0x15);
        assertThat(Eqe.describe(eqe, 0)).contains("qp_events{qpn_rqn_sqn=0x15}");

        eqe.fill((byte) 0);
        eqe.set(JAVA_BYTE, 1, (byte) EventType.TEMP_WARN_EVENT);
        eqe.set(JAVA_BYTE, 0x20, (byte) 0xab);
        assertThat(Eqe.describe(eqe, 0)).endsWith(" data=ab" + "00".repeat(27));
    }

    /** Linux qp.h: MLX5_RCV_DBR 0, MLX5_SND_DBR 1; cq.h: MLX5_CQ_SET_CI 0, MLX5_CQ_ARM_DB 1. */
    @Test
    void shouldHaveTheDwordsOfDoorbellRecordsWhereLinuxHasThem() {
        assertThat(DoorbellRecord.SIZE).isEqualTo(8);
        assertThat(DoorbellRecord.RECEIVE).isZero();
        assertThat(DoorbellRecord.SEND).isEqualTo(4);
        assertThat(DoorbellRecord.CONSUMER_INDEX).isZero();
        assertThat(DoorbellRecord.ARM).isEqualTo(4);
    }

    @Test
    void shouldMakeAndDescribeDoorbells() {
        assertThat(DoorbellRecord.armWord(5, DoorbellRecord.ARM_SOLICITED, 0x1_000_003))
                .isEqualTo(0x1100_0003);
        assertThat(Uar.eqWord(9, 0x1_000_004)).isEqualTo(0x0900_0004);

        long cqArm = (long) DoorbellRecord.armWord(1, DoorbellRecord.ARM_NEXT, 3) << 32 | 0x41;
        assertThat(Uar.describe(0x3020, cqArm))
                .isEqualTo("CQ arm {cqn=0x41 sn=1 kind=next consumer_index=3}");
        assertThat(Uar.describe(Uar.EQ_ARM, 0x0900_0004))
                .isEqualTo("EQ arm {eqn=9 consumer_index=4}");
        assertThat(Uar.describe(Uar.EQ_CONSUMER, 0x0900_0004))
                .isEqualTo("EQ consumer {eqn=9 consumer_index=4}");
        long quad =
                (long) WqeLayout.opmodIdxOpcode(0, 0x1_0007, WqeOpcode.SEND) << 32
                        | WqeLayout.qpnDs(0x15, 2);
        assertThat(Uar.describe(0x1000 + (Uar.SEND_DOORBELL ^ Uar.SEND_DOORBELL_TOGGLE), quad))
                .isEqualTo("SEND doorbell 0x900 {wqe_index=7 opcode=SEND qpn=0x15 ds=2}");
        assertThat(Uar.describe(0x10, 1)).isEqualTo("no doorbell at 0x10: 0x1");
        assertThat(DoorbellRecord.describeQp(2, 0x1_0003)).isEqualTo("dbr{receive=2 send=3}");
        assertThat(DoorbellRecord.describeCq(3, 0x1100_0003))
                .isEqualTo("dbr{consumer_index=3 arm{sn=1 kind=solicited consumer_index=3}}");
    }
}
