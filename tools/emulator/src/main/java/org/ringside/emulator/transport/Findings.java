package org.ringside.emulator.transport;

/**
 * Where the examiner tells what a driver or application did wrong, decoded, for people. Called on
 * the agent's thread, and only when something is wrong; the text is made for each call.
 */
@FunctionalInterface
public interface Findings {
    /**
     * @param decoded who did what, what the device did about it
     */
    void report(String decoded);
}
