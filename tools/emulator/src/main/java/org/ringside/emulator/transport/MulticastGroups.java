package org.ringside.emulator.transport;

import java.util.ArrayList;
import java.util.List;

/** Which datagram QPs of a function hear which multicast groups (ATTACH_TO_MCG). */
final class MulticastGroups {
    private record Member(QpState qp, long high, long low) {}

    private final List<Member> members = new ArrayList<>();

    /** A QP hears a group from now on; attaching it twice is the same as once. */
    void attach(QpState qp, long high, long low) {
        Member member = new Member(qp, high, low);
        if (!members.contains(member)) {
            members.add(member);
        }
    }

    /** Whether it was attached. */
    boolean detach(QpState qp, long high, long low) {
        return members.remove(new Member(qp, high, low));
    }

    void remove(QpState qp) {
        members.removeIf(member -> member.qp == qp);
    }

    void clear() {
        members.clear();
    }

    int size() {
        return members.size();
    }

    QpState member(int position) {
        return members.get(position).qp;
    }

    boolean has(int position, long high, long low) {
        Member member = members.get(position);
        return member.high == high && member.low == low;
    }
}
