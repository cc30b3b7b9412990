package org.ringside.softroce;

import org.ringside.roce.packet.Flow;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.AddressVector;

/** An address handle: the headers of its path, made once. */
final class SoftAh extends AddressHandle {
    final Flow flow;

    SoftAh(SoftPd pd, int port, AddressVector path, Flow flow) {
        super(pd, port, path);
        this.flow = flow;
    }

    @Override
    protected void doClose() {}
}
