package org.ringside.softroce;

import org.ringside.verbs.spi.MailboxChannel;

/** A completion channel, fed by the agent. */
final class SoftChannel extends MailboxChannel<SoftCq> {
    private final SoftContext context;

    SoftChannel(SoftContext context, int vector) {
        super(context, vector);
        this.context = context;
    }

    @Override
    protected void doClose() {
        end();
        context.forget(this);
    }
}
