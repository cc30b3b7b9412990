package org.ringside.mlx5;

import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.DeliveryStatus;
import org.ringside.verbs.DeviceException;

/**
 * Firmware refused a command, or it did not get through. Carries what a look into the manual or a
 * question to the vendor needs: opcode, status and syndrome, with the input decoded.
 */
final class CommandException extends DeviceException {
    private static final long serialVersionUID = 1L;

    private final int opcode;
    private final int status;
    private final int syndrome;

    private CommandException(int errno, String message, int opcode, int status, int syndrome) {
        super(errno, message);
        this.opcode = opcode;
        this.status = status;
        this.syndrome = syndrome;
    }

    /** The command was executed and failed. */
    static CommandException refused(String device, Command command) {
        int status = command.status();
        return new CommandException(
                CommandStatus.errno(status),
                "%s: %s (0x%x) failed: status %s (0x%x): %s; syndrome 0x%08x; input %s"
                        .formatted(
                                device,
                                command.name(),
                                command.opcode(),
                                CommandStatus.name(status),
                                status,
                                CommandStatus.meaning(status),
                                command.syndrome(),
                                command.decodeIn()),
                command.opcode(),
                status,
                command.syndrome());
    }

    /** The command was not looked at (Adapters PRM, delivery status). */
    static CommandException undelivered(String device, Command command, int deliveryStatus) {
        return new CommandException(
                deliveryStatus == DeliveryStatus.INTERNAL_ERROR ? EIO : EINVAL,
                "%s: %s (0x%x) was not delivered: delivery status %s (0x%x); input %s"
                        .formatted(
                                device,
                                command.name(),
                                command.opcode(),
                                DeliveryStatus.name(deliveryStatus),
                                deliveryStatus,
                                command.decodeIn()),
                command.opcode(),
                0,
                0);
    }

    /** What the device wrote back is damaged. */
    static CommandException damaged(String device, Command command, String what) {
        return new CommandException(
                EIO,
                "%s: answer to %s (0x%x) is damaged: %s"
                        .formatted(device, command.name(), command.opcode(), what),
                command.opcode(),
                0,
                0);
    }

    int opcode() {
        return opcode;
    }

    /** {@link CommandStatus}; 0 when the command was not executed. */
    int status() {
        return status;
    }

    int syndrome() {
        return syndrome;
    }
}
