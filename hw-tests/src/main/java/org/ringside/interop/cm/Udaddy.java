package org.ringside.interop.cm;

import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;

/**
 * Either end of {@code udaddy}: the client sends datagrams, the server as many back to the QP that
 * their immediate data names (rdma-core, librdmacm/examples/udaddy.c).
 */
final class Udaddy {
    static final long BYTES = 1 << 16;

    /** The Q_Key of all datagrams of rdma_cm (RDMA_UDP_QKEY of rdma_cm.h). */
    static final int QKEY = 0x0123_4567;

    private static final int GRH = 40;

    private final Station station;
    private final int count;
    private final int size;

    Udaddy(Station station, int count, int size) {
        this.station = station;
        this.count = count;
        this.size = size;
    }

    void prepare() throws VerbsException {
        station.qp.startDatagrams(1, QKEY);
        for (int i = 0; i < count; i++) {
            station.receive((long) i * (GRH + size), GRH + size);
        }
    }

    void send(AddressHandle to, int qpNumber, int qkey) {
        for (int i = 0; i < count; i++) {
            station.qp.start();
            station.qp.wrId(i).flags(SendFlags.SIGNALED);
            station.qp.sendImm(station.qp.number());
            station.qp.to(to, qpNumber, qkey);
            station.qp.sge(station.lkey(), station.address(BYTES - size), size);
            Station.posted(station.qp.submit());
        }
        for (int i = 0; i < count; i++) {
            station.sent();
        }
    }

    /** Takes all datagrams; tells the QP to answer to. */
    int receive() {
        int qpNumber = 0;
        for (int i = 0; i < count; i++) {
            Station.Arrival arrival = station.received();
            if (arrival.length() != GRH + size) {
                throw new IllegalStateException(
                        "datagram %d has %d bytes, not %d"
                                .formatted(i, arrival.length(), GRH + size));
            }
            if (arrival.immediate() != arrival.sourceQp()) {
                throw new IllegalStateException(
                        "datagram of QP 0x%x names QP 0x%x"
                                .formatted(arrival.sourceQp(), arrival.immediate()));
            }
            qpNumber = arrival.sourceQp();
        }
        return qpNumber;
    }
}
