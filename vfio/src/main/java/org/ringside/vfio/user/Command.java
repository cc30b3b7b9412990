package org.ringside.vfio.user;

import org.jspecify.annotations.Nullable;

/** The commands of vfio-user. Number 14 (DIRTY_PAGES) went with the old drafts. */
public enum Command {
    VERSION(1),
    DMA_MAP(2),
    DMA_UNMAP(3),
    DEVICE_GET_INFO(4),
    DEVICE_GET_REGION_INFO(5),
    DEVICE_GET_REGION_IO_FDS(6),
    DEVICE_GET_IRQ_INFO(7),
    DEVICE_SET_IRQS(8),
    REGION_READ(9),
    REGION_WRITE(10),
    /** Server to client. */
    DMA_READ(11),
    /** Server to client. */
    DMA_WRITE(12),
    DEVICE_RESET(13),
    REGION_WRITE_MULTI(15),
    DEVICE_FEATURE(16),
    MIG_DATA_READ(17),
    MIG_DATA_WRITE(18);

    private static final @Nullable Command[] BY_NUMBER = new @Nullable Command[19];

    static {
        for (Command command : values()) {
            BY_NUMBER[command.number] = command;
        }
    }

    private final int number;

    Command(int number) {
        this.number = number;
    }

    /** The number in the header. */
    public int number() {
        return number;
    }

    /** The command with that number, or null. */
    public static @Nullable Command of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /** Its name, or its number when it has none. */
    public static String nameOf(int number) {
        Command command = of(number);
        return command == null ? "command " + number : command.name();
    }
}
