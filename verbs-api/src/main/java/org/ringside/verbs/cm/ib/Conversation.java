package org.ringside.verbs.cm.ib;

import org.ringside.verbs.Gid;

/** What the manager keeps by a communication id. All methods under its monitor. */
interface Conversation {
    /** With whom. */
    Gid peerGid();

    /** Whether a message is of the kind that belongs to it. */
    default boolean expects(Mad mad) {
        return true;
    }

    /** A message for it came. */
    void received(Mad mad, long now);

    /** When {@link #timer} wants to be called; {@link Resend#NEVER} for not at all. */
    long due();

    /** It is that time. */
    void timer(long now);

    /** The manager closes: whoever waits shall wait no longer. */
    void end();
}
