package org.ringside.emulator.mlx5;

import static org.ringside.emulator.mlx5.HcaState.ENABLED;
import static org.ringside.emulator.mlx5.HcaState.INITIALIZED;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.AccessRegisterIn;
import org.ringside.mlx5.layout.AccessRegisterOut;
import org.ringside.mlx5.layout.HostEndianness;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.NodeDescReg;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.PaosReg;
import org.ringside.mlx5.layout.PmtuReg;
import org.ringside.mlx5.layout.PtysReg;
import org.ringside.mlx5.layout.PvlcReg;
import org.ringside.mlx5.layout.Register;

/**
 * ACCESS_REG: registers of the port and of the device (PRM, Register Access). The answer of a write
 * is the register as it is afterwards. A VF may look at the port but not change it.
 */
final class RegisterCommands implements CommandTable.CommandGroup {
    private static final int WRITE = 0;
    private static final int READ = 1;
    private static final int DATA = AccessRegisterIn.LAYOUT.byteSize();

    // PAOS statuses.
    private static final int UP = 1;
    private static final int DOWN = 2;

    private static final int PROTO_ETHERNET = 4;
    private static final int PROTO_INFINIBAND = 1;

    /** 4 lanes of EDR, 100 Gb/s; bit masks. */
    private static final int WIDTH_4X = 1 << 2;

    private static final int SPEED_EDR = 1 << 5;

    /** Data lanes: VL0 to VL7. */
    private static final int VIRTUAL_LANES = 8;

    /** 100GBASE-KR4 and CR4. */
    private static final int SPEED_100G = 1 << 22 | 1 << 20;

    private final Hca hca;
    private final Map<Integer, RegisterSpec> registers;

    /** What a register does; the data is where AccessRegister has it. */
    private interface Access {
        void run(MemorySegment in, MemorySegment out);
    }

    private record RegisterSpec(Layout layout, boolean pfOnly, Access read, Access write) {}

    private byte[] nodeDescription;

