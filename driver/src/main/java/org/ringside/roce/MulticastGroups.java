package org.ringside.roce;

import java.util.ArrayList;
import java.util.List;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Service;

/** Which UD QPs want the datagrams of which group. */
final class MulticastGroups {
    private record Member(RoceQp qp, long high, long low) {}

    private final List<Member> members = new ArrayList<>();

    void attach(RoceQp qp, long high, long low) {
        Member member = new Member(qp, high, low);
        if (!members.contains(member)) {
            members.add(member);
        }
    }

    void detach(RoceQp qp, long high, long low) {
        members.remove(new Member(qp, high, low));
    }

    void forget(RoceQp qp) {
        members.removeIf(member -> member.qp == qp);
    }

    /** Gives a datagram to each member of its group. */
    void deliver(Transport transport, Packet packet, long now) {
        if (packet.opcode().service() != Service.UD) {
            transport.count(Counter.WRONG_SERVICE);
            return;
        }
        boolean wanted = false;
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (member.high == packet.destinationHigh() && member.low == packet.destinationLow()) {
                transport.accept(member.qp, now);
                wanted = true;
            }
        }
        if (!wanted) {
            transport.count(Counter.NO_SUCH_QP);
        }
    }
}
