package org.ringside.cli.compare;

import java.util.Map;

/**
 * One thing that a driver said, in a form that can be held against another driver's.
 *
 * @param purpose what it is for
 * @param key command, register or doorbell, with what tells its kinds apart
 * @param isOrdered whether where it comes counts: a command that is about the connection compared,
 *     or about the function as a whole
 * @param fields what is not zero, by path
 * @param count fields that there are
 * @param line in the recording
 */
record Step(
        Purpose purpose,
        String key,
        boolean isOrdered,
        Map<String, String> fields,
        int count,
        int line) {}
