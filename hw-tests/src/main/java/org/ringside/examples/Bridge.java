package org.ringside.examples;

import java.util.EnumSet;
import org.ringside.verbs.*;

/**
 * Moves data between two devices inside one JVM, whatever their providers: a QP of the first WRITEs
 * to memory of the second, a QP of the second READs it back.
 *
 * <pre>
 *   Bridge DEVICE GID-INDEX DEVICE GID-INDEX
 * </pre>
 */
public final class Bridge {
    private static final int BYTES = 1 << 16;

    private Bridge() {}

    /** One end on a device. It lives as long as the device is open. */
    private static final class End {
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion mr;
        final int gidIndex;

        End(Context device, int gidIndex) throws Exception {
            ProtectionDomain pd = device.createPd();
            this.gidIndex = gidIndex;
            cq = device.createCq(16);
            qp = pd.createQp(new QpOptions(cq));
            mr = pd.register(device.allocate(2L * BYTES), EnumSet.allOf(Access.class));
        }

        Endpoint endpoint() throws Exception {
            return qp.endpoint(1, gidIndex);
        }

        void connect(Endpoint to) throws Exception {
            qp.connect(to, new ConnectOptions().gidIndex(gidIndex));
        }

        void complete(PostResult posted) {
            if (posted != PostResult.POSTED) {
                throw new IllegalStateException("not posted: " + posted);
            }
            while (!cq.startPoll()) {
                Thread.onSpinWait();
            }
            WcStatus status = cq.status();
            cq.endPoll();
            if (status != WcStatus.SUCCESS) {
                throw new IllegalStateException("it ended with " + status);
            }
        }
    }

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        try (Context left = Verbs.open(args[0]);
                Context right = Verbs.open(args[2])) {
            End a = new End(left, Integer.parseInt(args[1]));
            End b = new End(right, Integer.parseInt(args[3]));
            Endpoint toA = a.endpoint();
            a.connect(b.endpoint());
            b.connect(toA);
            a.mr.memory().setString(0, "over the bridge, and back");
            a.complete(
                    a.qp.postWrite(
                            1,
                            SendFlags.SIGNALED,
                            a.mr.lkey(),
                            a.mr.address(),
                            BYTES,
                            b.mr.rkey(),
                            b.mr.address()));
            System.out.println(args[2] + " has \"" + b.mr.memory().getString(0) + "\"");
            b.complete(
                    b.qp.postRead(
                            2,
                            SendFlags.SIGNALED,
                            b.mr.lkey(),
                            b.mr.address() + BYTES,
                            BYTES,
                            a.mr.rkey(),
                            a.mr.address()));
            if (b.mr.memory().asSlice(BYTES, BYTES).mismatch(a.mr.memory().asSlice(0, BYTES))
                    >= 0) {
                throw new IllegalStateException("what came back is not what went");
            }
            System.out.println("%d bytes there and back".formatted(BYTES));
        }
    }
}