    RegisterCommands(Hca hca) {
        this.hca = hca;
        this.registers =
                Map.of(
                        Register.HOST_ENDIANNESS,
                        new RegisterSpec(
                                HostEndianness.LAYOUT,
                                true,
                                (in, out) -> {},
                                RegisterCommands::writeHostEndianness),
                        Register.PAOS,
                        new RegisterSpec(PaosReg.LAYOUT, false, this::readPaos, this::writePaos),
                        Register.PMTU,
                        new RegisterSpec(PmtuReg.LAYOUT, false, this::readPmtu, this::writePmtu),
                        Register.PTYS,
                        new RegisterSpec(PtysReg.LAYOUT, false, this::readPtys, this::writePtys),
                        Register.PVLC,
                        new RegisterSpec(PvlcReg.LAYOUT, false, this::readPvlc, this::writePvlc),
                        Register.NODE_DESC,
                        new RegisterSpec(
                                NodeDescReg.LAYOUT,
                                false,
                                this::readNodeDescription,
                                this::writeNodeDescription));
        byte[] text =
                ("emulated ConnectX-5 " + hca.options().name()).getBytes(StandardCharsets.UTF_8);
        nodeDescription = Arrays.copyOf(text, NodeDescReg.DESC.count());
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                                Opcode.ACCESS_REG,
                                AccessRegisterIn.LAYOUT,
                                AccessRegisterOut.LAYOUT,
                                this::access,
                                Flag.OP_MOD,
                                Flag.INPUT_LIST,
                                Flag.OUTPUT_LIST)
                        .in(ENABLED, INITIALIZED));
    }

    private void access(Command c) {
        int id = (int) c.get(AccessRegisterIn.REGISTER_ID);
        RegisterSpec register = registers.get(id);
        if (register == null) {
            throw Refusal.of(Reason.UNSUPPORTED, "there is no register 0x%x", id);
        }
        if (c.opMod() != WRITE && c.opMod() != READ) {
            throw Refusal.of(Reason.UNKNOWN_OP_MOD, "op_mod %d; 0 writes, 1 reads", c.opMod());
        }
        boolean vf = !hca.options().profile().isPhysical();
        if (vf && (register.pfOnly || c.opMod() == WRITE)) {
            throw Refusal.of(
                    Reason.NOT_FOR_THIS_FUNCTION,
                    "a VF may not %s %s",
                    c.opMod() == WRITE ? "write" : "read",
                    register.layout.name());
        }
        int size = DATA + register.layout.byteSize();
        c.requireInput(size, register.layout.name());
        c.requireOutput(size, register.layout.name());
        long stray = register.layout.firstReservedBit(c.in(), DATA);
        if (stray >= 0) {
            throw Refusal.of(
                    Reason.RESERVED_BIT,
                    "reserved bit %s of %s is set",
                    Layout.place(stray),
                    register.layout.name());
        }
        if (c.opMod() == WRITE) {
            register.write.run(c.in(), c.out());
        }
        register.read.run(c.in(), c.out());
    }

    private static void writeHostEndianness(MemorySegment in, MemorySegment out) {
        if (HostEndianness.HE.isSet(in, DATA)) {
            throw Refusal.of(Reason.UNSUPPORTED, "the host is said to be big endian");
        }
    }

    private void readPaos(MemorySegment in, MemorySegment out) {
        checkPort(PaosReg.LOCAL_PORT.get(in, DATA));
        PaosReg.LOCAL_PORT.set(out, DATA, 1);
        PaosReg.ADMIN_STATUS.set(out, DATA, hca.port().isAdminUp() ? UP : DOWN);
        PaosReg.OPER_STATUS.set(out, DATA, hca.port().isUp() ? UP : DOWN);
    }

    private void writePaos(MemorySegment in, MemorySegment out) {
        checkPort(PaosReg.LOCAL_PORT.get(in, DATA));
        if (!PaosReg.ASE.isSet(in, DATA)) {
            return;
        }
        long status = PaosReg.ADMIN_STATUS.get(in, DATA);
        if (status != UP && status != DOWN) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "admin_status %d; 1 is up, 2 down", status);
        }
        hca.port().setAdminUp(status == UP);
    }

    private void readPmtu(MemorySegment in, MemorySegment out) {
        checkPort(PmtuReg.LOCAL_PORT.get(in, DATA));
        PmtuReg.LOCAL_PORT.set(out, DATA, 1);
        PmtuReg.MAX_MTU.set(out, DATA, hca.port().maxMtu());
        PmtuReg.ADMIN_MTU.set(out, DATA, hca.port().mtu());
        PmtuReg.OPER_MTU.set(out, DATA, hca.port().mtu());
    }

    private void writePmtu(MemorySegment in, MemorySegment out) {
        checkPort(PmtuReg.LOCAL_PORT.get(in, DATA));
        hca.port().setMtu(PmtuReg.ADMIN_MTU.get(in, DATA));
    }

    private void readPtys(MemorySegment in, MemorySegment out) {
        checkPort(PtysReg.LOCAL_PORT.get(in, DATA));
        PtysReg.LOCAL_PORT.set(out, DATA, 1);
        if (hca.port().isInfiniBand()) {
            PtysReg.PROTO_MASK.set(out, DATA, PROTO_INFINIBAND);
            PtysReg.IB_LINK_WIDTH_CAPABILITY.set(out, DATA, WIDTH_4X);
            PtysReg.IB_PROTO_CAPABILITY.set(out, DATA, SPEED_EDR);
            PtysReg.IB_LINK_WIDTH_ADMIN.set(out, DATA, WIDTH_4X);
            PtysReg.IB_PROTO_ADMIN.set(out, DATA, SPEED_EDR);
            PtysReg.IB_LINK_WIDTH_OPER.set(out, DATA, hca.port().isUp() ? WIDTH_4X : 0);
            PtysReg.IB_PROTO_OPER.set(out, DATA, hca.port().isUp() ? SPEED_EDR : 0);
            return;
        }
        PtysReg.PROTO_MASK.set(out, DATA, PROTO_ETHERNET);
        PtysReg.ETH_PROTO_CAPABILITY.set(out, DATA, SPEED_100G);
        PtysReg.ETH_PROTO_ADMIN.set(out, DATA, SPEED_100G);
        PtysReg.ETH_PROTO_OPER.set(out, DATA, hca.port().isUp() ? SPEED_100G : 0);
    }

    private void writePtys(MemorySegment in, MemorySegment out) {
        checkPort(PtysReg.LOCAL_PORT.get(in, DATA));
        long admin = PtysReg.ETH_PROTO_ADMIN.get(in, DATA);
        if ((admin & ~SPEED_100G) != 0 || admin == 0) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "eth_proto_admin 0x%x; the port can 0x%x",
                    admin,
                    SPEED_100G);
        }
    }

    private void readPvlc(MemorySegment in, MemorySegment out) {
        checkPort(PvlcReg.LOCAL_PORT.get(in, DATA));
        checkInfiniBand();
        PvlcReg.LOCAL_PORT.set(out, DATA, 1);
        PvlcReg.VL_HW_CAP.set(out, DATA, VIRTUAL_LANES);
        PvlcReg.VL_ADMIN.set(out, DATA, VIRTUAL_LANES);
        PvlcReg.VL_OPERATIONAL.set(out, DATA, VIRTUAL_LANES);
    }

    private void writePvlc(MemorySegment in, MemorySegment out) {
        checkPort(PvlcReg.LOCAL_PORT.get(in, DATA));
        checkInfiniBand();
        if (PvlcReg.VL_ADMIN.get(in, DATA) != VIRTUAL_LANES) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "vl_admin is %d; the port has %d virtual lanes",
                    PvlcReg.VL_ADMIN.get(in, DATA),
                    VIRTUAL_LANES);
        }
    }

    private void checkInfiniBand() {
        if (!hca.port().isInfiniBand()) {
            throw new Refusal(Reason.UNSUPPORTED, "an Ethernet port has no virtual lanes");
        }
    }

    private void readNodeDescription(MemorySegment in, MemorySegment out) {
        NodeDescReg.DESC.setBytes(out, DATA, nodeDescription);
    }

    private void writeNodeDescription(MemorySegment in, MemorySegment out) {
        nodeDescription = NodeDescReg.DESC.getBytes(in, DATA);
    }

    private static void checkPort(long port) {
        if (port != 1) {
            throw Refusal.of(Reason.BAD_INDEX, "local_port %d; there is only 1", port);
        }
    }
}
