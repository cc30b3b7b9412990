package org.ringside.verbs;

/**
 * One entry of the device list.
 *
 * @param name what {@link Verbs#open(String)} takes
 * @param provider name of the provider that serves it
 * @param description what it is, for people
 * @param available whether it can be opened now
 * @param reason why it cannot and what cures that; empty when it can
 */
public record DeviceInfo(
        String name, String provider, String description, boolean available, String reason) {}
