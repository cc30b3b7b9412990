package org.ringside.softroce;

import org.ringside.verbs.ProtectionDomain;

/** A protection domain: a number that keys and QPs have in common. */
final class SoftPd extends ProtectionDomain {
    final int number;

    SoftPd(SoftContext context, int number) {
        super(context, number);
        this.number = number;
    }

    @Override
    protected void doClose() {}
}
