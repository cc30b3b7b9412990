package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.mlx5.layout.AccessRegisterIn;
import org.ringside.mlx5.layout.AccessRegisterOut;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.HostEndianness;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.PaosReg;
import org.ringside.mlx5.layout.PmtuReg;
import org.ringside.mlx5.layout.PtysReg;
import org.ringside.mlx5.layout.Register;
import org.ringside.verbs.VerbsException;

/**
 * Registers behind ACCESS_REG (Adapters PRM, Register Access), which only a physical function may
 * write: host byte order, port MTU, port state.
 */
final class PortRegisters {
    private static final int WRITE = 0;
    private static final int READ = 1;
    private static final int PORT = 1;
    private static final int ADMIN_UP = 1;
    private static final int PROTO_ETHERNET = 1 << 2;

    private final CommandQueue commands;

    PortRegisters(CommandQueue commands) {
        this.commands = commands;
    }

    /** The host reads 8-byte atomic results and the like in little endian order (HE 0). */
    void setHostEndianness() throws VerbsException {
        var _ =
                access(
                        Register.HOST_ENDIANNESS,
                        HostEndianness.LAYOUT,
                        WRITE,
                        zero(HostEndianness.LAYOUT));
    }

    /**
     * Lets frames be as large as the port can.
     *
     * @return the MTU now in force, bytes of an Ethernet frame's payload and header
     */
    int raiseMtu() throws VerbsException {
        MemorySegment ask = zero(PmtuReg.LAYOUT);
        PmtuReg.LOCAL_PORT.set(ask, 0, PORT);
        long most = PmtuReg.MAX_MTU.get(access(Register.PMTU, PmtuReg.LAYOUT, READ, ask), 0);
        if (most > 0) {
            PmtuReg.ADMIN_MTU.set(ask, 0, most);
            var _ = access(Register.PMTU, PmtuReg.LAYOUT, WRITE, ask);
            PmtuReg.ADMIN_MTU.set(ask, 0, 0);
        }
        return mtu();
    }

    /** The MTU in force, bytes. */
    int mtu() throws VerbsException {
        MemorySegment ask = zero(PmtuReg.LAYOUT);
        PmtuReg.LOCAL_PORT.set(ask, 0, PORT);
        return (int) PmtuReg.OPER_MTU.get(access(Register.PMTU, PmtuReg.LAYOUT, READ, ask), 0);
    }

    /** Ethernet speeds in use, as the PTYS register's bitmap. */
    long ethernetProtocols() throws VerbsException {
        MemorySegment ask = zero(PtysReg.LAYOUT);
        PtysReg.LOCAL_PORT.set(ask, 0, PORT);
        PtysReg.PROTO_MASK.set(ask, 0, PROTO_ETHERNET);
        return PtysReg.ETH_PROTO_OPER.get(access(Register.PTYS, PtysReg.LAYOUT, READ, ask), 0);
    }

    /** Switches the port on: Linux leaves it off when it lets a function go. */
    void portUp() throws VerbsException {
        MemorySegment ask = zero(PaosReg.LAYOUT);
        set(PaosReg.LOCAL_PORT, ask, PORT);
        set(PaosReg.ADMIN_STATUS, ask, ADMIN_UP);
        set(PaosReg.ASE, ask, 1);
        var _ = access(Register.PAOS, PaosReg.LAYOUT, WRITE, ask);
    }

    private static void set(Field field, MemorySegment register, long value) {
        field.set(register, 0, value);
    }

    private static MemorySegment zero(Layout layout) {
        return MemorySegment.ofArray(new byte[layout.byteSize()]);
    }

    private MemorySegment access(int register, Layout layout, int opMod, MemorySegment value)
            throws VerbsException {
        int dwords = layout.byteSize() / Integer.BYTES;
        Command command =
                new Command(
                                Opcode.ACCESS_REG,
                                AccessRegisterIn.LAYOUT,
                                AccessRegisterIn.REGISTER_DATA.byteSizeWith(dwords),
                                AccessRegisterOut.LAYOUT,
                                AccessRegisterOut.REGISTER_DATA.byteSizeWith(dwords))
                        .opMod(opMod)
                        .set(AccessRegisterIn.REGISTER_ID, register);
        MemorySegment.copy(
                value, 0, command.in(), AccessRegisterIn.REGISTER_DATA.offset(), layout.byteSize());
        return commands.execute(command)
                .out()
                .asSlice(AccessRegisterOut.REGISTER_DATA.offset(), layout.byteSize());
    }
}
