package org.ringside.vfio;

/**
 * One entry of a capability list.
 *
 * @param id capability id
 * @param version version of an extended capability, 0 for a standard one
 * @param offset where it starts in configuration space
 * @param extended whether it is from the extended list
 */
public record PciCapability(int id, int version, int offset, boolean extended) {}
