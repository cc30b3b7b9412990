package org.ringside.cli.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Objects that commands make, change and destroy, and where their numbers are. */
enum ObjectKind {
    PD("pd", "ALLOC_PD DEALLOC_PD"),
    UAR("uar", "ALLOC_UAR DEALLOC_UAR"),
    EQ("eq_number", "CREATE_EQ DESTROY_EQ QUERY_EQ"),
    CQ("cqn", "CREATE_CQ DESTROY_CQ MODIFY_CQ QUERY_CQ"),
    MKEY("mkey_index", "CREATE_MKEY DESTROY_MKEY QUERY_MKEY"),
    QP(
            "qpn",
            "CREATE_QP DESTROY_QP RST2INIT_QP INIT2INIT_QP INIT2RTR_QP RTR2RTS_QP RTS2RTS_QP"
                    + " SQERR2RTS_QP SQD_RTS_QP 2ERR_QP 2RST_QP QUERY_QP ATTACH_TO_MCG"
                    + " DETACH_FROM_MCG"),
    UMEM("umem_id", "CREATE_UMEM DESTROY_UMEM"),
    /** None of those that a connection needs. */
    OTHER(
            "",
            "ALLOC_XRCD DEALLOC_XRCD ALLOC_TRANSPORT_DOMAIN DEALLOC_TRANSPORT_DOMAIN"
                    + " ALLOC_Q_COUNTER DEALLOC_Q_COUNTER QUERY_Q_COUNTER CREATE_SRQ DESTROY_SRQ"
                    + " QUERY_SRQ ARM_RQ CREATE_XRC_SRQ DESTROY_XRC_SRQ QUERY_XRC_SRQ ARM_XRC_SRQ"
                    + " CREATE_RMP MODIFY_RMP DESTROY_RMP QUERY_RMP CREATE_UCTX DESTROY_UCTX");

    private final String numberField;
    private final String commands;

    /**
     * @param commands with blanks between them; first the one that makes one
     */
    ObjectKind(String numberField, String commands) {
        this.numberField = numberField;
        this.commands = commands;
    }

    /** What a command is about; empty when it is about the function as a whole. */
    static Optional<ObjectKind> of(String command) {
        return Arrays.stream(values())
                .filter(kind -> kind.commands().contains(command))
                .findFirst();
    }

    private List<String> commands() {
        return List.of(commands.split(" ", -1));
    }

    /** The command that makes one. */
    String maker() {
        return commands().getFirst();
    }

    /** Field that holds its number: in the output of the maker, in the input of the others. */
    String numberField() {
        return numberField;
    }
}
