package org.ringside.emulator.mlx5;

import static org.ringside.emulator.mlx5.HcaState.DISABLED;
import static org.ringside.emulator.mlx5.HcaState.ENABLED;
import static org.ringside.emulator.mlx5.HcaState.INITIALIZED;

import java.nio.charset.StandardCharsets;
import org.ringside.emulator.mlx5.CommandSpec.Flag;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.DisableHcaIn;
import org.ringside.mlx5.layout.DisableHcaOut;
import org.ringside.mlx5.layout.EnableHcaIn;
import org.ringside.mlx5.layout.EnableHcaOut;
import org.ringside.mlx5.layout.InitHcaIn;
import org.ringside.mlx5.layout.InitHcaOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryAdapterIn;
import org.ringside.mlx5.layout.QueryAdapterOut;
import org.ringside.mlx5.layout.QueryAdapterParamBlock;
import org.ringside.mlx5.layout.QueryIssiIn;
import org.ringside.mlx5.layout.QueryIssiOut;
import org.ringside.mlx5.layout.SetDriverVersionIn;
import org.ringside.mlx5.layout.SetDriverVersionOut;
import org.ringside.mlx5.layout.SetIssiIn;
import org.ringside.mlx5.layout.SetIssiOut;
import org.ringside.mlx5.layout.TeardownHcaIn;
import org.ringside.mlx5.layout.TeardownHcaOut;

/** Commands that move a function through its life; see {@link HcaState}. */
final class LifeCommands implements CommandTable.CommandGroup {
    private static final int GRACEFUL = 0;
    private static final int FORCE = 1;
    private static final int PREPARE_FAST = 2;
    private static final int VENDOR_OUI = 0x2c9;
    private static final String PSID = "RNG0000000001";

    private final Hca hca;
    private int issi;

    LifeCommands(Hca hca) {
        this.hca = hca;
    }

    @Override
    public void register(CommandTable table) {
        table.add(
                CommandSpec.of(
                                Opcode.ENABLE_HCA,
                                EnableHcaIn.LAYOUT,
                                EnableHcaOut.LAYOUT,
                                this::enable,
                                Flag.WITHOUT_PAGES)
                        .in(DISABLED));
        table.add(
                CommandSpec.of(
                                Opcode.DISABLE_HCA,
                                DisableHcaIn.LAYOUT,
                                DisableHcaOut.LAYOUT,
                                this::disable,
                                Flag.WITHOUT_PAGES)
                        .in(ENABLED));
        table.add(
                CommandSpec.of(
                                Opcode.QUERY_ISSI,
                                QueryIssiIn.LAYOUT,
                                QueryIssiOut.LAYOUT,
                                this::queryIssi,
                                Flag.WITHOUT_PAGES)
                        .in(ENABLED, INITIALIZED));
        table.add(
                CommandSpec.of(
                                Opcode.SET_ISSI,
                                SetIssiIn.LAYOUT,
                                SetIssiOut.LAYOUT,
                                this::setIssi,
                                Flag.WITHOUT_PAGES)
                        .in(ENABLED));
        table.add(
                CommandSpec.of(
                                Opcode.INIT_HCA,
                                InitHcaIn.LAYOUT,
                                InitHcaOut.LAYOUT,
                                this::init,
                                Flag.INPUT_OLD)
                        .in(ENABLED));
        table.add(
                CommandSpec.of(
                        Opcode.TEARDOWN_HCA,
                        TeardownHcaIn.LAYOUT,
                        TeardownHcaOut.LAYOUT,
                        this::teardown));
        table.add(
                CommandSpec.of(
                                Opcode.QUERY_ADAPTER,
                                QueryAdapterIn.LAYOUT,
                                QueryAdapterOut.LAYOUT,
                                this::queryAdapter)
                        .in(ENABLED, INITIALIZED));
        table.add(
                CommandSpec.of(
                        Opcode.SET_DRIVER_VERSION,
                        SetDriverVersionIn.LAYOUT,
                        SetDriverVersionOut.LAYOUT,
                        this::setDriverVersion));
    }

    private void enable(Command c) {
        c.requireZero(EnableHcaIn.FUNCTION_ID);
        c.requireZero(EnableHcaIn.EMBEDDED_CPU_FUNCTION);
        issi = 0;
        hca.state(ENABLED);
    }

    private void disable(Command c) {
        c.requireZero(DisableHcaIn.FUNCTION_ID);
        c.requireZero(DisableHcaIn.EMBEDDED_CPU_FUNCTION);
        hca.pages().forget();
        hca.state(DISABLED);
    }

    private void queryIssi(Command c) {
        c.put(QueryIssiOut.CURRENT_ISSI, issi);
        c.put(QueryIssiOut.SUPPORTED_ISSI_DW0, (1 << hca.options().issi() + 1) - 1);
    }

    private void setIssi(Command c) {
        long wanted = c.get(SetIssiIn.CURRENT_ISSI);
        if (wanted > hca.options().issi()) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "ISSI %d; up to %d is supported",
                    wanted,
                    hca.options().issi());
        }
        issi = (int) wanted;
    }

    private void init(Command c) {
        c.requireZero(InitHcaIn.SW_VHCA_ID);
        hca.state(INITIALIZED);
    }

    private void teardown(Command c) {
        long profile = c.get(TeardownHcaIn.PROFILE);
        if (profile == PREPARE_FAST) {
            // The driver now writes nic_interface, which does the rest.
            c.put(TeardownHcaOut.STATE, 0);
            return;
        }
        if (profile != GRACEFUL && profile != FORCE) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "profile %d; there are 0, 1 and 2", profile);
        }
        hca.dropObjects();
        hca.state(ENABLED);
    }

    private void setDriverVersion(Command c) {
        if (!hca.capabilities().has(CmdHcaCap.DRIVER_VERSION)) {
            throw new Refusal(Reason.UNKNOWN_OPCODE, "driver_version is 0");
        }
        byte[] text = SetDriverVersionIn.DRIVER_VERSION.getBytes(c.in(), 0);
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        hca.driverVersion(new String(text, 0, length, StandardCharsets.UTF_8));
    }

    private void queryAdapter(Command c) {
        c.put(
                QueryAdapterOut.QUERY_ADAPTER_STRUCT,
                QueryAdapterParamBlock.IEEE_VENDOR_ID,
                VENDOR_OUI);
        byte[] psid = new byte[16];
        byte[] text = PSID.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, psid, 0, text.length);
        QueryAdapterParamBlock.VSD_CONTD_PSID.setBytes(
                c.out(), QueryAdapterOut.QUERY_ADAPTER_STRUCT.offset(), psid);
    }
}
