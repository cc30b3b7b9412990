package org.ringside.emulator.transport;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.ethernet.EthernetPort;

/**
 * The network between the functions of one agent: who has which GID or LID. Nothing is lost on it,
 * and nothing is out of order.
 */
public final class Wire {
    private final List<Row> rows = new ArrayList<>();
    private final BitSet lids = new BitSet();
    private int generation = 1;

    private final List<Address> addresses = new ArrayList<>();

    private final @Nullable EthernetPort uplink;

    /** A wire that ends in this process. */
    public Wire() {
        this(null);
    }

    /**
     * A wire with a way out, for one function.
     *
     * @param uplink polled by that function; closed by who made it, after the agent has ended
     */
    public Wire(@Nullable EthernetPort uplink) {
        this.uplink = uplink;
    }

    @Nullable EthernetPort uplink() {
        return uplink;
    }

    private record Address(Engine engine, int lid) {}

    private record Row(Engine engine, int index, long high, long low) {}

    /**
     * Gives a function the lowest LID that is free, as a subnet manager would: from 1 (IBTA 4.1.3).
     *
     * @return to be handed back by {@link #releaseLid}
     */
    public int assignLid() {
        int lid = lids.nextClearBit(1);
        lids.set(lid);
        return lid;
    }

    /** The function has gone from the wire. */
    public void releaseLid(int lid) {
        lids.clear(lid);
    }

    /**
     * Puts a GID into a row of a function's table (SET_ROCE_ADDRESS). All zeros empties the row.
     *
     * @param high bytes 0 to 7 of the GID in big-endian order
     * @param low bytes 8 to 15
     */
    public void setGid(Engine engine, int index, long high, long low) {
        rows.removeIf(row -> row.engine == engine && row.index == index);
        if ((high | low) != 0) {
            rows.add(new Row(engine, index, high, low));
        }
        generation++;
    }

    /** Says where packets to a LID go; 0 when to nobody any more. */
    public void setLid(Engine engine, int lid) {
        addresses.removeIf(address -> address.engine == engine);
        if (lid != 0) {
            addresses.add(new Address(engine, lid));
        }
        generation++;
    }

    /** Takes all GIDs and the LID of a function off the wire. */
    public void remove(Engine engine) {
        rows.removeIf(row -> row.engine == engine);
        addresses.removeIf(address -> address.engine == engine);
        generation++;
    }

    /** Whether a row of the function's table holds a GID. */
    public boolean hasGid(Engine engine, int index) {
        return rows.stream().anyMatch(row -> row.engine == engine && row.index == index);
    }

    /** The function with a GID: {@code own} if it has it, else any other, else null. */
    @Nullable Engine find(Engine own, long high, long low) {
        Engine found = null;
        for (Row row : rows) {
            if (row.high == high && row.low == low) {
                if (row.engine == own) {
                    return own;
                }
                found = row.engine;
            }
        }
        return found;
    }

    /** The function with a LID: {@code own} if it has it, else any other, else null. */
    @Nullable Engine find(Engine own, int lid) {
        Engine found = null;
        for (int i = 0; i < addresses.size(); i++) {
            Address address = addresses.get(i);
            if (address.lid == lid) {
                if (address.engine == own) {
                    return own;
                }
                found = address.engine;
            }
        }
        return found;
    }

    /** The function's LID; 0 when it has none. */
    int lid(Engine engine) {
        for (int i = 0; i < addresses.size(); i++) {
            if (addresses.get(i).engine == engine) {
                return addresses.get(i).lid;
            }
        }
        return 0;
    }

    /** Functions that have a LID, by position. */
    int ports() {
        return addresses.size();
    }

    Engine port(int position) {
        return addresses.get(position).engine;
    }

    /** First or second half of a row of a function's GID table; 0 when the row is empty. */
    long gid(Engine engine, int index, boolean high) {
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            if (row.engine == engine && row.index == index) {
                return high ? row.high : row.low;
            }
        }
        return 0;
    }

    /** Changes with each change of the tables. */
    int generation() {
        return generation;
    }
}
