package org.ringside.roce.port;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Gid;

/**
 * MACs of the addresses on this network, and who waits for one. Asks once a second, three times, as
 * RFC 4861 does (RETRANS_TIMER, MAX_MULTICAST_SOLICIT).
 */
final class Neighbours {
    static final long RETRANSMIT_NANOS = 1_000_000_000;
    static final int ATTEMPTS = 3;

    /** Passed to who waited in vain. */
    static final long NOBODY = -1;

    private static final class Query {
        final Gid address;
        final List<LongConsumer> waiting = new ArrayList<>();
        int attempts;
        long nextAttempt;

        Query(Gid address) {
            this.address = address;
        }
    }

    /** Sends a request for an address. */
    interface Asker {
        void ask(Gid address);
    }

    private final Map<Gid, Long> macs = new HashMap<>();
    private final List<Query> queries = new ArrayList<>();

    /** Tells the MAC of an address, at once or later; {@link #NOBODY} when nobody answers. */
    void resolve(Gid address, long now, LongConsumer then) {
        Long known = macs.get(address);
        if (known != null) {
            then.accept(known);
            return;
        }
        Query query = find(address);
        if (query == null) {
            query = new Query(address);
            query.nextAttempt = now;
            queries.add(query);
        }
        query.waiting.add(then);
    }

    /** Somebody told the MAC of an address. */
    void learn(Gid address, long mac) {
        macs.put(address, mac);
        Query query = find(address);
        if (query != null) {
            queries.remove(query);
            query.waiting.forEach(waiting -> waiting.accept(mac));
        }
    }

    /** Whether anything is waited for. */
    boolean isIdle() {
        return queries.isEmpty();
    }

    /** Asks for what has not been answered. */
    void poll(long now, Asker asker) {
        for (Iterator<Query> all = queries.iterator(); all.hasNext(); ) {
            Query query = all.next();
            if (now < query.nextAttempt) {
                continue;
            }
            if (query.attempts == ATTEMPTS) {
                all.remove();
                query.waiting.forEach(waiting -> waiting.accept(NOBODY));
                return; // Who was told may have changed the list.
            }
            query.attempts++;
            query.nextAttempt = now + RETRANSMIT_NANOS;
            asker.ask(query.address);
        }
    }

    private @Nullable Query find(Gid address) {
        for (Query query : queries) {
            if (query.address.equals(address)) {
                return query;
            }
        }
        return null;
    }
}
