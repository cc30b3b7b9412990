package org.ringside.roce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/** Work queues of a test: what is posted, and what came of it. */
final class TestQueues implements QpOwner {
    record SendDone(long id, WcStatus status) {}

    record ReceiveDone(
            long id,
            WcStatus status,
            WcOpcode opcode,
            long bytes,
            boolean hasImmediate,
            int immediate,
            int sourceQp,
            boolean solicited) {}

    final Deque<Consumer<SendRequest>> sends = new ArrayDeque<>();
    final Deque<Consumer<ReceiveRequest>> receives = new ArrayDeque<>();
    final List<SendDone> sent = new ArrayList<>();
    final List<ReceiveDone> received = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    final List<QpState> states = new ArrayList<>();
    boolean shared;
    Consumer<SendDone> onSent = done -> {};
    Consumer<ReceiveDone> onReceived = done -> {};

    boolean nextSend(SendRequest into) {
        Consumer<SendRequest> next = sends.poll();
        if (next == null) {
            return false;
        }
        into.clear();
        next.accept(into);
        return true;
    }

    ReceiveSource receiveSource() {
        return new ReceiveSource() {
            @Override
            public boolean next(ReceiveRequest into) {
                Consumer<ReceiveRequest> next = receives.poll();
                if (next == null) {
                    return false;
                }
                into.clear();
                next.accept(into);
                return true;
            }

            @Override
            public boolean isShared() {
                return shared;
            }
        };
    }

    @Override
    public void sendDone(RoceQp qp, SendRequest request, WcStatus status) {
        SendDone done = new SendDone(request.id, status);
        sent.add(done);
        onSent.accept(done);
    }

    @Override
    public void receiveDone(RoceQp qp, ReceiveRequest request, WcStatus status, Received result) {
        ReceiveDone done =
                new ReceiveDone(
                        request.id,
                        status,
                        result.opcode,
                        result.byteLength,
                        result.hasImmediate,
                        result.immediate,
                        result.sourceQp,
                        result.solicited);
        received.add(done);
        onReceived.accept(done);
    }

    @Override
    public void stateChanged(RoceQp qp, QpState state) {
        states.add(state);
    }

    @Override
    public void event(RoceQp qp, Event event) {
        events.add(event);
    }
}
