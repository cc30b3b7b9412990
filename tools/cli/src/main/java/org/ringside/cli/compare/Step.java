package org.ringside.cli.compare;

import java.util.Map;

/**
 * One thing that a driver said, in a form that can be held against another driver's.
 *
 * @param purpose what it is for
 * @param key command, register or doorbell, with what tells its kinds apart
 * @param isSubject whether it is about the connection compared, or the function as a whole; another
 *     object's only counts as being there
 * @param fields what is not zero, by path
 * @param count fields that there are
 * @param line in the recording
 */
record Step(
        Purpose purpose,
        String key,
        boolean isSubject,
        Map<String, String> fields,
        int count,
        int line) {}
