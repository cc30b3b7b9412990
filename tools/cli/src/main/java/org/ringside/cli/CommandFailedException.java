package org.ringside.cli;

/** A command that did not do what it should; the message is for the user as it stands. */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailedException(String message) {
        super(message);
    }
}
