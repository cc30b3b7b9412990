package org.ringside.cli.compare;

import java.util.Set;

/** What a command, register access or doorbell is for. */
enum Purpose {
    OPEN("open"),
    REGISTER_MEMORY("register memory"),
    CREATE_CQ("create CQ"),
    CREATE_QP("create QP"),
    RST2INIT("RST to INIT"),
    INIT2RTR("INIT to RTR"),
    RTR2RTS("RTR to RTS"),
    WORK("work"),
    CLOSE("close");

    private static final Set<String> CLOSING =
            Set.of("2ERR_QP", "2RST_QP", "TEARDOWN_HCA", "DISABLE_HCA");
    private static final String TAKE = "2";
    private static final String REGULAR = "3";

    private final String text;

    Purpose(String text) {
        this.text = text;
    }

    /**
     * @param opMod as the recording has it
     */
    static Purpose ofCommand(String name, String opMod) {
        boolean takesPages =
                name.equals("MANAGE_PAGES") && opMod.equals(TAKE)
                        || name.equals("QUERY_PAGES") && opMod.equals(REGULAR);
        if (takesPages
                || name.startsWith("DESTROY_")
                || name.startsWith("DEALLOC_")
                || CLOSING.contains(name)) {
            return CLOSE;
        }
        return switch (name) {
            case "CREATE_MKEY" -> REGISTER_MEMORY;
            case "CREATE_CQ" -> CREATE_CQ;
            case "CREATE_QP" -> CREATE_QP;
            case "RST2INIT_QP" -> RST2INIT;
            case "INIT2RTR_QP" -> INIT2RTR;
            case "RTR2RTS_QP" -> RTR2RTS;
            case "MODIFY_CQ", "RTS2RTS_QP", "QUERY_QP", "QUERY_CQ" -> WORK;
            default -> OPEN;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
