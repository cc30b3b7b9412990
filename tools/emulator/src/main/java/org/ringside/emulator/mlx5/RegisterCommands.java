package org.ringside.emulator.mlx5;

import static org.ringside.emulator.mlx5.HcaState.ENABLED;
import static org.ringside.emulator.mlx5.HcaState.INITIALIZED;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.emulator.mlx5.DeviceOptions.Profile;
import org.ringside.mlx5.layout.AccessRegisterIn;
import org.ringside.mlx5.layout.AccessRegisterOut;
import org.ringside.mlx5.layout.HostEndianness;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.PaosReg;
import org.ringside.mlx5.layout.PmtuReg;
import org.ringside.mlx5.layout.PtysReg;
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

    /** 100GBASE-KR4 and CR4. */
    private static final int SPEED_100G = 1 << 22 | 1 << 20;

    private final Hca hca;
    private final Map<Integer, RegisterSpec> registers;

    /** What a register does; the data is where AccessRegister has it. */
    private interface Access {
        void run(MemorySegment in, MemorySegment out);
    }

    private record RegisterSpec(Layout layout, boolean pfOnly, Access read, Access write) {}

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
                        new RegisterSpec(PtysReg.LAYOUT, false, this::readPtys, this::writePtys));
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
        boolean vf = hca.options().profile() == Profile.VF;
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
        PmtuReg.MAX_MTU.set(out, DATA, Port.MAX_MTU);
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

    private static void checkPort(long port) {
        if (port != 1) {
            throw Refusal.of(Reason.BAD_INDEX, "local_port %d; there is only 1", port);
        }
    }
}
