package org.ringside.conformance;

import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.VerbsException;

/** Two connected ends. */
final class Connection implements AutoCloseable {
    static final long BUFFER = 1 << 20;

    final End left;
    final End right;

    private Connection(End left, End right) {
        this.left = left;
        this.right = right;
    }

    /** Two ends of the usual sizes, in RTS. */
    static Connection of(Topology topology) throws VerbsException {
        return of(topology, EndOptions.USUAL, new ConnectOptions());
    }

    static Connection of(Topology topology, EndOptions ends, ConnectOptions options)
            throws VerbsException {
        return of(topology, BUFFER, ends, options);
    }

    static Connection of(
            Topology topology, long bufferSize, EndOptions ends, ConnectOptions options)
            throws VerbsException {
        Connection connection = unconnected(topology, bufferSize, ends);
        connection.connect(options);
        return connection;
    }

    /** Two ends in RESET. */
    static Connection unconnected(Topology topology, long bufferSize, EndOptions ends)
            throws VerbsException {
        Context a = OpenDevices.get(topology.left());
        Context b = OpenDevices.get(topology.right());
        End left = new End(a, bufferSize, ends);
        return new Connection(left, new End(b, bufferSize, ends));
    }

    void connect(ConnectOptions options) throws VerbsException {
        Endpoint a = left.qp.endpoint();
        Endpoint b = right.qp.endpoint();
        left.qp.connect(b, options);
        right.qp.connect(a, options);
    }

    @Override
    public void close() throws VerbsException {
        left.close();
        right.close();
    }
}
