package org.ringside.mlx5.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConstantsTest {
    @ParameterizedTest
    @CsvSource({
        "0x100, QUERY_HCA_CAP",
        "0x104, ENABLE_HCA",
        "0x108, MANAGE_PAGES",
        "0x200, CREATE_MKEY",
        "0x301, CREATE_EQ",
        "0x400, CREATE_CQ",
        "0x500, CREATE_QP",
        "0x507, 2ERR_QP",
        "0x50a, 2RST_QP",
        "0x50c, SQD_RTS_QP",
        "0x761, SET_ROCE_ADDRESS",
        "0x802, ALLOC_UAR",
        "0x805, ACCESS_REG",
        "0x936, SET_FLOW_TABLE_ENTRY",
        "0x1, ?",
    })
    void shouldNameOpcodes(String opcode, String name) {
        assertThat(Opcode.name(Integer.decode(opcode))).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "0x0, OK, 0",
        "0x1, INT_ERR, 5",
        "0x2, BAD_OP, 22",
        "0x3, BAD_PARAM, 22",
        "0x4, BAD_SYS_STATE, 5",
        "0x5, BAD_RES, 22",
        "0x6, RES_BUSY, 16",
        "0x7, NOT_READY, 11",
        "0x8, LIM_ERR, 12",
        "0x9, BAD_RES_STATE, 22",
        "0xa, IX_ERR, 22",
        "0xf, NO_RES, 11",
        "0x10, BAD_QP_STATE, 22",
        "0x30, BAD_PKT, 22",
        "0x40, BAD_SIZE_OUTS_CQES, 22",
        "0x50, BAD_INP_LEN, 5",
        "0x51, BAD_OUTP_LEN, 5",
        "0x77, ?, 5",
    })
    void shouldNameCommandStatusesAndGiveLinuxErrno(String status, String name, int errno) {
        int value = Integer.decode(status);

        assertThat(CommandStatus.name(value)).isEqualTo(name);
        assertThat(CommandStatus.errno(value)).isEqualTo(errno);
        assertThat(CommandStatus.meaning(value).contains("not in the manual"))
                .isEqualTo(name.equals("?"));
    }

    @Test
    void shouldNameTheOtherCodes() {
        assertThat(DeliveryStatus.name(9)).isEqualTo("RESERVED_FIELD_NOT_CLEAR");
        assertThat(DeliveryStatus.name(0x10)).isEqualTo("BAD_COMMAND_TYPE");
        assertThat(EventType.name(0x0b)).isEqualTo("PAGE_REQUEST");
        assertThat(EventType.name(0x22)).isEqualTo("GENERAL_EVENT");
        assertThat(PortChange.name(4)).isEqualTo("ACTIVE");
        assertThat(QpState.name(6)).isEqualTo("ERR");
        assertThat(ServiceType.name(2)).isEqualTo("UD");
        assertThat(CqeOpcode.name(0xd)).isEqualTo("REQ_ERR");
        assertThat(CqeSyndrome.name(0x15)).isEqualTo("TRANSPORT_RETRY_EXC_ERR");
        assertThat(WqeOpcode.name(0x12)).isEqualTo("ATOMIC_FA");
        assertThat(HealthSyndrome.name(0xa)).isEqualTo("ICM_FETCH_PCI_ERR");
        assertThat(Register.name(0x5006)).isEqualTo("PAOS");
        assertThat(CapabilityGroup.name(4)).isEqualTo("ROCE");
        assertThat(QueryPagesStage.name(2)).isEqualTo("INIT");
        assertThat(ManagePagesOp.name(2)).isEqualTo("TAKE");
        assertThat(MkeyAccessMode.name(3)).isEqualTo("KSM");
        assertThat(OptParam.name(OptParam.COUNTER_SET_ID)).isEqualTo("COUNTER_SET_ID");
    }

    @Test
    void shouldTurnMtuCodesIntoBytes() {
        assertThat(Mtu.bytes(Mtu.MTU_256)).isEqualTo(256);
        assertThat(Mtu.bytes(Mtu.MTU_4096)).isEqualTo(4096);
        assertThatIllegalArgumentException().isThrownBy(() -> Mtu.bytes(Mtu.RAW_ETHERNET));
        assertThatIllegalArgumentException().isThrownBy(() -> Mtu.bytes(0));
    }

    @Test
    void shouldMakeOpModOfCapabilityGroups() {
        assertThat(CapabilityGroup.queryCurrent(CapabilityGroup.ROCE)).isEqualTo(9);
        assertThat(CapabilityGroup.queryMaximum(CapabilityGroup.GENERAL_2)).isEqualTo(0x40);
        assertThat(CapabilityGroup.set(CapabilityGroup.ATOMIC)).isEqualTo(6);
    }
}
