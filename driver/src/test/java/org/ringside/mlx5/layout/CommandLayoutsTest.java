package org.ringside.mlx5.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CommandLayoutsTest {
    private static MemorySegment memory(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    @Test
    void shouldKnowBothTablesOfEachCommand() {
        assertThat(CommandLayouts.in(Opcode.CREATE_QP)).isSameAs(CreateQpIn.LAYOUT);
        assertThat(CommandLayouts.out(Opcode.CREATE_QP)).isSameAs(CreateQpOut.LAYOUT);
        assertThat(CommandLayouts.in(Opcode.QP_2ERR)).isSameAs(Qp2errIn.LAYOUT);
        assertThat(CommandLayouts.in(Opcode.SQD_RTS_QP)).isSameAs(Sqd2rtsQpIn.LAYOUT);
        assertThat(CommandLayouts.in(Opcode.ACCESS_REG)).isSameAs(AccessRegisterIn.LAYOUT);
        assertThat(CommandLayouts.in(Opcode.CREATE_TIR)).isNull();
        assertThat(CommandLayouts.out(0xffff)).isNull();
    }

    @Test
    void shouldHaveEveryCommandTableUnderItsOpcode() {
        Set<Layout> known = new HashSet<>(List.of(CommandIn.LAYOUT, CommandOut.LAYOUT));
        for (int opcode = 0; opcode < 0x1000; opcode++) {
            Layout in = CommandLayouts.in(opcode);
            if (in != null) {
                known.add(in);
                known.add(CommandLayouts.out(opcode));
                assertThat(in.name()).endsWith("_in");
                assertThat(CommandLayouts.out(opcode).name()).endsWith("_out");
            }
        }

        assertThat(AllLayouts.get())
                .filteredOn(layout -> layout.name().matches(".*_(in|out)"))
                .hasSizeGreaterThan(120)
                .allMatch(known::contains);
    }

    @Test
    void shouldDecodeAPageListWithItsCount() {
        MemorySegment in = memory(ManagePagesIn.PAS.byteSizeWith(6));
        ManagePagesIn.OPCODE.set(in, 0, Opcode.MANAGE_PAGES);
        ManagePagesIn.OP_MOD.set(in, 0, ManagePagesOp.GIVE);
        ManagePagesIn.INPUT_NUM_ENTRIES.set(in, 0, 6);
        for (int i = 0; i < 6; i++) {
            ManagePagesIn.PAS.set(in, 0, i, 0x10_0000 + i * 0x1000);
        }

        assertThat(CommandLayouts.describeIn(in, 0, in.byteSize()))
                .isEqualTo(
                        "manage_pages_in{opcode=MANAGE_PAGES(0x108) op_mod=1 input_num_entries=6"
                                + " pas[6]=0x100000,0x101000,0x102000,0x103000,...}");
    }

    @Test
    void shouldDecodeACommandItHasNoTableFor() {
        MemorySegment in = memory(32);
        CommandIn.OPCODE.set(in, 0, Opcode.CREATE_TIR);

        assertThat(CommandLayouts.describeIn(in, 0, 32))
                .isEqualTo("cmd_in{opcode=CREATE_TIR(0x900)}");
        assertThat(CommandLayouts.describeIn(in, 0, 4)).isEqualTo("command of 4 bytes");
    }

    @Test
    void shouldDecodeTheRegisterBehindAccessReg() {
        MemorySegment in = memory(16 + PaosReg.LAYOUT.byteSize());
        AccessRegisterIn.OPCODE.set(in, 0, Opcode.ACCESS_REG);
        AccessRegisterIn.REGISTER_ID.set(in, 0, Register.PAOS);
        PaosReg.LOCAL_PORT.set(in, 16, 1);
        PaosReg.ADMIN_STATUS.set(in, 16, 1);
        PaosReg.ASE.set(in, 16, true);

        assertThat(CommandLayouts.describeIn(in, 0, in.byteSize()))
                .startsWith("access_register_in{opcode=ACCESS_REG(0x805) register_id=PAOS(0x5006)")
                .endsWith(" paos_reg{local_port=1 admin_status=1 ase=1}");
    }

    @Test
    void shouldDecodeTheCapabilityGroupThatWasAskedFor() {
        MemorySegment in = memory(QueryHcaCapIn.LAYOUT.byteSize());
        QueryHcaCapIn.OPCODE.set(in, 0, Opcode.QUERY_HCA_CAP);
        QueryHcaCapIn.OP_MOD.set(in, 0, CapabilityGroup.queryCurrent(CapabilityGroup.ROCE));
        MemorySegment out = memory(QueryHcaCapOut.LAYOUT.byteSize());
        RoceCap.R_ROCE_DEST_UDP_PORT.set(out, QueryHcaCapOut.CAPABILITY.offset(), 4791);

        assertThat(CommandLayouts.describeOut(in, 0, out, 0, out.byteSize()))
                .isEqualTo(
                        "query_hca_cap_out{capability=<4096 bytes>}"
                                + " roce_cap{r_roce_dest_udp_port=0x12b7}");
    }

    @Test
    void shouldDecodeAFailedAnswerByStatusAlone() {
        MemorySegment in = memory(CreateCqIn.LAYOUT.byteSize());
        CreateCqIn.OPCODE.set(in, 0, Opcode.CREATE_CQ);
        MemorySegment out = memory(CreateCqOut.LAYOUT.byteSize());
        CreateCqOut.STATUS.set(out, 0, CommandStatus.BAD_PARAM);
        CreateCqOut.SYNDROME.set(out, 0, 0x8f2e1dL);
        CreateCqOut.CQN.set(out, 0, 7);

        assertThat(CommandLayouts.describeOut(in, 0, out, 0, out.byteSize()))
                .isEqualTo("CREATE_CQ cmd_out{status=BAD_PARAM(3) syndrome=0x8f2e1d}");
    }

    @Test
    void shouldNotReadBeyondAShortAnswer() {
        MemorySegment in = memory(16);
        CommandIn.OPCODE.set(in, 0, Opcode.QUERY_HCA_CAP);

        assertThat(CommandLayouts.describeOut(in, 0, memory(16), 0, 16))
                .isEqualTo("query_hca_cap_out{}");
    }

    @Test
    void shouldDecodeNestedPathOfAQp() {
        MemorySegment in = memory(Init2rtrQpIn.LAYOUT.byteSize());
        Init2rtrQpIn.OPCODE.set(in, 0, Opcode.INIT2RTR_QP);
        Init2rtrQpIn.QPN.set(in, 0, 0x15);
        long qpc = Init2rtrQpIn.QPC.offset();
        Qpc.MTU.set(in, qpc, Mtu.MTU_1024);
        Qpc.REMOTE_QPN.set(in, qpc, 0x16);
        long path = qpc + Qpc.PRIMARY_ADDRESS_PATH.offset();
        Ads.FL.set(in, path, true);
        Ads.RGID_RIP.set(in, path, 15, 1);

        assertThat(CommandLayouts.describeIn(in, 0, in.byteSize()))
                .isEqualTo(
                        "init2rtr_qp_in{opcode=INIT2RTR_QP(0x503) qpn=0x15 qpc={mtu=MTU_1024(3)"
                                + " remote_qpn=0x16 primary_address_path={fl=1"
                                + " rgid_rip=00000000000000000000000000000001}}}");
    }
}
